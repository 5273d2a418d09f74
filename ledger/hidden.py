"""What a person does not see in a workbook and Munshi reads all the same, or leaves: counted, and said."""

import re
from collections.abc import Iterator, Sequence

from ledger.sheetxml import Sheet
from ledger.workbook import Workbook

_HIDDEN_ROW = re.compile(rb'<(?:\w+:)?row\b(?=[^>]*\bhidden=["\'](?:1|true)["\'])[^>]*?\br=["\'](\d+)["\']')


def hidden_rows(sheet: Sheet) -> tuple[int, ...]:
    """The numbers of the rows that are not shown."""
    if b" hidden=" not in sheet.xml:
        return ()
    return tuple(int(number) for number in _HIDDEN_ROW.findall(sheet.xml))


def hidden_remarks(workbook: Workbook, read: Sequence[str]) -> Iterator[str]:
    """Sentences on hidden sheets and rows; `read` are the sheets whose entries are read."""
    states = {ref.name: ref.state for ref in workbook.sheets}
    left = [name for name, state in states.items() if state != "visible" and name not in read]
    if left:
        named = f"The sheet {left[0]} is" if len(left) == 1 else f"The sheets {', '.join(left[:-1])} and {left[-1]} are"
        yield f"{named} hidden, and no entries are read from there."
    for name in read:
        if states.get(name) != "visible":
            yield f"The sheet {name} is hidden, and is read."
        if rows := hidden_rows(workbook.sheet(name)):
            count = "1 row is" if len(rows) == 1 else f"{len(rows):,} rows are"
            yield f"{count} hidden on {name} and read like any other."
