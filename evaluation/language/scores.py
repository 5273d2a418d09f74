"""The figures of a measurement: shares with a 95 % interval, and the macro-F1 of a classification."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

_Z = 1.959964
"""the standard normal's 97.5 % point"""


@dataclass(frozen=True)
class Share:
    """How many of how many, with the Wilson score interval at 95 %."""

    right: int
    of: int

    @property
    def value(self) -> float:
        """The share, 0 to 1; 0 of nothing."""
        return self.right / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share of all such texts lies with 95 % confidence."""
        if not self.of:
            return 0.0, 1.0
        n, p = self.of, self.value
        middle = (p + _Z**2 / (2 * n)) / (1 + _Z**2 / n)
        reach = _Z * sqrt(p * (1 - p) / n + _Z**2 / (4 * n**2)) / (1 + _Z**2 / n)
        return max(middle - reach, 0.0), min(middle + reach, 1.0)


@dataclass(frozen=True)
class F1:
    """Precision, recall and F1 of one label."""

    label: str
    n: int
    precision: float
    recall: float

    @property
    def value(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def f1_by_label(wanted: Sequence[str], got: Sequence[str]) -> tuple[F1, ...]:
    """F1 of each label that was wanted, in alphabetical order."""
    return tuple(_f1(label, wanted, got) for label in sorted(set(wanted)))


def macro_f1(scores: Sequence[F1]) -> float:
    """The mean of the labels' F1: a rare label counts as much as a frequent one."""
    return sum(score.value for score in scores) / len(scores) if scores else 0.0


def _f1(label: str, wanted: Sequence[str], got: Sequence[str]) -> F1:
    both = sum(want == label == have for want, have in zip(wanted, got, strict=True))
    n, named = wanted.count(label), got.count(label)
    return F1(label, n, both / named if named else 0.0, both / n)
