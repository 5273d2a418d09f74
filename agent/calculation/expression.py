"""A calculation as text, worked out in Decimal: `(17.8 − 16.1) / 16.1`, `18% of 2,500`, `2 lakh × 1.08 ^ 5`.

    text ─tokens► numbers, operators ─parse► a tree ─work out► its value and unit

Only numbers, the four operations, powers, factorials, percentages and the named functions below exist: no names, no
attributes, no code. Size, depth, powers and factorials are bounded, so that the worst text is refused in milliseconds.
Whatever is refused raises CalculationRefused with what is wrong and where.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal, DecimalException, localcontext
from typing import Literal, NamedTuple

from money import grouped

Unit = Literal["number", "rupees", "percent"]

LONGEST = 2000
"""characters"""
DEEPEST = 60
"""brackets and signs within one another"""
LARGEST_EXPONENT = 1000
LARGEST_FACTORIAL = 200
MAGNITUDE = 400
"""digits a value may have before its point"""
DIGITS = 34
_ONE, _HUNDRED = Decimal(1), Decimal(100)


class CalculationRefused(ValueError):
    """The text is no calculation, or one that cannot be worked out; the message says why."""


@dataclass(frozen=True)
class Worked:
    """A value with its unit, and the calculation as it was understood."""

    value: Decimal
    """of a percentage: in percent, so 18 % is 18"""
    unit: Unit
    working: str
    """`(17.8 − 16.1) ÷ 16.1`"""
    is_ratio: bool = False
    """the last step divided one plain number by another"""


class _Token(NamedTuple):
    kind: Literal["number", "name", "sign", "end"]
    text: str
    at: int


@dataclass(frozen=True)
class _Node:
    value: Decimal
    unit: Unit
    shown: str
    binds: int
    """how tightly its outermost operation holds: brackets go round what holds less"""
    divided: bool = False


_SCALE = r"(?:crores?|cr|lakhs?|lacs?|thousand|millions?|mn|billions?|bn|k)"


def _token_pattern(digits: str) -> re.Pattern[str]:
    number = rf"(?:₹|rs\.?|inr)?\s*(?:{digits}(?:\.\d+)?|\.\d+)\s*{_SCALE}?(?![a-z0-9])"
    return re.compile(rf"\s*(?:(?P<number>{number})|(?P<name>[a-z_]+)|(?P<sign>\*\*|[-+*/^()!%,×÷−·]))", re.IGNORECASE)


_TOKEN = _token_pattern(r"\d[\d,]*")
_ARGUMENT = _token_pattern(r"\d+")
"""within the brackets of a function a comma parts its arguments"""
_NUMBER = re.compile(r"(?P<rupees>₹|rs\.?|inr)?\s*(?P<digits>[\d,.]+)\s*(?P<scale>[a-z]*)", re.IGNORECASE)
_GROUPS = re.compile(r"\d+|\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})*,\d{3}|")
_SCALES = {
    "k": 3, "thousand": 3, "lakh": 5, "lakhs": 5, "lac": 5, "lacs": 5, "million": 6, "millions": 6, "mn": 6,
    "cr": 7, "crore": 7, "crores": 7, "billion": 9, "billions": 9, "bn": 9,
}  # fmt: skip
_SAME_SIGN = {"**": "^", "×": "*", "·": "*", "÷": "/", "−": "-"}
_BINDS = {"+": 10, "-": 10, "*": 20, "/": 20, "of": 20, "^": 40}
_WRITTEN = {"+": "+", "-": "−", "*": "×", "/": "÷", "^": "^", "of": "of"}
_UNARY, _POSTFIX, _WHOLE = 30, 50, 60


def work_out(text: str) -> Worked:
    """The value of a calculation. Raises CalculationRefused."""
    if len(text) > LONGEST:
        raise CalculationRefused(f"This is too long to work out: {len(text)} characters, at most {LONGEST}.")
    reader = _Reader(_tokens(text))
    try:
        with localcontext(prec=DIGITS, Emax=10**6, Emin=-(10**6)):
            node = reader.whole()
    except ZeroDivisionError as error:
        raise CalculationRefused("It divides by 0, which has no result.") from error
    except DecimalException as error:
        raise CalculationRefused("The result is too large or too small to be written.") from error
    return Worked(node.value, node.unit, node.shown, node.divided)


def is_calculation(text: str) -> bool:
    """Whether a text is a calculation as it stands: made of numbers and signs, with something to work out."""
    try:
        tokens = _tokens(text)
    except CalculationRefused:
        return False
    signs = {token.text for token in tokens if token.kind == "sign"} - {",", "(", ")", "%"}
    names = {token.text for token in tokens if token.kind == "name"}
    return bool(signs or names) and names <= {*FUNCTIONS, "of"} and any(t.kind == "number" for t in tokens)


def _tokens(text: str) -> tuple[_Token, ...]:
    if len(text) > LONGEST:
        raise CalculationRefused(f"This is too long to work out: {len(text)} characters, at most {LONGEST}.")
    tokens: list[_Token] = []
    brackets: list[bool] = []
    at = 0
    end = len(text.rstrip())
    while at < end:
        found = (_ARGUMENT if any(brackets) else _TOKEN).match(text, at)
        if found is None:
            stray = text[at:].lstrip()[:12]
            raise CalculationRefused(f"I cannot read “{stray}” in a calculation.")
        kind = found.lastgroup
        word = found[kind or 0].strip()
        if kind == "number":
            tokens.append(_Token("number", word, found.start()))
        elif kind == "name":
            name = word.casefold()
            tokens.append(_Token("sign", "*", found.start()) if name == "x" else _Token("name", name, found.start()))
        else:
            if word == "(":
                brackets.append(bool(tokens) and tokens[-1].kind == "name" and tokens[-1].text != "of")
            elif word == ")" and brackets:
                brackets.pop()
            tokens.append(_Token("sign", _SAME_SIGN.get(word, word), found.start()))
        at = found.end()
    return (*tokens, _Token("end", "", end))


class _Reader:
    """Precedence climbing over the tokens; each node is worked out as soon as it is whole."""

    def __init__(self, tokens: tuple[_Token, ...]) -> None:
        self._tokens = tokens
        self._next = 0
        self._depth = 0

    def whole(self) -> _Node:
        node = self._expression(0)
        if self._seen().kind != "end":
            raise CalculationRefused(f"I cannot read “{self._seen().text}” after {node.shown}.")
        return node

    def _expression(self, least: int) -> _Node:
        self._depth += 1
        if self._depth > DEEPEST:
            raise CalculationRefused(f"Its brackets are nested more than {DEEPEST} deep.")
        left = self._postfixed(self._operand())
        while (binds := _BINDS.get(self._seen().text, 0)) > least and self._seen().kind != "number":
            sign = self._take().text
            # a power groups to the right: 2^3^2 is 2^9
            right = self._expression(binds - 1 if sign == "^" else binds)
            left = self._postfixed(_joined(left, sign, right, binds))
        self._depth -= 1
        return left

    def _operand(self) -> _Node:
        token = self._take()
        if token.kind == "number":
            return _number(token.text)
        if token.text in ("-", "+"):
            inner = self._expression(_UNARY)
            if token.text == "+":
                return inner
            return _Node(-inner.value, inner.unit, f"−{_bracketed(inner, _UNARY)}", _UNARY)
        if token.text == "(":
            inner = self._expression(0)
            self._expect(")")
            return inner if inner.binds >= _WHOLE else _Node(inner.value, inner.unit, inner.shown, inner.binds)
        if token.kind == "name":
            return self._function(token.text)
        if token.kind == "end":
            raise CalculationRefused("The calculation stops before it is whole.")
        raise CalculationRefused(f"A number has to stand where “{token.text}” is.")

    def _postfixed(self, node: _Node) -> _Node:
        while True:
            sign = self._seen().text
            if sign == "%":
                self._take()
                node = _Node(node.value, "percent", f"{_bracketed(node, _POSTFIX)}%", _POSTFIX)
            elif sign == "!":
                self._take()
                node = _Node(_factorial(node.value), node.unit, f"{_bracketed(node, _POSTFIX)}!", _POSTFIX)
            else:
                return node

    def _function(self, name: str) -> _Node:
        function = FUNCTIONS.get(name)
        if function is None:
            raise CalculationRefused(f"I do not know “{name}”. I know {', '.join(sorted(FUNCTIONS))}.")
        self._expect("(")
        arguments = [self._expression(0)]
        while self._seen().text == ",":
            self._take()
            arguments.append(self._expression(0))
        self._expect(")")
        value = function([_plain(each) for each in arguments])
        unit: Unit = "rupees" if any(each.unit == "rupees" for each in arguments) else "number"
        return _Node(value, unit, f"{name}({', '.join(each.shown for each in arguments)})", _WHOLE)

    def _seen(self) -> _Token:
        return self._tokens[self._next]

    def _take(self) -> _Token:
        token = self._tokens[self._next]
        if token.kind != "end":
            self._next += 1
        return token

    def _expect(self, sign: str) -> None:
        if self._take().text != sign:
            raise CalculationRefused(f"A “{sign}” is missing.")


def _number(text: str) -> _Node:
    found = _NUMBER.fullmatch(text)
    digits = found["digits"] if found else ""
    whole, _, fraction = digits.partition(".")
    if found is None or not _GROUPS.fullmatch(whole) or "," in fraction:
        raise CalculationRefused(f"I cannot read the number “{text}”: its commas stand in no usual place.")
    value = Decimal(digits.replace(",", "")).scaleb(_SCALES.get(found["scale"].casefold(), 0))
    unit: Unit = "rupees" if found["rupees"] else "number"
    return _Node(value, unit, amount_text(value, unit), _WHOLE)


def amount_text(value: Decimal, unit: Unit = "number") -> str:
    """A number as a person writes it, as exact as it is: `₹1,00,000`, `0.10559`, `−12.5`."""
    plain = f"{abs(value):f}"
    whole, _, fraction = plain.partition(".")
    text = grouped(Decimal(whole)).partition(".")[0] + (f".{fraction}" if fraction.strip("0") else "")
    return ("−" if value < 0 else "") + ("₹" if unit == "rupees" else "") + text


def _joined(left: _Node, sign: str, right: _Node, binds: int) -> _Node:
    first = _bracketed(left, binds + (sign == "^"))
    second = _bracketed(right, binds + (sign in ("-", "/")))
    shown = f"{first} {_WRITTEN[sign]} {second}" if sign != "^" else f"{first}^{second}"
    value, unit = _operation(left, sign, right)
    if value and value.adjusted() > MAGNITUDE:
        raise CalculationRefused("The result is too large to be written.")
    divided = sign == "/" and left.unit == right.unit
    return _Node(value, unit, shown, binds, divided)


def _operation(left: _Node, sign: str, right: _Node) -> tuple[Decimal, Unit]:
    if sign in ("+", "-") and right.unit == "percent" and left.unit != "percent":
        # as on every pocket calculator: 1,000 + 18% is 1,180
        part = left.value * right.value / _HUNDRED
        return (left.value + part if sign == "+" else left.value - part), left.unit
    if sign in ("+", "-") and left.unit == right.unit == "percent":
        return (left.value + right.value if sign == "+" else left.value - right.value), "percent"
    first, second = _plain(left), _plain(right)
    money = "rupees" in (left.unit, right.unit)
    match sign:
        case "+":
            return first + second, "rupees" if money else "number"
        case "-":
            return first - second, "rupees" if money else "number"
        case "/":
            if not second:
                raise CalculationRefused("It divides by 0, which has no result.")
            return first / second, "rupees" if left.unit == "rupees" and right.unit != "rupees" else "number"
        case "^":
            return _power(first, second), left.unit if left.unit != "percent" else "number"
        case _:
            return first * second, "rupees" if money else "number"


def _plain(node: _Node) -> Decimal:
    return node.value / _HUNDRED if node.unit == "percent" else node.value


def _power(base: Decimal, exponent: Decimal) -> Decimal:
    if abs(exponent) > LARGEST_EXPONENT:
        raise CalculationRefused(f"The exponent is too large: at most {LARGEST_EXPONENT:,}.")
    if not base and exponent <= 0:
        raise CalculationRefused("0 to a power of 0 or less has no result.")
    if base < 0 and exponent != exponent.to_integral_value():
        raise CalculationRefused("A negative number has no such root.")
    if base and exponent * abs(base).log10() > MAGNITUDE:
        raise CalculationRefused("The result is too large to be written.")
    return base**exponent


def _factorial(value: Decimal) -> Decimal:
    if value < 0 or value != value.to_integral_value() or value > LARGEST_FACTORIAL:
        raise CalculationRefused(f"A factorial is of a whole number from 0 to {LARGEST_FACTORIAL}.")
    result = _ONE
    for factor in range(2, int(value) + 1):
        result *= factor
    return result


def _bracketed(node: _Node, binds: int) -> str:
    return f"({node.shown})" if node.binds < binds else node.shown


def _single(name: str, function: Callable[[Decimal], Decimal]) -> Callable[[list[Decimal]], Decimal]:
    def worked(values: list[Decimal]) -> Decimal:
        if len(values) != 1:
            raise CalculationRefused(f"{name} takes one number.")
        return function(values[0])

    return worked


def _root(value: Decimal) -> Decimal:
    if value < 0:
        raise CalculationRefused("A negative number has no square root.")
    return value.sqrt()


def _rounded(values: list[Decimal]) -> Decimal:
    if len(values) not in (1, 2) or (len(values) == 2 and values[1] not in range(13)):
        raise CalculationRefused("round takes a number and how many decimals, 0 to 12.")
    places = int(values[1]) if len(values) == 2 else 0
    return values[0].quantize(_ONE.scaleb(-places))


FUNCTIONS: dict[str, Callable[[list[Decimal]], Decimal]] = {
    "sqrt": _single("sqrt", _root),
    "abs": _single("abs", abs),
    "round": _rounded,
    "sum": lambda values: sum(values, Decimal(0)),
    "min": min,
    "max": max,
    "average": lambda values: sum(values, Decimal(0)) / len(values),
}
"""what may stand before brackets in a calculation"""
