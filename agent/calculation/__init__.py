"""Calculations asked for in words or signs, each with its working: arithmetic, loans, savings, growth."""

from agent.calculation.asked import Calculation, NotGiven, asks_to_calculate, calculation_of
from agent.calculation.expression import CalculationRefused, Unit, Worked, is_calculation, work_out

__all__ = [
    "Calculation",
    "CalculationRefused",
    "NotGiven",
    "Unit",
    "Worked",
    "asks_to_calculate",
    "calculation_of",
    "is_calculation",
    "work_out",
]
