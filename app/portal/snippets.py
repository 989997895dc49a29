"""Code that customers copy: programs that order or receive webhooks, a signed delivery."""

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from app.domain.events import SAMPLE_EVENT, EventName, encode, payload, sample_facts
from app.domain.lifecycle import Status
from app.domain.webhooks import SIGNING_PREFIX
from app.services.webhooks.signing import DeliveryLabel, Secrets, headers

PROGRAMS = Path(__file__).parents[2] / "docs" / "keys"
RECEIVERS = Path(__file__).parents[2] / "docs" / "receivers"
CLIENTS = Path(__file__).parents[2] / "docs" / "clients"
UPLOADS = Path(__file__).parents[2] / "docs" / "uploads"
_ADDRESS = "https://brightlist.example"
_LANGUAGES = {"receiver.py": "Python", "receiver.mjs": "Node", "receiver.php": "PHP"}
_UPLOAD_LANGUAGES = {"server.py": "Python", "token.mjs": "Node", "page.html": "HTML"}
_PROGRAMS = (
    # Language, file, how it is started, and how it reads the key from the environment.
    ("curl", "order.sh", "bash order.sh", "${BRIGHTLIST_API_KEY:?Put your API key here}"),
    ("Python", "order.py", "python3 order.py", 'os.environ["BRIGHTLIST_API_KEY"]'),
    ("Node", "order.mjs", "node order.mjs", "process.env.BRIGHTLIST_API_KEY"),
    ("PHP", "order.php", "php order.php", 'getenv("BRIGHTLIST_API_KEY")'),
    ("Ruby", "order.rb", "ruby order.rb", 'ENV.fetch("BRIGHTLIST_API_KEY")'),
)
KEY_PLACE = "ims_key_that_is_filled_in_last"
"""The placeholder for a key in code and pages; fill_in_key() replaces it."""
_SENT_AT = datetime(2026, 11, 20, 14, 3, 27, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ProgramExample:
    """A program that places an order; the tests run it exactly as shown. `command` starts it."""

    language: str
    file_name: str
    command: str
    code: str


@dataclass(frozen=True, slots=True)
class Receiver:
    """A small program that receives webhooks: shown to customers, and run by the tests."""

    language: str
    file_name: str
    code: str


@dataclass(frozen=True, slots=True)
class SampleDelivery:
    """A delivery with the secret that signed it."""

    secret: str
    headers: Mapping[str, str]
    body: str


def write_programs(base_url: str, *, with_key: bool = False) -> list[ProgramExample]:
    """Write the example programs for the service at `base_url`. With `with_key` they contain the key, as KEY_PLACE
    until fill_in_key(), and run as pasted; otherwise each reads it from the environment variable
    BRIGHTLIST_API_KEY.
    """
    programs = []
    for language, file_name, command, key in _PROGRAMS:
        code = _read(file_name).replace(_ADDRESS, base_url.rstrip("/"))
        if with_key:
            code = code.replace(key, f'"{KEY_PLACE}"')
        programs.append(ProgramExample(language, file_name, command, code))
    return programs


def fill_in_key(page: str, secret: str) -> str:
    """The finished page with the secret in all places of the key. It is filled in last, so that nothing that is
    cached has it.

    A key is letters, digits and underscores: it needs no escaping in any language, nor in HTML.
    """
    return page.replace(KEY_PLACE, secret)


def write_client_program(file_name: str, base_url: str) -> str:
    """Write a program that uses one of our clients, for the service at `base_url`."""
    return (CLIENTS / file_name).read_text().replace(_ADDRESS, base_url.rstrip("/"))


def write_upload_examples(base_url: str) -> list[ProgramExample]:
    """Write the example of a site whose visitors upload to the service at `base_url`."""
    return [
        ProgramExample(language, file_name, "", (UPLOADS / file_name).read_text().replace(_ADDRESS, base_url))
        for file_name, language in _UPLOAD_LANGUAGES.items()
    ]


@cache
def list_receivers() -> list[Receiver]:
    """Read the example receivers, one for each language."""
    return [Receiver(name, file, (RECEIVERS / file).read_text()) for file, name in _LANGUAGES.items()]


@cache
def sample_delivery() -> SampleDelivery:
    """Sign an example delivery, always the same one, for testing a signature check."""
    secret = SIGNING_PREFIX + b64encode(b"an example, of exactly 32 bytes.").decode()
    job = sample_facts("acc_3Tz8FhUe5SgIw1Pr7BnCxM", Status.APPROVED)
    body = encode(payload(EventName.JOB_APPROVED, job, _SENT_AT))
    names = ("dlv_5Kd0TqYm8RfWn3ZbVc6HxS", SAMPLE_EVENT, EventName.JOB_APPROVED)
    label = DeliveryLabel(*names, attempt=1, by_hand=False, sent_at=_SENT_AT)
    return SampleDelivery(secret, headers(label, body.encode(), Secrets(secret, [secret])), body)


@cache
def _read(file_name: str) -> str:
    return (PROGRAMS / file_name).read_text()
