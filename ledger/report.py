"""A month of the book as one HTML file to print or to keep: figures with their cells, tables, charts drawn as SVG.

    Book, month ──summary, changes, status, bills──► figures ──► one page without any outside request

Every text of the book is escaped; nothing in the page runs.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from html import escape

from ledger.budget import BudgetLine, alerts, status, summary
from ledger.entries import MODE_NAMES, Book, Entry
from ledger.overview import by_day
from ledger.queries import Span, closing_balance, stopping_issues
from ledger.recurring import recurring_bills, standing_bills
from ledger.spending import Change, changes, compared_days
from money import day_text, month_span, percent, rupees, short_rupees

CELLS_NAMED = 12
_ZERO = Decimal(0)
_STYLE = """
:root{color-scheme:light dark;--ink:#14171e;--quiet:#596070;--line:#e2e5ea;--bar:#3b4cca;--before:#c3c8d1;--page:#fff}
@media (prefers-color-scheme:dark){:root{--ink:#e6e8ec;--quiet:#a6adba;--line:#2a2e37;--bar:#6270e6;--before:#5c6472;
--page:#111317}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);max-width:860px;margin:32px auto;
padding:0 16px;font-variant-numeric:tabular-nums}
h1{font-size:1.6rem;margin:0}h2{font-size:1.1rem;margin:28px 0 8px}p{margin:4px 0}
.quiet{color:var(--quiet);font-size:.87rem}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:5px 8px;border-bottom:1px solid var(--line);
vertical-align:top;overflow-wrap:break-word}th{font-size:.87rem;color:var(--quiet)}.n{text-align:right;white-space:nowrap}
svg{width:100%;height:auto}svg text{fill:var(--ink);font:12px system-ui,sans-serif}
@media print{:root{--ink:#000;--page:#fff;--line:#ccc;--quiet:#444}body{margin:0;max-width:none}
h2{break-after:avoid}tr,svg{break-inside:avoid}}
"""


def month_report(book: Book, month: date, today: date) -> str:
    """The report of the month that a day lies in, as HTML; of a running month its days so far."""
    first, last = month_span(month)
    until = min(last, today) if first <= today else last
    name = f"{first:%B %Y}"
    body = [
        f"<h1>{name}</h1>",
        f'<p class="quiet">{escape(book.name)} · {_days(first, until, today)} · made on {day_text(today, today)} '
        f"{today.year} · figures name the cells they come from</p>",
    ]
    days = compared_days(Span(first, last, ""), today)
    if stopped := stopping_issues(book, Span(first, until, "")):
        body.append(f"<p>{escape(stopped[0].cell)} cannot be read, so no total of this month can be trusted: "
                    f"{escape(stopped[0].reason)}</p>")  # fmt: skip
        return _page(name, body)
    lines = changes(book, days)
    body += [*_totals(book, first, until), *_balances(book, until)]
    body += [*_categories(lines), *_budget(book, Span(first, until, "")), *_bills(book, today)]
    body += [*_by_day(book, month, until), *_entries(book, first, until, today)]
    body.append('<p class="quiet">Made by Munshi from the book. It informs; what to do with it is yours to say.</p>')
    return _page(name, body)


def file_name(book: Book, month: date) -> str:
    """What the file is called: `Budget_2026_2026-11.html`."""
    stem = "".join(letter if letter.isalnum() or letter in "_-" else "_" for letter in book.name.rpartition(".")[0])
    return f"{stem or 'Book'}_{month:%Y-%m}.html"


def _page(title: str, body: Iterable[str]) -> str:
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>\n" + "\n".join(body) + "\n</body></html>\n"
    )


def _totals(book: Book, first: date, until: date) -> list[str]:
    found = summary(book, first, until)
    rows = [
        ("Money in", rupees(found.income), _cells(found.income_entries)),
        ("Money out, refunds taken off", rupees(found.spending), _cells(found.spending_entries)),
        ("Kept", rupees(found.saved), "money in − money out"),
    ]
    if found.saved_percent is not None:
        rows.append(("Kept of what came in", percent(found.saved_percent), "kept ÷ money in"))
    return ["<h2>The month</h2>", _table(("", "₹", "From"), rows)]


def _balances(book: Book, until: date) -> list[str]:
    rows = []
    for mode in book.openings:
        known = book.openings[mode] is not None or any(entry.mode == mode for entry in book.entries)
        amount = rupees(closing_balance(book, mode, until)) if known else "not known"
        rows.append((MODE_NAMES[mode], amount, f"opening {book.opening_cells.get(mode, '')} + in − out"))
    return ["<h2>Balances at the end</h2>", _table(("", "₹", "From"), rows)]


def _categories(lines: Sequence[Change]) -> list[str]:
    told = [line for line in lines if line.now.entries or line.before.entries]
    if not told:
        return ["<h2>Spending by category</h2>", "<p>Nothing was spent.</p>"]
    rows = [
        (
            line.category or "No category",
            rupees(line.now.total),
            rupees(line.before.total),
            f"{percent(line.percent, sign=True)}{' · unusual' if line.is_anomaly else ''}"
            if line.percent is not None
            else "new",
            _cells(line.now.entries),
        )
        for line in told
    ]
    drawn = [(line.category or "No category", line.now.total) for line in told if line.now.total > 0]
    return [
        "<h2>Spending by category</h2>",
        _bars(drawn),
        _table(("Category", "₹", "Before ₹", "Change", "From"), rows),
    ]


def _budget(book: Book, days: Span) -> list[str]:
    found = status(book, days)
    if not found.lines:
        return ["<h2>Budget</h2>", "<p>This book has no budgets.</p>"]
    serious = {line.category.name for line in alerts(found.lines)}
    rows = [
        (line.category.name, rupees(line.budget), rupees(line.spent), rupees(line.left), _state(line, serious))
        for line in found.lines
    ]
    rows.append(("All budgets", rupees(found.budget), rupees(found.spent), rupees(found.left), ""))
    return ["<h2>Budget</h2>", _table(("Category", "Budget ₹", "Spent ₹", "Left ₹", "State"), rows)]


def _state(line: BudgetLine, serious: set[str]) -> str:
    words = "over budget" if line.left < 0 else "close to it" if line.category.name in serious else "within"
    return f"{words} · {line.category.cell}"


def _bills(book: Book, today: date) -> list[str]:
    bills = standing_bills(recurring_bills(book), today)
    if not bills:
        return []
    rows = [
        (
            bill.description.capitalize(),
            rupees(bill.amount),
            rupees(bill.yearly),
            f"every {bill.rhythm.every}",
            day_text(bill.next_due, today),
            bill.entries[-1].amount_cell,
        )
        for bill in bills
    ]
    return ["<h2>Bills that come back</h2>", _table(("Bill", "₹", "A year ₹", "How often", "Next", "From"), rows)]


def _by_day(book: Book, month: date, until: date) -> list[str]:
    days = [(day, amount) for day, amount in by_day(book, month) if day <= until]
    most = max((amount for _, amount in days), default=_ZERO)
    if most <= 0:
        return []
    bars = []
    for number, (day, amount) in enumerate(days):
        height = round(float(max(amount, _ZERO) / most) * 120, 1)
        title = f"{day_text(day, day)}: {rupees(amount)}"
        bars.append(
            f'<rect x="{number * 26 + 2}" y="{140 - height}" width="20" height="{height}" rx="2" fill="var(--bar)">'
            f"<title>{title}</title></rect>"
            f'<text x="{number * 26 + 12}" y="156" text-anchor="middle">{day.day}</text>'
        )
    label = f"Spending by day, at most {rupees(most)}"
    size = f"0 0 {len(days) * 26 + 4} 162"
    return ["<h2>Day by day</h2>", f'<svg viewBox="{size}" role="img" aria-label="{label}">{"".join(bars)}</svg>']


def _bars(parts: Sequence[tuple[str, Decimal]]) -> str:
    most = max((amount for _, amount in parts), default=_ZERO)
    if most <= 0:
        return ""
    drawn = []
    for number, (name, amount) in enumerate(parts):
        width = round(float(amount / most) * 460, 1)
        top = number * 26
        drawn.append(
            f'<text x="190" y="{top + 16}" text-anchor="end">{escape(name[:28])}</text>'
            f'<rect x="200" y="{top + 4}" width="{width}" height="16" rx="3" fill="var(--bar)"/>'
            f'<text x="{206 + width}" y="{top + 16}">{short_rupees(amount)}</text>'
        )
    size = f"0 0 760 {len(parts) * 26 + 4}"
    return f'<svg viewBox="{size}" role="img" aria-label="Spending by category">{"".join(drawn)}</svg>'


def _entries(book: Book, first: date, until: date, today: date) -> list[str]:
    rows = [
        (
            day_text(entry.date, today),
            entry.description.capitalize(),
            entry.category or "",
            MODE_NAMES[entry.mode],
            rupees(entry.amount if entry.direction == "CREDIT" else -entry.amount, sign=True),
            entry.amount_cell,
        )
        for entry in sorted(book.entries, key=lambda entry: entry.date)
        if first <= entry.date <= until
    ]
    head = ("Date", "Description", "Category", "Mode", "₹", "Cell")
    return ["<h2>Entries</h2>", _table(head, rows) if rows else "<p>None.</p>"]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    right = {number for number, name in enumerate(head) if "₹" in name or name == "Change"}

    def cells(texts: Sequence[str], tag: str) -> str:
        marked = (f"<{tag}{' class=n' if n in right else ''}>{escape(text)}</{tag}>" for n, text in enumerate(texts))
        return f"<tr>{''.join(marked)}</tr>"

    return (
        f"<table><thead>{cells(head, 'th')}</thead><tbody>{''.join(cells(row, 'td') for row in rows)}</tbody></table>"
    )


def _cells(entries: Sequence[Entry]) -> str:
    named = ", ".join(entry.amount_cell for entry in entries[:CELLS_NAMED])
    return f"{named} and {len(entries) - CELLS_NAMED} more" if len(entries) > CELLS_NAMED else named


def _days(first: date, until: date, today: date) -> str:
    return f"{day_text(first, today)} to {day_text(until, today)}"
