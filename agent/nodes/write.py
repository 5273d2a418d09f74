"""Showing the card and acting on it: the only writes of the graph are here, each after the user's own word."""

import re
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal

from langgraph.runtime import Runtime

from agent.amending import change_of, differences_of, row_words
from agent.card import Preview, held, openings_of, preview, shown, touched_by
from agent.evidence import Wording, balance_source, calculated, cell_source, message_source, said, told
from agent.language.items import Item, Standing
from agent.markdown import plain_text, sentence_case
from agent.nodes.offering import learnt
from agent.state import Outcome, Pointed, Saying, State, Toolbox, Waiting
from agent.turn import Change, Source, Written
from ledger.entries import MODE_NAMES, Book, BookRefused, Mode, Overdraft
from ledger.journal import JournalLine, Step
from ledger.store import Overdrawn, Receipt, Undone

_BLOCKED = "Tell me what to change, or say **cancel** to drop it."
_NAMED = 5
"""rows named one by one in a sentence"""
_ALL_NAMED = 30
"""a receipt of more rows names the first ones"""
_AMOUNT_COLUMN = {"DEBIT": "F", "CREDIT": "G"}


def present_batch(state: State, runtime: Runtime[Toolbox]) -> State:
    """Show the card: what would be written and what it would change. Nothing is written."""
    waiting = state["waiting"]
    if waiting is None:
        return {}
    outcome = state["outcome"]
    seen = preview(waiting, runtime.context)
    why = _cannot(seen, runtime.context.facts(), waiting.items)
    problem = outcome.problem or seen.problem or (plain_text(why.text) if why else None)
    card = replace(shown(waiting, seen), problem=problem, book=runtime.context.book_path)
    asking = ready(card, brief=bool(outcome.sayings), blocked=why is not None)
    sayings = (*outcome.sayings, asking)
    refused_for_it = outcome.problem and (seen.overdrafts or seen.problem == outcome.problem)
    if why and not refused_for_it:
        sayings = (*sayings, why)
    trace = (*outcome.plan_trace, f"present_batch: {len(card.items)} on the card, nothing written")
    return {"waiting": card, "outcome": replace(outcome, sayings=sayings, problem=problem, plan_trace=trace)}


def write_batch(state: State, runtime: Runtime[Toolbox]) -> State:
    """Write the card into the book, all or nothing, once for this request."""
    toolbox = runtime.context
    waiting = state["waiting"]
    outcome = state["outcome"]
    if waiting is None or toolbox.book is None:
        refusal = "No budget book is open. Choose one, and say yes again: your card is kept."
        return {"route": "refused", "outcome": _refused(outcome, told(refusal), refusal)}
    try:
        before = toolbox.opened().book
        receipt = toolbox.book.change(
            [change_of(item) for item in waiting.items],
            request=state["given"].request,
            who=toolbox.who,
            openings=openings_of(waiting),
            expected=waiting.seen or None,
        )
    except Overdrawn as overdrawn:
        why = overdraft(overdrawn.overdrafts, before, waiting.items, "Nothing was saved.")
        refused = _refused(outcome, why, plain_text(why.text))
        return {"route": "refused", "outcome": replace(refused, guardrails=(*outcome.guardrails, "overdraft"))}
    except BookRefused as refusal_raised:
        toolbox.changed()
        refusal = str(refusal_raised)
        return {"route": "refused", "outcome": _refused(outcome, told(f"Nothing was saved. {refusal}"), refusal)}
    toolbox.changed()
    toolbox.committed = True
    if toolbox.imports:
        toolbox.imports.remember(state["given"].request, waiting.items, toolbox.book)
    touched = touched_by(waiting.items)
    told_so, like = learnt(waiting.items, before, toolbox.facts)
    written = replace(
        outcome,
        sayings=(*outcome.sayings, receipt_saying(receipt, waiting.items, touched, before), *told_so),
        suggested=like,
        written=tuple(Written(number, cell) for number, cell in enumerate(receipt.cells, 1)),
        balances=tuple((mode, receipt.balances[mode]) for mode in touched),
        changes=_changed(receipt, before, waiting, touched),
        notes=receipt.notes,
        undoable=True,
        plan_trace=(*outcome.plan_trace, f"write_batch: {len(waiting.items)} rows written and verified"),
    )
    return {
        "waiting": None,
        "pointed": Pointed(_rows_written(receipt, waiting.items), written=True),
        "questions": waiting.later,
        "route": "later" if waiting.later else "done",
        "outcome": written,
    }


