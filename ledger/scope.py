"""Of which rows an answer is, in words for the end of a sentence: `on Food in November`, `above ₹3,000 this month`."""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal

from ledger.entries import MODE_NAMES, MODES, Book
from ledger.query import Query
from money import day_text, rupees, whole_rupees

_WEEKDAYS = ("Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays")
_ZERO = Decimal(0)


def scope_of(query: Query, book: Book) -> str:
    """Of which rows, for the end of a sentence."""
    home = date(book.year, 1, 1)
    parts = [*_subject(query, book)]
    if query.aggregate == "balance" and query.over is None:
        day = balance_day(query)
        parts.append(f"at the end of {day_text(day, home)}" if day else "now")
    else:
        parts.append(query.period.words if query.period else "in the whole book")
    return " ".join(parts)


def balance_day(query: Query) -> date | None:
    """The day at whose end a balance is asked; None: now."""
    return query.at or (query.period.last if query.period else None)


def _subject(query: Query, book: Book) -> Iterable[str]:
    named = [_category_name(name, book) for name in query.categories if name]
    if named:
        yield f"on {_listed(named)}"
    if "" in query.categories:
        yield "or without a category" if named else "without a category"
    if query.groups:
        groups = _listed((group.capitalize() for group in query.groups), "or")
        yield f"in the {groups} group"
    if query.words:
        yield f"with “{' '.join(query.words)}”"
    if query.tags:
        yield f"tagged {_listed(tag.upper() for tag in query.tags)}"
    if query.modes and len(query.modes) < len(MODES) and query.aggregate != "balance":
        yield f"by {_listed((MODE_NAMES[mode] for mode in query.modes), 'or')}"
    if query.above is not None:
        yield f"above {_plain_rupees(query.above)}"
    if query.below is not None:
        yield f"below {_plain_rupees(query.below)}"
    if query.at_least is not None or query.at_most is not None:
        yield _bounds_words(query.at_least, query.at_most)
    if query.weekdays:
        weekdays = tuple(sorted(query.weekdays))
        named = ["weekends"] if weekdays == (5, 6) else ["weekdays"] if weekdays == (0, 1, 2, 3, 4) else []
        yield f"on {_listed(named or [_WEEKDAYS[day] for day in weekdays])}"
    if query.leaving_out:
        yield f"leaving out {_listed(_left_out(left, book) for left in query.leaving_out)}"


def _left_out(query: Query, book: Book) -> str:
    if query.groups and not query.categories:
        return f"the {_listed((group.capitalize() for group in query.groups), 'and')} group"
    words = " ".join(_subject(query, book))
    for before in ("on ", "with ", "by "):
        words = words.removeprefix(before)
    if words:
        return words
    return "transfers" if query.kind == "transfers" else query.period.words if query.period else query.kind


def _category_name(name: str, book: Book) -> str:
    line = book.category(name)
    return line.name if line else name


def _listed(names: Iterable[str], word: str = "and") -> str:
    *before, last = names
    return f"{', '.join(before)} {word} {last}" if before else last


def _bounds_words(at_least: Decimal | None, at_most: Decimal | None) -> str:
    """`from ₹500 to ₹1,000`, `of ₹649.00`, `of ₹500 or more`."""
    if at_least is not None and at_most is not None:
        if at_least == at_most:
            return f"of {rupees(at_least)}"
        return f"from {_plain_rupees(at_least)} to {_plain_rupees(at_most)}"
    if at_least is not None:
        return f"of {_plain_rupees(at_least)} or more"
    return f"of {_plain_rupees(at_most or _ZERO)} or less"


def _plain_rupees(value: Decimal) -> str:
    return whole_rupees(value) if value == value.to_integral_value() else rupees(value)
