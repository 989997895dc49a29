"""Reads and writes the query strings of the lists. Invalid values are never refused."""

from enum import StrEnum
from typing import TypeVar

from flask import request

from app.services.orders.order_list import plain

_Choice = TypeVar("_Choice", bound=StrEnum)


def read_text(name: str = "q") -> str:
    """Read the typed text, as one short line without characters that cannot be shown."""
    return plain(request.args.get(name, ""))


def read_choice(name: str, among: type[_Choice], default: _Choice) -> _Choice:
    """Read a choice; the default where it is missing or unknown."""
    given = request.args.get(name, "")
    return among(given) if given in list(among) else default


def build_query(**values: str) -> dict[str, str]:
    """Build the query of a URL; empty values are left out."""
    return {name: str(value) for name, value in values.items() if value}