def clear_batch(state: State, runtime: Runtime[Toolbox]) -> State:
    """Drop what waits. Questions of the same message are still answered after a cancel, not after a stop."""
    del runtime
    waiting = state["waiting"]
    stopped = "stop" in state["outcome"].intents
    later = waiting.later if waiting and not stopped else ()
    word = "Stopped. Nothing was written." if stopped else "Dropped. Nothing was written."
    outcome = replace(
        state["outcome"],
        sayings=(*state["outcome"].sayings, said(word)),
        plan_trace=(*state["outcome"].plan_trace, "clear_batch: what waited was dropped"),
    )
    return {"waiting": None, "questions": later, "route": "later" if later else "done", "outcome": outcome}


def undo_write(state: State, runtime: Runtime[Toolbox]) -> State:
    """Take back the write that a receipt names, or the last one of the book, whoever made it."""
    toolbox = runtime.context
    outcome = state["outcome"]
    route = "card" if (waiting := state.get("waiting")) and waiting.kind == "card" else "done"
    try:
        before = toolbox.opened().book
        given = state["given"]
        undone = toolbox.store().undo(request=given.request, who=toolbox.who, write=given.write)
        taken = next((line for line in toolbox.store().history() if line.request == undone.write), None)
        origin = toolbox.said_in(undone.write)
    except BookRefused as refusal:
        return {"route": route, "outcome": replace(outcome, sayings=(*outcome.sayings, told(str(refusal))))}
    toolbox.changed()
    toolbox.committed = True
    moved = tuple(mode for mode, balance in undone.balances.items() if balance != before.balances.get(mode)) or tuple(
        undone.balances
    )
    return {
        "route": route,
        "pointed": Pointed(),
        "outcome": replace(
            outcome,
            sayings=(
                *outcome.sayings,
                undone_saying(undone, taken, before, moved, _place(taken, origin, given.thread)),
            ),
            balances=tuple((mode, undone.balances[mode]) for mode in moved),
            changes=tuple(
                Change(MODE_NAMES[mode], before.balances.get(mode, Decimal(0)), undone.balances[mode]) for mode in moved
            ),
            plan_trace=(*outcome.plan_trace, "undo_write: a write was taken back"),
        ),
    }


def _cannot(seen: Preview, book: Book, items: tuple[Item, ...]) -> Saying | None:
    """Why a card cannot be saved as it stands; None when it can."""
    if seen.overdrafts:
        return overdraft(seen.overdrafts, book, items, "It cannot be saved so.")
    return told(f"It cannot be saved so. {seen.problem}") if seen.problem else None


def ready(card: Waiting, *, brief: bool, blocked: bool = False) -> Saying:
    """The sentence above the card. `blocked`: it cannot be saved as it stands, which is said beside this."""
    wording = Wording()
    if any(item.was for item in card.items):
        return _ready_to_change(card.items, wording, blocked=blocked)
    if len(card.items) == 1:
        item = card.items[0]
        amount = wording.money(item.amount or Decimal(0), message_source(item.words))
        text = f"{amount} {_for(item, wording)}{_share_of(item, wording)}"
    else:
        text = (
            f"{wording.count(len(card.items), 'entry', message_source('your message'))}, {_sums(card.items, wording)}"
        )
        shares = [
            f"{wording.quote(sentence_case(item.description or ''))} is {share.removeprefix(', ')}"
            for item in card.items
            if (share := _share_of(item, wording))
        ]
        text = ". ".join([text, *shares])
    asking = "Say **yes** to save, **cancel** to drop it, or tell me what to change."
    if blocked:
        asking = _BLOCKED
    opening = "On the card" if brief or blocked else "Ready to save"
    return wording.saying(f"{opening}: {text}. {asking}")


