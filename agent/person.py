"""What a person set about themselves: their name, how bold advice is to be, what they want to put aside.

Kept beside the conversations, in the preferences; the book knows nothing of it.
"""

from datetime import date
from decimal import Decimal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from agent.store import Store
from ledger.budget import DEFAULT_PROFILE, Profile
from ledger.goal import Goal

_KEY = "person"
NAME_LENGTH = 60


class PersonRefused(ValueError):
    """Something that cannot be set; the message says what and why."""


class Person(BaseModel):
    """Who uses this workbench. `Person()` is who nothing is known of."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(default="", max_length=NAME_LENGTH)
    """stands in the history of the book and under answers given to reviews; empty: “chat” and “ledger page”"""
    profile: Profile = DEFAULT_PROFILE
    goal_amount: Decimal | None = Field(default=None, gt=0, le=Decimal(10) ** 12, max_digits=15, decimal_places=2)
    """what is put aside: so much a month, or by `goal_by` in all"""
    goal_by: date | None = None
    goal_since: date | None = None
    """the day the goal was set"""

    @field_validator("name")
    @classmethod
    def _one_line(cls, value: str) -> str:
        return " ".join(value.split())

    @model_validator(mode="after")
    def _goal_is_ahead(self) -> "Person":
        if self.goal_by is not None and (self.goal_amount is None or self.goal_since is None):
            raise ValueError("a day for the savings goal needs its amount")
        if self.goal_by is not None and self.goal_since is not None and self.goal_by <= self.goal_since:
            raise ValueError("the day of the savings goal has to lie ahead")
        return self

    def signed(self, place: str) -> str:
        """Who stands in the history of a book: `Asha · chat`, or the place alone."""
        return f"{self.name} · {place}" if self.name else place

    @property
    def goal(self) -> Goal | None:
        """The savings goal; None without one."""
        return Goal(self.goal_amount, self.goal_by, self.goal_since) if self.goal_amount else None

    def put_aside(self, today: date) -> Decimal:
        """What the goal keeps of a month, in rupees."""
        return self.goal.a_month(today) if self.goal else Decimal(0)


NOBODY = Person()
"""nothing is set"""


def person_of(**fields: object) -> Person:
    """A person with these fields. Raises PersonRefused with a sentence for one that cannot be set."""
    try:
        return Person.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        named = {"name": "The name", "goal_amount": "The savings goal"}.get(str((first["loc"] or ("",))[0]), "")
        message = str(first["msg"]).removeprefix("Value error, ")
        sentence = f"{named}: {message}" if named else message
        raise PersonRefused(f"{sentence[0].upper()}{sentence[1:]}.") from error


def kept_person(store: Store) -> Person:
    """The person as last saved. What was kept by another version and cannot be read any more counts as not set."""
    kept = store.preference(_KEY)
    try:
        return Person.model_validate_json(kept) if kept else NOBODY
    except ValidationError:
        return NOBODY


def keep_person(store: Store, person: Person) -> None:
    """Keep it until it is changed."""
    store.prefer(_KEY, person.model_dump_json())
