"""Programs that place a whole order, to copy: the same in each language, for this very service."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

PROGRAMS = Path(__file__).parents[2] / "docs" / "keys"
VARIABLE = "BRIGHTLIST_API_KEY"
_ADDRESS = "https://brightlist.example"


@dataclass(frozen=True, slots=True)
class Program:
    """A program, run by the tests as it is shown; `command` starts it, `needs` says what it cannot do without."""

    language: str
    file_name: str
    command: str
    code: str


_PROGRAMS = (
    # Language, file, how it is started, and how it reads the key from the environment.
    ("curl", "order.sh", "bash order.sh", "${BRIGHTLIST_API_KEY:?Put your API key here}"),
    ("Python", "order.py", "python3 order.py", 'os.environ["BRIGHTLIST_API_KEY"]'),
    ("Node", "order.mjs", "node order.mjs", "process.env.BRIGHTLIST_API_KEY"),
)


def programs(base_url: str, secret: str | None = None) -> list[Program]:
    """One for each language, for the service at this address; with the secret in it, it works as pasted.

    Without, each reads the key from the environment variable BRIGHTLIST_API_KEY.
    """
    made = []
    for language, file_name, command, key in _PROGRAMS:
        code = _text(file_name).replace(_ADDRESS, base_url.rstrip("/"))
        if secret is not None:
            # A key is letters, digits and underscores: it needs no escaping in any language.
            code = code.replace(key, f'"{secret}"')
        made.append(Program(language, file_name, command, code))
    return made


@cache
def _text(file_name: str) -> str:
    return (PROGRAMS / file_name).read_text()
