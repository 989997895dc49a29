"""What a command works with: the client with its key, the user's own files, what it prints."""

import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
import requests

from brightlist.client import KEY_VARIABLE, URL_VARIABLE, Brightlist
from brightlist.errors import NotConfigured


@dataclass
class Surroundings:
    """The world outside a command; tests bring their own."""

    folder: Path = field(default_factory=lambda: Path(click.get_app_dir("brightlist")))
    """Where the key is kept."""
    make_session: Callable[[], requests.Session] = requests.Session
    sleep: Callable[[float], None] = time.sleep

    @property
    def credentials_file(self) -> Path:
        """The file with the key and the URL of the service."""
        return self.folder / "credentials.json"

    def read_credentials(self) -> dict[str, str]:
        """`url` and `key`, as far as they are known: variables win over the file."""
        kept: dict[str, str] = {}
        if self.credentials_file.exists():
            kept = json.loads(self.credentials_file.read_text())
        given = {"url": os.environ.get(URL_VARIABLE), "key": os.environ.get(KEY_VARIABLE)}
        return kept | {name: value for name, value in given.items() if value}

    def connect(self) -> Brightlist:
        """The client. Raises NotConfigured where nobody signed in."""
        found = self.read_credentials()
        if not found.get("key") or not found.get("url"):
            raise NotConfigured(f"Sign in with `brightlist login`, or set {URL_VARIABLE} and {KEY_VARIABLE}.")
        return self.connect_with(found["url"], found["key"])

    def connect_with(self, url: str, key: str) -> Brightlist:
        """The client with this key."""
        return Brightlist(key, url, sleep=self.sleep, make_session=self.make_session)


JSON = "brightlist.json"
"""The key of what a command knows of itself: whether it was asked for JSON, also where it fails."""
pass_surroundings = click.make_pass_decorator(Surroundings, ensure=True)


def complete_url(text: str) -> str:
    """A URL as people say it: without a scheme it is https, on this machine http."""
    if "://" in text:
        return text
    host = urlsplit(f"//{text}").hostname or ""
    return f"{'http' if host == 'localhost' or host.startswith('127.') else 'https'}://{text}"


def _note_json(ctx: click.Context, _option: click.Parameter, wanted: bool) -> bool:
    ctx.meta[JSON] = wanted
    return wanted


json_option = click.option("--json", "as_json", is_flag=True, callback=_note_json, help="Print JSON for programs.")


def show_progress(label: str, length: int) -> AbstractContextManager[Any]:
    """A progress bar, where people look at it but programs do not."""
    return click.progressbar(length=length, label=label, file=sys.stderr)


def print_json(content: Any) -> None:
    """For programs."""
    click.echo(json.dumps(content, indent=1))


def print_table(rows: Iterable[Iterable[object]]) -> None:
    """For people: columns as wide as they must be."""
    texts = [[str(each) for each in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for row in texts:
        click.echo("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())


def count(number: float, noun: str) -> str:
    """The number with its noun: 1 credit, 1.5 credits."""
    return f"{number:g} {noun}{'' if number == 1 else 's'}"
