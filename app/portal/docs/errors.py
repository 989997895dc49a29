"""The codes of all errors that the API answers, from the classes in app/domain/errors.py. Each code has a page."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from app.domain.errors import InvalidRequest
from app.web.error_examples import EXAMPLES, SAMPLE_REQUEST
from app.web.errors import STATUS, describe
from app.web.fault_messages import MESSAGES
from app.web.json_text import format_json


@dataclass(frozen=True, slots=True)
class ErrorCase:
    """One meaning of a code. `wait_seconds`: the usual Retry-After, if there is one."""

    status: int
    phrase: str
    meaning: str
    advice: str
    example: str
    wait_seconds: int | None


@dataclass(frozen=True, slots=True)
class ErrorReference:
    """A code with all its meanings. `field_faults`: what may be wrong with a field, in CommonMark."""

    code: str
    cases: Sequence[ErrorCase]
    field_faults: Sequence[str] = ()

    @property
    def statuses(self) -> str:
        """The HTTP statuses with which the code is answered."""
        return " or ".join(dict.fromkeys(str(case.status) for case in self.cases))


def list_errors() -> Mapping[str, ErrorReference]:
    """Every code by its name, in the order of the statuses."""
    kinds = [kind for kind in STATUS if kind.for_programs]
    found: dict[str, list[ErrorCase]] = {}
    for kind in sorted(kinds, key=lambda each: STATUS[each]):
        example = EXAMPLES[kind]
        found.setdefault(kind.code, []).append(
            ErrorCase(
                status=STATUS[kind],
                phrase=kind.error,
                meaning=kind.meaning(),
                advice=kind.advice(),
                example=format_json(describe(example) | {"requestId": SAMPLE_REQUEST}),
                wait_seconds=example.retry_after_seconds,
            )
        )
    return {
        code: ErrorReference(code, cases, list_field_faults() if code == InvalidRequest.code else ())
        for code, cases in found.items()
    }


@cache
def list_field_faults() -> Sequence[str]:
    """Every message about a single field once, with the names of its parameters in italics."""
    messages = (message.replace("{hint}", "") for message in MESSAGES.values())
    told = (message for message in messages if not re.fullmatch(r"\{\w+\}\.?", message))
    return [
        re.sub(r"\{(\w+)\}", lambda name: f"*{name[1].replace('_', ' ')}*", text) for text in dict.fromkeys(told)
    ]
