"""What a reply to the open card is: yes, cancel, an edit, something else. Anything unclear shows the card again."""

import re
from dataclasses import replace
from datetime import date

from langgraph.runtime import Runtime

from agent.card import proposal_id
from agent.evidence import Wording, message_source, said
from agent.language.amendments import agrees_to_delete, only_says_delete, parse_amendment
from agent.language.consent import consent
from agent.language.edits import Edited, apply_edits, typed_value, without_opening
from agent.language.intents import Reading, classify, split_requests
from agent.language.items import Item, without_doubts
from agent.language.knowledge import Knowledge
from agent.language.transactions import parse_transactions
from agent.markdown import sentence_case
from agent.nodes.bring import is_brought, remark, what_came
from agent.nodes.understand import WIDEN_WORDS, last_query, offer_items
from agent.phrases import NOTHING_WAITS
from agent.planner import ASK_BELOW
from agent.state import Outcome, Saying, State, Toolbox, Waiting
from agent.turn import ItemChange
from ledger.entries import MODE_NAMES, Mode
from money import day_text, parse_amount, parse_date

_ADD = re.compile(
    r"(?:yes[, ]+|ok[, ]+|please )?(?:add|include|put) (?:it|them|that|this|those|both|all)(?: too| as well| also)?"
    r"(?: (?:to|on)(?: the| this)? card)?(?: please)?[.!]?",
    re.IGNORECASE,
)


def parse_decision(state: State, runtime: Runtime[Toolbox]) -> State:
    """What a message or a button means for the open card."""
    toolbox = runtime.context
    given = state["given"]
    waiting = state.get("waiting")
    outcome = state["outcome"]
    if given.action in ("save", "cancel", "edit"):
        return _pressed(state, waiting, toolbox)
    word = given.action if given.action in ("undo", "stop") else consent(given.message)
    if waiting and any(item.gone for item in waiting.items):
        word = "yes" if agrees_to_delete(given.message) else None if only_says_delete(given.message) else word
    if word == "undo":
        return {"route": "undo", "outcome": _with(outcome, "undo")}
    if waiting is None:
        nothing = "stop" if word == "stop" else "cancel"
        return {"route": "nothing", "outcome": _with(outcome, nothing, said(NOTHING_WAITS[nothing]))}
    if word in ("cancel", "stop"):
        return {"route": word, "outcome": _with(outcome, word)}
    if word == "yes":
        return _agreed(state, waiting, toolbox)
    if word == "anyway":
        return _agreed_anyway(state, waiting, toolbox)
    if waiting.offered and _ADD.fullmatch(given.message.strip()):
        added = replace(waiting, items=(*waiting.items, *waiting.offered), offered=())
        return {"waiting": added, "route": "merged", "outcome": _with(outcome, "edit", said("Added to the card."))}
    if state.get("offer") and given.message.strip(" .!").casefold() in WIDEN_WORDS:
        return {"route": "question"}
    knowledge = Knowledge.of(toolbox.facts())
    if is_brought(state):
        brought = what_came(state, toolbox)
        remarks = tuple(remark(each) for each in brought.remarks)
        offer = (offer_items(brought.items),) if brought.items else ()
        offered = replace(waiting, offered=brought.items)
        return {"waiting": offered, "route": "unclear", "outcome": _with(outcome, "log", *remarks, *offer)}
    if (
        apply_edits(_as_edit(given.message, toolbox.today, knowledge), waiting.items, toolbox.today, knowledge)
        is not None
    ):
        return {"route": "edit"}
    amendment = parse_amendment(given.message, toolbox.today, knowledge)
    if amendment and amendment.sure and not amendment.sought.only_points:
        first = said("Save or cancel this card first; then I can change what stands in the book.")
        return {"route": "unclear", "outcome": _with(outcome, "edit", first)}
    readings = [
        classify(part, toolbox.today, knowledge, last_query(state))
        for part in (split_requests(given.message) or (given.message,))
    ]
    return _met(readings, waiting, state, toolbox, knowledge)


