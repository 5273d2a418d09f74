"""What the Ledger says of a month in figures: the tiles, the Budget view and the charts."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import pandas as pd
import streamlit as st

from agent import Chart
from frame import charts
from frame.escape import literal
from frame.look import HEADER_HEIGHT, cell_text, entries_words, row, tile
from frame.sidebar import days_left_words
from ledger import overview
from ledger.browse import Figures, Listed, figures, matching
from ledger.browse import Filter as Wanted
from ledger.budget import BudgetLine, BudgetStatus
from ledger.entries import Book
from ledger.queries import Span, ignored_issues, stopping_issues
from ledger.spending import spent_by_category
from money import day_text, days_text, grouped, month_span, percent, rupees, short_rupees, whole_rupees

UNKNOWN = "Unknown"
CATEGORIES_SHOWN = 12
SHORT_FROM = Decimal(10**7)
ROW_PIXELS = 34


def show_tiles(
    rows: Sequence[Listed],
    all_rows: Sequence[Listed],
    book: Book,
    *,
    wanted: Wanted,
    status: BudgetStatus | None,
    today: date,
) -> None:
    """In, out, net, and what is left of the budget: of the entries that are looked at."""
    month = wanted.month
    span = Span(*month_span(month), "") if month else None
    stopped = stopping_issues(book, span, wanted.modes)
    now = figures(row.entry for row in rows)
    if aside := ignored_issues(book, span, wanted.modes):
        they = "1 cell that you ignore is" if aside == 1 else f"{aside} cells that you ignore are"
        st.caption(f"{they} left out of these figures. See Issues.")
    with st.grid(4, min_column_width=150):
        if stopped:
            for label in ("Money in", "Money out", "Net"):
                tile(label, UNKNOWN, "see Issues")
        else:
            tile("Money in", whole_rupees(now.money_in), entries_words(now.entries_in))
            _show_out(now, all_rows, wanted, today)
            closing = f"closing {_fitting(overview.closing(book, month))}"
            moved = f"{_fitting(now.moved)} moved · " if now.moved else ""
            tile("Net", whole_rupees(now.net), f"{moved}{closing}")
        left = overview.month_left(status, today) if status else None
        if month is None or status is None:
            tile("On hand", whole_rupees(overview.closing(book, None)), "now")
        elif left is None:
            tile("Left of budget", "None set", "see Budget")
        elif stopping_issues(book, span):
            tile("Left of budget", UNKNOWN, "see Issues")
        else:
            days = f" · {days_left_words(left.days_left)}" if left.days_left is not None else ""
            tile("Left of budget", whole_rupees(left.left), f"{left.percent}%{days}")


def _show_out(now: Figures, all_rows: Sequence[Listed], wanted: Wanted, today: date) -> None:
    """Money out with its change on the same days of the month before."""
    month = wanted.month
    change = None
    if month is not None and not wanted.narrows and not wanted.places:
        first, last = overview.days_before(month, today)
        before = [row for row in matching(all_rows, Wanted(month=first)) if row.entry.date <= last]
        change = overview.more_percent(now.money_out, figures(row.entry for row in before).money_out)
    if change is None or month is None:
        refunds = f" − {now.refunds} refund{'s' if now.refunds > 1 else ''}" if now.refunds else ""
        tile("Money out", whole_rupees(now.money_out), f"{entries_words(now.entries_out)}{refunds}")
    elif percent(change) == percent(Decimal(0)):
        tile("Money out", whole_rupees(now.money_out), f"as in {overview.days_before(month, today)[0]:%b}")
    else:
        tile(
            "Money out",
            whole_rupees(now.money_out),
            change=percent(change, sign=True),
            change_on=f"on {overview.days_before(month, today)[0]:%b}",
            more_is_worse=True,
        )


def _fitting(amount: Decimal) -> str:
    """An amount for a tile's note: a crore and more in short, to fit a phone."""
    return whole_rupees(amount) if abs(amount) < SHORT_FROM else short_rupees(amount)


