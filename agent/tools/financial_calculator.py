"""The tool `financial_calculator`: a calculation as figures, each with its working; a loan as a table."""

from decimal import ROUND_HALF_UP, Decimal, localcontext

from agent.calculation import Calculation, NotGiven
from agent.calculation.asked import yearly
from agent.calculation.expression import DIGITS, amount_text
from agent.calculation.finance import Result
from agent.evidence import Wording, calculated, told
from agent.state import Findings
from agent.turn import Chart, Source
from money import grouped, rupees
from money.over_time import Instalment

NAME = "financial_calculator"
SIGNIFICANT = 10
"""digits a plain number is shown with"""
MONTHS_SHOWN = 24
"""a longer loan is shown year by year"""
_CENT = Decimal("0.01")


def financial_calculator(asked: Calculation | NotGiven, words: str) -> Findings:
    """What a calculation came to, said with its working."""
    if isinstance(asked, NotGiven):
        return Findings(NAME, words, told(asked.why), trace=(f"{NAME}: {asked.why}",))
    wording = Wording()
    first, *others = asked.results
    text = _first(asked, first, wording)
    text += "".join(f"\n- {_figure(each, wording)} {each.label}" for each in others)
    charts = (_schedule(asked.schedule, first.working),) if asked.schedule else ()
    return Findings(
        NAME,
        words,
        wording.saying(text),
        charts=charts,
        trace=tuple(f"{NAME}: {each.label or 'result'} = {each.working}" for each in asked.results),
    )


def _first(asked: Calculation, result: Result, wording: Wording) -> str:
    shown = _figure(result, wording)
    working = wording.quote(result.working)
    if asked.title:
        return f"{asked.title}: {shown} {result.label}. Worked out as {working}."
    text = f"{working} = {shown}"
    if asked.is_ratio and Decimal("0.0001") <= abs(result.value) < 1:
        source = calculated(f"({result.working}) × 100")
        percentage = (result.value * 100).quantize(_CENT, ROUND_HALF_UP)
        text += f", which is {wording.figure(f'{_digits(percentage)}%', percentage, source)}"
    return f"{text}."


def _figure(result: Result, wording: Wording) -> str:
    source: Source = calculated(result.working)
    if result.unit == "rupees":
        return wording.money(result.value, source)
    text = _digits(result.value) + ("%" if result.unit == "percent" else "")
    return wording.figure(text, result.value, source)


def _digits(value: Decimal) -> str:
    """At most ten significant digits, without zeros that say nothing: `0.1055900621`, `−12.5`, `1,355`."""
    if value.adjusted() >= DIGITS:
        mantissa, _, exponent = f"{value:.{SIGNIFICANT - 1}e}".partition("e")
        return f"{mantissa.replace('-', '−')} × 10^{int(exponent)}"
    with localcontext(prec=max(DIGITS, value.adjusted() + 2)):
        if value == value.to_integral_value():
            return amount_text(value.to_integral_value())
        places = max(0, SIGNIFICANT - 1 - value.adjusted())
        return amount_text(value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP).normalize())


def _schedule(rows: tuple[Instalment, ...], working: str) -> Chart:
    """Interest and principal of each month, or of each year of a long loan, as bars and as a table."""
    if len(rows) <= MONTHS_SHOWN:
        unit = "Month"
        lines = [(row.month, row.interest, row.principal, row.owed) for row in rows]
    else:
        unit = "Year"
        lines = list(yearly(rows))
    names = [str(line[0]) for line in lines]
    figure = {
        "data": [
            _bars("Principal", names, [line[2] for line in lines]),
            _bars("Interest", names, [line[1] for line in lines]),
        ],
        "layout": {"barmode": "stack", "xaxis": {"title": {"text": unit}}, "showlegend": True},
    }
    table = tuple(
        (name, grouped(interest), grouped(principal), grouped(owed))
        for name, (_, interest, principal, owed) in zip(names, lines, strict=True)
    )
    columns = (unit, "Interest ₹", "Principal ₹", "Still owed ₹")
    return Chart("Loan schedule", figure, columns, table, f"Worked out as {working}, each instalment rounded to paise.")


def _bars(name: str, x: list[str], values: list[Decimal]) -> dict[str, object]:
    texts = [rupees(value.quantize(_CENT)) for value in values]
    return {
        "type": "bar",
        "name": name,
        "x": x,
        # a chart's lengths are drawn by the browser, which knows floats only
        "y": [float(value) for value in values],
        "customdata": texts,
        "hovertemplate": "%{x}: %{customdata}<extra>" + name + "</extra>",
    }
