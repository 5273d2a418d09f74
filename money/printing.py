"""How money is written: ₹1,23,456.50, grouped the Indian way, a minus before the ₹."""

from decimal import ROUND_HALF_UP, Context, Decimal

_MINUS = "\N{MINUS SIGN}"
_WIDE = Context(prec=60, rounding=ROUND_HALF_UP)
_SHORT = ((Decimal(10**7), "Cr"), (Decimal(10**5), "L"), (Decimal(10**3), "K"))


def grouped(value: Decimal) -> str:
    """Two decimals and Indian groups, without the ₹, as a table's cell shows it: `1,23,456.50`."""
    return _signed(value, 2, mark="", sign=False)


def rupees(value: Decimal, *, sign: bool = False) -> str:
    """As sentences, cards and balances write it: `₹1,23,456.50`, `−₹500.00`; with `sign`, `+₹500.00` too."""
    return _signed(value, 2, mark="₹", sign=sign)


def whole_rupees(value: Decimal, *, sign: bool = False) -> str:
    """Rounded to the rupee, as tiles write it: `₹1,23,457`."""
    return _signed(value, 0, mark="₹", sign=sign)


def short_rupees(value: Decimal) -> str:
    """Three digits at most, for chart labels: `₹72K`, `₹7.2L`, `₹1.25Cr`."""
    size = abs(value)
    for scale, name in reversed(_SHORT):
        digits = _rounded(size / scale, _places(size / scale))
        if digits < 1:
            break
        if digits < 100 or name == "Cr":
            return f"{_MINUS if value < 0 else ''}₹{_trimmed(digits)}{name}"
    return whole_rupees(value)


def percent(value: Decimal, *, sign: bool = False) -> str:
    """A rate given in percent, one decimal: `25.0%`; with `sign`, `+25.0%` too."""
    return f"{_signed(value, 1, mark='', sign=sign)}%"


def _signed(value: Decimal, places: int, *, mark: str, sign: bool) -> str:
    number = _rounded(value, places)
    before = _MINUS if number < 0 else "+" if sign and number > 0 else ""
    return f"{before}{mark}{_indian(abs(number))}"


def _rounded(value: Decimal, places: int) -> Decimal:
    return _WIDE.quantize(value, Decimal(1).scaleb(-places))


def _places(value: Decimal) -> int:
    return 2 if value < 10 else 1 if value < 100 else 0


def _trimmed(value: Decimal) -> str:
    text = _indian(value)
    return text.rstrip("0").rstrip(".") if "." in text else text


def _indian(value: Decimal) -> str:
    whole, dot, fraction = f"{value:f}".partition(".")
    head, tail = whole[:-3], whole[-3:]
    groups = [head[max(end - 2, 0) : end] for end in range(len(head), 0, -2)]
    return ",".join((*reversed(groups), tail)) + dot + fraction
