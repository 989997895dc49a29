"""What the address of a list says is wanted, made plain: whatever stands there gives a page."""

from enum import StrEnum
from typing import TypeVar

from flask import request

from app.services.order_list import plain

_Choice = TypeVar("_Choice", bound=StrEnum)


def text(name: str = "q") -> str:
    """What was typed, as one short line without anything that cannot be shown."""
    return plain(request.args.get(name, ""))


def choice(name: str, among: type[_Choice], default: _Choice) -> _Choice:
    """What was chosen; the default where that is none of these."""
    given = request.args.get(name, "")
    return among(given) if given in list(among) else default


def given(**values: str) -> dict[str, str]:
    """The part of an address that says so; what says nothing is left out."""
    return {name: str(value) for name, value in values.items() if value}