def show_budget(status: BudgetStatus | None, month: date | None) -> None:
    """Each category's budget of the month: spent, left, and how it stands in a word."""
    if status is None or month is None:
        st.info("Choose a month: a budget is for one month.")
        return
    if not status.lines:
        with st.container(border=True), st.container(gap=None):
            st.markdown("**No budget is set in this book.**")
            st.caption("Write a monthly amount beside a category on the sheet BUDGET.")
        return
    lines = sorted(status.lines, key=lambda line: -(line.percent or Decimal(0)))
    column = st.column_config
    right = {name: column.TextColumn(alignment="right") for name in ("Budget ₹", "Spent ₹", "Left ₹")}
    st.dataframe(
        pd.DataFrame(
            {
                "Category": [line.category.name for line in lines],
                "Group": [line.category.group.capitalize() for line in lines],
                "Left ₹": [grouped(line.left) for line in lines],
                "Spent of budget": [_share(line) for line in lines],
                "Spent ₹": [grouped(line.spent) for line in lines],
                "Budget ₹": [grouped(line.budget) for line in lines],
                "State": [_standing(line) for line in lines],
            }
        ),
        hide_index=True,
        row_height=ROW_PIXELS,
        height=HEADER_HEIGHT + ROW_PIXELS * len(lines) + 2,
        column_config={
            "Category": column.TextColumn(pinned=True),
            "Spent of budget": column.ProgressColumn(min_value=0, max_value=100, format="%d%%"),
            **right,
        },
        key="ledger-budget",
        alt="; ".join(f"{line.category.name}: {grouped(line.left)} left of {grouped(line.budget)}" for line in lines),
    )
    with st.container(gap="xsmall"):
        left = f"{rupees(abs(status.left))} {'left' if status.left >= 0 else 'over'}"
        row("**All budgets**", f"**{literal(left)}** of {literal(rupees(status.budget))}")
        if status.unplanned.total:
            row(":gray[Spent outside every budget]", f":gray[{literal(rupees(status.unplanned.total))}]")
    st.caption("Budgets are changed on the sheet BUDGET of the book, in Excel.")


def _share(line: BudgetLine) -> float:
    """For the bar, from 0 to 100: a full bar is the whole budget or more."""
    if not line.budget:
        return 100.0 if line.spent > 0 else 0.0
    return float(min(max(line.percent or Decimal(0), Decimal(0)), Decimal(100)))


def _standing(line: BudgetLine) -> str:
    if line.left < 0:
        return "Over"
    if line.spent and not line.left:
        return "Spent"
    return "Nearly spent" if line.level == "warning" else "Unused" if not line.spent else "On track"


def show_charts(book: Book, month: date | None, status: BudgetStatus | None, today: date) -> None:
    """Money in and out by month; of the month its days, its categories, and its budget against what was spent."""
    span = Span(*month_span(month), "") if month else None
    if stopped := stopping_issues(book, span):
        st.warning(f"No chart is drawn over a cell that could not be read: {cell_text(stopped[0].cell)}. See Issues.")
        return
    drawn: list[tuple[str, Chart]] = []
    if months := overview.by_month(book):
        drawn.append(("months", _months_chart(months, today)))
    if month is not None and any(amount for _, amount in overview.by_day(book, month)):
        drawn.append(("days", _days_chart(book, month, today)))
    first, last = month_span(month) if month else (date.min, date.max)
    spent = [(name or "No category", each.total) for name, each in spent_by_category(book, first, last).items()]
    spent = [(name, total) for name, total in spent if total > 0][:CATEGORIES_SHOWN]
    words = days_text(first, last, today) if month else "the whole book"
    if spent:
        drawn.append(("categories", _bars(f"Spending by category, {words}", "Category", spent)))
    if status is not None and status.lines:
        drawn.append(("budget", _budget_chart(status, words)))
    if not drawn:
        st.caption("There is nothing to draw yet.")
        return
    left, right = st.columns(2, gap="medium")
    for place, (name, chart) in enumerate(drawn):
        with (left, right)[place % 2], st.container(border=True, key=f"ledger-chart-{name}"):
            charts.show_chart(chart, f"ledger-{name}")