def _ready_to_change(items: tuple[Item, ...], wording: Wording, *, blocked: bool = False) -> Saying:
    """The sentence above a card that changes or deletes what stands in the book."""
    lines = [_told(item, wording) for item in items]
    if all(item.gone for item in items):
        opening = "Delete this entry?" if len(items) == 1 else "Delete these entries?"
        asking = "Say **yes** to delete, **cancel** to leave it as it is."
    else:
        opening = "Ready to change:"
        asking = "Say **yes** to save, **cancel** to leave it as it is, or tell me what else to change."
    if blocked:
        opening, asking = "On the card:", _BLOCKED
    if len(lines) == 1:
        return wording.saying(f"{opening} {lines[0]}. {asking}")
    return wording.saying("\n".join([opening, *(f"- {line}" for line in lines), "", asking]))


def _told(item: Item, wording: Wording) -> str:
    """What saving an item does: `₹500.00 for Petrol from PhonePe on 5 Nov: mode PhonePe → Cash`."""
    if item.was is None:
        return f"add {wording.money(item.amount or Decimal(0), message_source(item.words))} {_for(item, wording)}"
    stands = cell_source(item.was.entry.amount_cell)
    row = row_words(item.was, wording, stands)
    told = differences_of(item, wording, stands, message_source(item.words))
    return row if item.gone else f"{row}: {', '.join(told) or 'nothing changes'}"


def overdraft(overdrafts: Iterable[Overdraft], book: Book, items: tuple[Item, ...], opening: str) -> Saying:
    """Why a batch is refused, with the three figures of each mode: has, needs, short."""
    wording = Wording()
    lines = []
    for short in overdrafts:
        name = MODE_NAMES[short.mode]
        words = "; ".join(item.words for item in items if item.mode == short.mode)
        has = wording.money(short.has, balance_source(book, short.mode))
        needs = wording.money(short.needs, message_source(words))
        missing = wording.money(short.short, calculated(f"what {name} needs − what it has"))
        lines.append(f"{name} has {has}, this needs {needs}: {missing} short.")
    way_out = "Change the amount or the mode."
    if len(items) > 1:
        way_out = "Change an amount or a mode, or remove an item."
    elif items and items[0].gone:
        way_out = "What came in with it was spent since."
    return wording.saying(f"{opening} {' '.join(lines)} {way_out}")


def receipt_saying(receipt: Receipt, items: tuple[Item, ...], touched: tuple[Mode, ...], book: Book) -> Saying:
    """What was written and where, the new balances, what is left of the budgets, and how to take it back."""
    wording = Wording()
    written = tuple(zip(items, receipt.cells, strict=True))
    shown = written if len(written) <= _ALL_NAMED else written[:_NAMED]
    rows = [_receipt_row(item, cell, wording) for item, cell in shown]
    if left := len(written) - len(shown):
        others = calculated("the rows written", (_amount_cell(cell, item) for item, cell in written))
        last = wording.quote(receipt.cells[-1].rpartition("#")[2])
        rows.append(f"{wording.figure(f'{left:,} other rows', Decimal(left), others)}, the last one {last}")
    done = _done(items)
    first = f"{done}: {rows[0]}." if len(rows) == 1 else f"{done}:\n" + "\n".join(f"- {row}" for row in rows) + "\n"
    balances = ", ".join(
        f"{MODE_NAMES[mode]} now holds "
        + wording.money(receipt.balances[mode], _balance_after(mode, receipt, items, book))
        for mode in touched
    )
    budgets = " ".join(_budget_line(name, after, written, book, wording) for name, _, after in receipt.budget_left)
    notes = " ".join(wording.quote(note) for note in receipt.notes)
    rest = " ".join(part for part in (f"{balances}.", budgets, notes, "Say **undo** to take it back.") if part)
    return wording.saying(f"{first}\n{rest}" if len(rows) > 1 else f"{first} {rest}")


