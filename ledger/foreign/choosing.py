"""A person's corrections of a mapping: tables alike are settled together, and what is missing is said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ledger.entries import Direction, Mode, Role, Table
from ledger.foreign.layouts import ROLE_NAMES
from ledger.foreign.mapping import Recognised, TableMapping


@dataclass(frozen=True)
class Alike:
    """Tables with the same captions in the same columns, such as those of twelve monthly sheets."""

    tables: tuple[int, ...]
    """their places among the tables recognised"""
    table: Table
    """the first of them"""

    def sheets(self, recognised: Recognised) -> tuple[str, ...]:
        """The sheets they stand on."""
        return tuple(dict.fromkeys(recognised.mapping.tables[number].sheet for number in self.tables))


@dataclass(frozen=True)
class Choice:
    """What a person chose for tables alike."""

    read: bool
    columns: Mapping[str, Role]
    mode: Mode | None
    positive: Direction
    day_first: bool
    words: Mapping[str, Mode]


def alike(recognised: Recognised) -> tuple[Alike, ...]:
    """The tables in groups that one answer settles."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for number, table in enumerate(recognised.mapping.tables):
        same = (table.layout, *table.columns.items(), *table.captions.values(), table.day_first, table.positive)
        groups.setdefault(same, []).append(number)
    return tuple(Alike(tuple(numbers), recognised.mapping.tables[numbers[0]]) for numbers in groups.values())


def chosen(
    recognised: Recognised, choices: Sequence[tuple[Alike, Choice]], captions: Mapping[str, str]
) -> TableMapping | str:
    """The mapping as chosen, or a sentence on what is missing. `captions` are those of every column, by letter."""
    tables: dict[int, Table] = {}
    for group, choice in choices:
        if not choice.read:
            continue
        problem = missing(choice)
        if problem:
            return problem
        for number in group.tables:
            table = recognised.mapping.tables[number]
            tables[number] = table.model_copy(
                update={
                    "columns": dict(choice.columns),
                    "captions": {
                        column: table.captions.get(column, captions.get(column, "")) for column in choice.columns
                    },
                    "mode": choice.mode,
                    "positive": choice.positive,
                    "day_first": choice.day_first,
                    "words": dict(choice.words),
                }
            )
    if not tables:
        return "Choose at least one table to read."
    return TableMapping(tables=tuple(tables[number] for number in sorted(tables)))


def missing(choice: Choice) -> str:
    """What a table cannot be read without, as a sentence; empty when it has everything."""
    roles = list(choice.columns.values())
    doubled = next((role for role in roles if roles.count(role) > 1), None)
    if doubled:
        return f"Two columns are {ROLE_NAMES[doubled]}; choose one."
    if "date" not in roles:
        return "Choose the column of the dates."
    if not {"amount", "debit", "credit"}.intersection(roles):
        return "Choose the column of the amounts."
    if "amount" in roles and {"debit", "credit"}.intersection(roles):
        return "Choose either one column for the amounts, or those for money out and money in."
    if "mode" not in roles and choice.mode is None:
        return "Choose where this money is kept."
    return ""