def _months_chart(months: Sequence[overview.InAndOut], today: date) -> Chart:
    labels = [day_text(each.month, today).partition(" ")[2] for each in months]
    amounts = [amount for each in months for amount in (each.money_in, each.money_out)]
    return Chart(
        "Money in and out by month",
        {
            "data": [
                _upright("Out", labels, [each.money_out for each in months], meta="out"),
                _upright("In", labels, [each.money_in for each in months], meta="in"),
            ],
            "layout": {"barmode": "group", "xaxis": {"type": "category"}, "yaxis": _money_axis(amounts)},
        },
        ("Month", "Out ₹", "In ₹"),
        tuple(
            (label, grouped(each.money_out), grouped(each.money_in)) for label, each in zip(labels, months, strict=True)
        ),
    )


def _days_chart(book: Book, month: date, today: date) -> Chart:
    days = overview.by_day(book, month)
    labels = [day_text(day, today) for day, _ in days]
    return Chart(
        f"Spending by day, {days_text(*month_span(month), today)}",
        {
            "data": [_upright("", labels, [amount for _, amount in days])],
            "layout": {"xaxis": {"type": "category"}, "yaxis": _money_axis([amount for _, amount in days])},
        },
        ("Day", "₹"),
        tuple((label, grouped(amount)) for label, (_, amount) in zip(labels, days, strict=True) if amount),
    )


def _budget_chart(status: BudgetStatus, words: str) -> Chart:
    lines = sorted(status.lines, key=lambda line: -line.spent)[:CATEGORIES_SHOWN]
    names = [line.category.name for line in lines]
    return Chart(
        f"Budget against actual, {words}",
        {
            "data": [
                _lying("Spent", names, [line.spent for line in lines]),
                _lying("Budget", names, [line.budget for line in lines]),
            ],
            "layout": {"barmode": "group"},
        },
        ("Category", "Spent ₹", "Budget ₹"),
        tuple((line.category.name, grouped(line.spent), grouped(line.budget)) for line in lines),
    )


def _bars(title: str, heading: str, parts: Sequence[tuple[str, Decimal]]) -> Chart:
    return Chart(
        title,
        {"data": [_lying("", [name for name, _ in parts], [total for _, total in parts])], "layout": {}},
        (heading, "₹"),
        tuple((name, grouped(total)) for name, total in parts),
    )


def _lying(name: str, labels: Sequence[str], values: Sequence[Decimal]) -> dict[str, Any]:
    return {
        "type": "bar",
        "orientation": "h",
        "name": name,
        "y": list(labels),
        "x": [float(value) for value in values],
        "text": [short_rupees(value) for value in values],
        "customdata": [grouped(value) for value in values],
        "hovertemplate": "%{y}: ₹%{customdata}<extra></extra>",
    }


def _money_axis(amounts: Sequence[Decimal]) -> dict[str, Any]:
    steps = overview.axis_steps(max(amounts, default=Decimal(0)))
    return {
        "rangemode": "tozero",
        "tickvals": [float(step) for step in steps],
        "ticktext": [short_rupees(step) for step in steps],
    }


def _upright(name: str, labels: Sequence[str], values: Sequence[Decimal], meta: str = "") -> dict[str, Any]:
    return {
        "type": "bar",
        "name": name,
        "meta": meta,
        "x": list(labels),
        "y": [float(value) for value in values],
        "customdata": [grouped(value) for value in values],
        "hovertemplate": f"%{{x}}{' ' + name.lower() if name else ''}: ₹%{{customdata}}<extra></extra>",
    }