def _done(items: tuple[Item, ...]) -> str:
    """What a write did, in a word."""
    if all(item.gone for item in items):
        return "Deleted"
    return "Changed" if all(item.was for item in items) else "Saved"


def _receipt_row(item: Item, cell: str, wording: Wording) -> str:
    """A row written and where; of a changed one what changed."""
    place = wording.quote(cell.rpartition("#")[2])
    if item.was is not None:
        stood = calculated(f"what stood in {item.was.entry.amount_cell} before")
        row = row_words(item.was, wording, stood)
        if item.gone:
            return f"{row}, {place}"
        return (
            f"{row}: {', '.join(differences_of(item, wording, stood, cell_source(_amount_cell(cell, item))))}, {place}"
        )
    amount = wording.money(item.amount or Decimal(0), cell_source(_amount_cell(cell, item)))
    return f"{amount} {_for(item, wording)}, {place}"


def _rows_written(receipt: Receipt, items: tuple[Item, ...]) -> tuple[Standing, ...]:
    """The rows as they stand after the write, the last one first."""
    rows = []
    for item, cell in zip(items, receipt.cells, strict=True):
        if not item.gone:
            sheet, _, row = _amount_cell(cell, item).rpartition("!")
            name = sheet.strip("'").replace("''", "'")
            rows.append(Standing.of(item.draft(), name, int(re.sub(r"\D", "", row))))
    return tuple(reversed(rows))


def undone_saying(
    undone: Undone, taken: JournalLine | None, book: Book, moved: tuple[Mode, ...], place: str = ""
) -> Saying:
    """What was taken back, by description and amount, where that was written, and the balances it leaves."""
    wording = Wording()
    steps = taken.facts.steps if taken else ()
    rows = [_step_told(step, wording) for step in steps[:_NAMED]]
    if len(steps) > _NAMED:
        rows.append(wording.count(len(steps) - _NAMED, "other row", calculated("rows of that write")))
    what = ", ".join(rows) or wording.quote(undone.what)
    where = wording.quote(", ".join(cell.rpartition("#")[2] for cell in undone.cells[:_NAMED])) if rows else ""
    what = ", ".join(part for part in (what, where, place) if part)
    balances = ", ".join(
        f"{MODE_NAMES[mode]} is back at "
        + wording.money(
            undone.balances[mode], calculated(f"{MODE_NAMES[mode]} before that write", _card_cells(book, mode))
        )
        for mode in moved
    )
    return wording.saying(f"Taken back: {what}. {balances}.")


def _step_told(step: Step, wording: Wording) -> str:
    """A row of a write that was taken back: `Jalebi ₹40.00`, or what had been done to it."""
    row = step.now or step.was
    if row is None:
        return ""
    amount = wording.money(row.amount, cell_source(row.amount_cell))
    told_row = f"{wording.quote(sentence_case(row.description))} {amount}"
    if step.now is None:
        return f"the deleting of {told_row}"
    return told_row if step.was is None else f"the change of {told_row}"


def _place(line: JournalLine | None, origin: str | None, thread: str) -> str:
    """Where a write came from, when that is not this conversation."""
    if line is None or origin == thread:
        return ""
    if origin is None:
        return "saved on the Ledger page" if line.who == "ledger" else ""
    return "saved in another conversation"


def _for(item: Item, wording: Wording) -> str:
    """`for Groceries from PhonePe`."""
    name = wording.quote(sentence_case(item.description or ""))
    way = "into" if item.direction == "CREDIT" else "from"
    return f"for {name} {way} {MODE_NAMES[item.mode]}" if item.mode else f"for {name}"