def merge_edits(state: State, runtime: Runtime[Toolbox]) -> State:
    """The card with the edits of a message or of its own form, all or none."""
    toolbox = runtime.context
    given = state["given"]
    waiting = state["waiting"]
    outcome = state["outcome"]
    if waiting is None:
        return {"route": "empty"}
    if any(item.gone for item in waiting.items):
        fixed = said("This card deletes what stands in the book: say **yes** to delete it, or **cancel**.")
        return {"route": "refused", "outcome": _with(outcome, "edit", fixed)}
    knowledge = Knowledge.of(toolbox.facts())
    if given.action == "edit":
        edited = form_edits(waiting.items, given.changes, toolbox.today, knowledge)
    else:
        message = _as_edit(given.message, toolbox.today, knowledge)
        edited = apply_edits(message, waiting.items, toolbox.today, knowledge) or Edited(waiting.items)
    if edited.refused:
        unchanged = Wording()
        sentence = unchanged.saying(f"{unchanged.quote(edited.refused)} Nothing was changed.")
        return {"route": "refused", "outcome": _with(outcome, "edit", sentence)}
    if not edited.items:
        emptied = said("Nothing is left on the card, so it is closed. Nothing was written.")
        return {"waiting": None, "route": "empty", "outcome": _with(outcome, "edit", emptied)}
    changed = replace(waiting, items=edited.items, problem=None)
    return {
        "waiting": changed,
        "route": "merged",
        "outcome": _with(outcome, "edit", differences(waiting.items, edited.items)),
    }


def form_edits(items: tuple[Item, ...], changes: tuple[ItemChange, ...], today: date, knowledge: Knowledge) -> Edited:
    """The items after the changes made on the card's form; refused whole when one value cannot be used."""
    edited: list[Item | None] = list(items)
    for change in changes:
        if not 1 <= change.item <= len(items) or (item := edited[change.item - 1]) is None:
            return Edited(items, refused=f"There is no item {change.item} on the card.")
        if change.field == "remove":
            edited[change.item - 1] = None
            continue
        fixed = _changed(item, change, today, knowledge)
        if isinstance(fixed, str):
            return Edited(items, refused=fixed)
        edited[change.item - 1] = fixed
    return Edited(tuple(item for item in edited if item is not None))


def differences(before: tuple[Item, ...], after: tuple[Item, ...]) -> Saying:
    """What an edit changed, item by item: `item 2: amount ₹80.00 → ₹500.00, mode Cash → Wallet`."""
    wording = Wording()
    if len(before) != len(after):
        fewer = len(after) < len(before)
        moved = [item for item in before if item not in after] if fewer else after[len(before) :]
        names = " and ".join(wording.quote(sentence_case(item.description or "an entry")) for item in moved)
        return wording.saying(f"{'Removed' if fewer else 'Added'} {names}." if names else "Changed.")
    many = len(after) > 1
    lines = [
        (f"item {number}: " if many else "") + ", ".join(changes)
        for number, (old, new) in enumerate(zip(before, after, strict=True), 1)
        if (changes := _item_differences(old, new, wording))
    ]
    return wording.saying(f"Changed {'; '.join(lines)}." if lines else "That is how it stands already.")


def _as_edit(message: str, today: date, knowledge: Knowledge) -> str:
    """A bare value said to a card is its new one: `640` is `amount 640`, `upi` is `mode upi`."""
    bare = without_opening(message).strip(" .!")
    if parse_amount(bare) is not None:
        return f"amount {bare}"
    field, value = typed_value(re.sub(r"^(?:was|is|it was)\s+", "", bare, flags=re.IGNORECASE), today, knowledge)
    return f"{field} {value}" if field in ("amount", "mode", "date") else message


def _pressed(state: State, waiting: Waiting | None, toolbox: Toolbox) -> State:
    """A button of a card: only of the card that is open, as it stands."""
    given = state["given"]
    outcome = state["outcome"]
    intent = "confirm" if given.action == "save" else given.action
    if waiting is None or waiting.kind != "card":
        closed = said("That card is no longer open, so nothing was done.")
        return {"route": "nothing", "outcome": _with(outcome, intent, closed)}
    if given.proposal != proposal_id(given.thread, waiting):
        moved = said("The card has changed since. Here it is as it stands now; nothing was done yet.")
        return {"route": "unclear", "outcome": _with(outcome, intent, moved)}
    if intent == "confirm":
        return _agreed(state, waiting, toolbox)
    return {"route": intent, "outcome": _with(outcome, intent) if intent != "edit" else outcome}


def _agreed(state: State, waiting: Waiting, toolbox: Toolbox) -> State:
    """Yes: to the card that was seen, in the book it was shown for."""
    outcome = _with(state["outcome"], "confirm")
    if state["given"].late and state["given"].proposal is None:
        seen = said(
            "Your yes came while I was still changing the card. Here it is now: say **yes** again if it is right."
        )
        return {"route": "unclear", "outcome": replace(outcome, sayings=(*outcome.sayings, seen))}
    if waiting.book != toolbox.book_path:
        other = said(
            "Another book is open now. This is what the card would write into it: say **yes** again if that is meant."
        )
        return {"route": "unclear", "outcome": replace(outcome, sayings=(*outcome.sayings, other))}
    return {"route": "confirm", "outcome": outcome}


