"""Every example in the README of the Python client runs as it stands."""

import re
import shlex
import time
from pathlib import Path
from typing import Any

import pytest
from brightlist import Brightlist, webhooks

from app.domain.webhooks import new_secret
from tests import receivers
from tests.architecture.source import ROOT
from tests.clients.conftest import Pauses, Shell
from tests.conftest import Api
from tests.fakes import photo

DOCS = ROOT / "docs" / "clients"
README = (ROOT / "clients" / "python" / "README.md").read_text()
PYTHON = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
SHELL = [line for block in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) for line in block.splitlines()]
COMMANDS = [shlex.split(line)[1:] for line in SHELL if line.startswith("brightlist ")]


@pytest.fixture
def photos(tmp_path: Path, shell: Shell) -> Path:
    """The folder that the examples have, in the one they run in."""
    folder = tmp_path / "photos"
    folder.mkdir()
    (folder / "living.jpg").write_bytes(photo("living"))
    return folder


def run(example: str, client: Brightlist) -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(example.replace('Brightlist(base_url="https://brightlist.example")', "client"), {"client": client}, names)
    return names


def test_it_is_read_in_two_minutes() -> None:
    assert len(README.splitlines()) <= 90
    assert (len(PYTHON), len(COMMANDS)) == (3, 6)


def test_the_documentation_has_the_same_examples() -> None:
    assert (DOCS / "order.py").read_text() == PYTHON[0]
    assert {*(DOCS / "folder.sh").read_text().splitlines()} <= {*SHELL}


def test_the_first_order_and_the_errors(
    client: Brightlist, photos: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = run(PYTHON[0] + PYTHON[1], client)
    said = capsys.readouterr().out.splitlines()
    assert said[0] == f"{names['order'].job_id} is approved"
    assert (photos.parent / "pictures" / "living.jpg").read_bytes() == photo("living")
    assert said[-1].startswith("not_found http://localhost/docs/errors/not_found ")


def test_the_receiver(client: Brightlist, capsys: pytest.CaptureFixture[str]) -> None:
    secret = new_secret()
    scope: dict[str, Any] = {}
    exec(PYTHON[2].replace("whsec_…", secret), scope)
    body = b'{"event": "job.approved", "timestamp": "2026-11-20T14:03:27.512Z", "livemode": true, "data": {}}'
    sent = webhooks.sign(body, secret, event="job.approved", event_id="evt_1", delivery_id="dlv_1", now=time.time())
    assert scope["receive"](body, sent) == 204
    assert capsys.readouterr().out.startswith("evt_1 job.approved ")
    assert scope["receive"](body + b" ", sent) == 401


def test_every_command(shell: Shell, photos: Path, api: Api, pauses: Pauses) -> None:
    typed = {"login": f"{api.secret}\n", "enhance": "y\n"}
    with receivers.running(receivers.answering(204)) as receiver:
        for words in COMMANDS:
            if words[0] == "mcp":
                continue  # it serves a program: test_brightlist_mcp.py
            if words[0] == "listen":
                pauses.meanwhile = stop
            here = [receiver.url if "localhost:3000" in word else word for word in words]
            done = shell.run(*here, typed=typed.get(words[0]))
            assert done.exit_code == (1 if words[0] == "listen" else 0), done.output
        assert len(receiver.requests) == 1
    assert (photos.parent / "pictures" / "living.jpg").exists()


def stop() -> None:
    raise KeyboardInterrupt