def _share_of(item: Item, wording: Wording) -> str:
    """`, your share of ₹1,200.00 split 3 ways`; empty for what was not shared."""
    if item.whole is None:
        return ""
    said_so = message_source(item.words)
    whole = wording.money(item.whole, said_so)
    if not item.ways:
        return f", your share of {whole}"
    rounded = " (rounded to the paisa)" if (item.amount or 0) * item.ways != item.whole else ""
    return f", your share of {whole} split {wording.figure(f'{item.ways} ways', Decimal(item.ways), said_so)}{rounded}"


def _sums(items: tuple[Item, ...], wording: Wording) -> str:
    """Money out and money in of a batch."""
    words = message_source("; ".join(item.words for item in items))
    sums = []
    for direction, name in (("DEBIT", "out"), ("CREDIT", "in")):
        amounts = [item.amount or Decimal(0) for item in items if item.direction == direction]
        if amounts:
            sums.append(f"{wording.money(sum(amounts, Decimal(0)), words)} {name}")
    return " and ".join(sums)


def _budget_line(name: str, after: Decimal, written: Iterable[tuple[Item, str]], book: Book, wording: Wording) -> str:
    """What is left of a budget after a write; `written` are the items with their cells."""
    cells = [
        _amount_cell(cell, item)
        for item, cell in written
        if (item.category or "").casefold() == name.casefold() and not item.gone
    ]
    line = book.category(name)
    budget = line.cell if line and line.cell else f"monthly budget of {name}"
    source = calculated(f"{budget} − what the month spent on {name}", [line.cell, *cells] if line else cells)
    shown_name = wording.quote(name)
    if after < 0:
        return f"{shown_name} is {wording.money(-after, source)} over its budget."
    return f"{wording.money(after, source)} is left for {shown_name}."


def _balance_after(mode: Mode, receipt: Receipt, items: tuple[Item, ...], book: Book) -> Source:
    """The card that states the balance; with its rows when the book has no card."""
    cells = [
        _amount_cell(cell, item)
        for item, cell in zip(items, receipt.cells, strict=True)
        if item.mode == mode and not item.gone
    ]
    cards = _card_cells(book, mode)
    sheet = receipt.cells[-1].rpartition("#")[2].rpartition("!")[0] if receipt.cells else ""
    if cards and (mode in ("MONEY", "BANK") or cards[0].startswith(f"{sheet}!")):
        return Source("cell", cards[0], (cards[0], *cells))
    return calculated(f"{MODE_NAMES[mode]} before + in − out of the rows written", cells)


def _card_cells(book: Book, mode: Mode) -> tuple[str, ...]:
    """Where the book states a mode's balance now."""
    months = {None, *(book.months[-1:])}
    return tuple(card.cell for card in book.cards if card.mode == mode and card.month in months)[:1]


def _amount_cell(cells: str, item: Item) -> str:
    """`NOVEMBER!F24` of the row `Budget_2026.xlsx#NOVEMBER!C24:J24`."""
    sheet, _, reach = cells.rpartition("#")[2].rpartition("!")
    row = re.sub(r"\D", "", reach.partition(":")[0])
    return f"{sheet}!{_AMOUNT_COLUMN[item.direction or 'DEBIT']}{row}"


def _changed(receipt: Receipt, before: Book, waiting: Waiting, touched: tuple[Mode, ...]) -> tuple[Change, ...]:
    balances = tuple(
        Change(MODE_NAMES[mode], held(before.balances, waiting, mode), receipt.balances[mode]) for mode in touched
    )
    return (*balances, *(Change(f"Left for {name}", was, now) for name, was, now in receipt.budget_left))


def _refused(outcome: Outcome, saying: Saying, problem: str) -> Outcome:
    return replace(
        outcome,
        sayings=(*outcome.sayings, saying),
        problem=problem,
        plan_trace=(*outcome.plan_trace, "write_batch: refused, the card stays"),
    )
