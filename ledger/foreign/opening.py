"""Reading any workbook: Munshi's own layout first, otherwise by the mapping that was confirmed for it."""

from dataclasses import replace

from ledger.book import HEADINGS, read_book
from ledger.cell_values import shown
from ledger.entries import CASH_TRACKER, MONTHS, Book, BookRefused
from ledger.foreign.mapping import OtherLayout, TableMapping
from ledger.foreign.reading import read_foreign
from ledger.foreign.recognition import captions_stand, recognise
from ledger.workbook import Workbook

_OWN_SHEETS = (CASH_TRACKER, "TERMINOLOGY")


def open_book(workbook: Workbook, mapping: TableMapping | None = None) -> Book:
    """The book a workbook holds.

    Raises `OtherLayout`, carrying what was recognised, when nobody has confirmed yet how its tables are read or their
    captions changed since; and `BookRefused` when it is no book at all.
    """
    if workbook.is_import:
        reason = (
            f"{workbook.name} is an old .xls file, so it is read only. To write into it, open it in Excel and save it "
            "as an Excel Workbook (.xlsx)."
        )
        return replace(_opened(workbook, mapping), read_only=reason)
    return _opened(workbook, mapping)


def _opened(workbook: Workbook, mapping: TableMapping | None) -> Book:
    try:
        return read_book(workbook)
    except BookRefused as refused:
        if _is_own(workbook):
            raise  # Munshi's own layout, damaged: it must be mended, not read as something else
        if mapping is not None and all(captions_stand(workbook, table) for table in mapping.tables):
            return read_foreign(workbook, mapping)
        recognised = recognise(workbook)
        if recognised is not None:
            raise OtherLayout(workbook.name, recognised) from refused
        raise BookRefused(
            f"{refused} No table of another layout was found either: none of its sheets has captions such as Date and "
            "Amount, or Date, Debit and Credit, in its first 20 rows with entries below them."
        ) from refused


def _is_own(workbook: Workbook) -> bool:
    """Whether a workbook that could not be read is Munshi's own all the same, with something missing or misnamed."""
    for ref in workbook.sheets:
        name = ref.name.strip().upper()
        if name in _OWN_SHEETS:
            return True
        if name in MONTHS:
            try:
                sheet = workbook.sheet(ref.name)
            except KeyError:
                continue  # a chart sheet
            cells = sheet.cells(4)
            if tuple(shown(sheet.value(cells.get(column))).strip().casefold() for column in "CDEFG") == HEADINGS:
                return True
    return False