def _agreed_anyway(state: State, waiting: Waiting, toolbox: Toolbox) -> State:
    """Yes, although the book differs from its rows: kept as the user's word on exactly these differences."""
    agreed = _agreed(state, waiting, toolbox)
    book = toolbox.facts()
    if agreed["route"] == "confirm" and book.differences and not book.differences_accepted:
        toolbox.store().accept_differences(book.differences)
        toolbox.changed()
    return agreed


def _met(readings: list[Reading], waiting: Waiting, state: State, toolbox: Toolbox, knowledge: Knowledge) -> State:
    """A message that is no decision: a question is answered, an expense offered, all else shows the card again."""
    outcome = state["outcome"]
    sure = [reading for reading in readings if reading.confidence >= ASK_BELOW]
    if any(reading.intent not in ("log", "unclear", "confirm", "cancel", "edit", "undo", "stop") for reading in sure):
        return {"route": "question"}
    if any(reading.intent == "log" for reading in sure):
        items = parse_transactions(state["given"].message, toolbox.today, knowledge)
        if items:
            offered = replace(waiting, offered=items)
            return {"waiting": offered, "route": "unclear", "outcome": _with(outcome, "log", offer_items(items))}
    again = said("I was not sure what you meant, so nothing was saved or changed.")
    return {"route": "unclear", "outcome": _with(outcome, "unclear", again)}


def _changed(item: Item, change: ItemChange, today: date, knowledge: Knowledge) -> Item | str:
    """The item with one field as the form gives it, or why it cannot be."""
    value = change.value.strip()
    match change.field:
        case "amount":
            amount = parse_amount(value)
            if amount is None or amount <= 0:
                return f"“{value}” is not an amount above zero."
            return replace(item, amount=amount, doubts=without_doubts(item, "amount"))
        case "description":
            if not value:
                return "A description cannot be empty."
            return replace(item, description=value)
        case "date":
            day = parse_date(value, today)
            if day is None:
                return f"“{value}” is not a date."
            return replace(item, date=day, doubts=without_doubts(item, "date"))
        case "mode":
            mode = _mode_named(value)
            if mode is None:
                return f"“{value}” is no mode. There are {', '.join(MODE_NAMES.values())}."
            return replace(item, mode=mode, doubts=without_doubts(item, "mode"))
        case "direction":
            if value.upper() not in ("DEBIT", "CREDIT"):
                return f"“{value}” is neither out nor in."
            return replace(
                item,
                direction="DEBIT" if value.upper() == "DEBIT" else "CREDIT",
                doubts=without_doubts(item, "direction"),
            )
        case "category":
            if not value:
                return replace(item, category=None)
            name = next((each for each in knowledge.categories if each.casefold() == value.casefold()), None)
            return replace(item, category=name) if name else f"The book has no category “{value}”."
        case _:
            tags = dict.fromkeys(tag.strip(" []").upper() for tag in value.split(","))
            return replace(item, tags=tuple(tag for tag in tags if tag))


def _item_differences(old: Item, new: Item, wording: Wording) -> list[str]:
    lines = []
    if old.description != new.description:
        names = (wording.quote(sentence_case(item.description or "none")) for item in (old, new))
        lines.append(f"description {' → '.join(names)}")
    if old.amount != new.amount and new.amount is not None:
        source = message_source(new.words)
        before = f"{wording.money(old.amount, source)} → " if old.amount is not None else ""
        lines.append(f"amount {before}{wording.money(new.amount, source)}")
    if old.mode != new.mode and new.mode:
        before = f"{MODE_NAMES[old.mode]} → " if old.mode else ""
        lines.append(f"mode {before}{MODE_NAMES[new.mode]}")
    if old.direction != new.direction and new.direction:
        lines.append("money out → money in" if new.direction == "CREDIT" else "money in → money out")
    if old.category != new.category:
        lines.append(f"category {' → '.join(wording.quote(item.category or 'none') for item in (old, new))}")
    if old.date != new.date and new.date:
        day = f"{day_text(old.date, new.date)} → " if old.date else ""
        lines.append(f"date {day}{day_text(new.date, new.date)}")
    if old.tags != new.tags:
        lines.append(f"tags {' → '.join(wording.quote(', '.join(item.tags) or 'none') for item in (old, new))}")
    return lines


def _mode_named(value: str) -> Mode | None:
    wanted = value.casefold()
    return next((mode for mode, name in MODE_NAMES.items() if wanted in (mode.casefold(), name.casefold())), None)


def _with(outcome: Outcome, intent: str, *sayings: Saying) -> Outcome:
    return replace(outcome, intents=(*outcome.intents, intent), sayings=(*outcome.sayings, *sayings))
