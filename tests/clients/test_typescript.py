"""The TypeScript client: its types are those of the document, it compiles strictly, and its own tests pass."""

import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask import Flask

from app.container import Container
from app.domain.events import EventName
from app.domain.webhooks import new_secret
from app.services.webhooks.signing import DeliveryLabel, Secrets, headers
from app.settings import Settings
from tests.beginnings import Who, make
from tests.browser.site import Site
from tests.conftest import PHOTO, Api, work
from tests.journeys.test_receivers import IN_CI, node

ROOT = Path(__file__).parents[2]
CLIENT = ROOT / "clients" / "typescript"
PACKAGES = CLIENT / "node_modules"
EXAMPLE = re.compile(r"```ts\n(.*?)```", re.DOTALL)
EXAMPLE_URL = '"https://brightlist.example"'


@pytest.fixture(autouse=True)
def _tools() -> None:
    """What `make setup` brings: without a network it could not, but in CI it must be there."""
    if not node() or not (PACKAGES / "typescript").is_dir():
        assert not IN_CI, "no Node, or no packages of the TypeScript client"
        pytest.skip("no Node, or no packages of the TypeScript client: make setup")


@pytest.fixture
def site() -> Iterator[Site]:
    """A web server in this process."""
    with Site().running() as site:
        yield site


@pytest.fixture
def settings(settings: Settings, site: Site, redis_url: str) -> Settings:
    """Upload URLs lead to that server; requests are counted, up to a limit that is soon reached."""
    limits = {"redis_url": redis_url, "rate_limit_reads": 100}
    return settings.model_copy(update={"base_url": site.url, **limits})


@pytest.fixture
def served(app: Flask, container: Container, site: Site) -> Iterator[Site]:
    """The application at its address, with a worker."""
    site.app = app
    ended = threading.Event()

    def work_on() -> None:
        while not ended.wait(0.05):
            work(container)

    worker = threading.Thread(target=work_on)
    worker.start()
    try:
        yield site
    finally:
        ended.set()
        worker.join()


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package as it is built, with its tests and the examples of its README; that all is typed right is checked
    in the same go.
    """
    package = tmp_path_factory.mktemp("brightlist")
    for name in ("src", "test", "package.json", "tsconfig.json"):
        (shutil.copytree if (CLIENT / name).is_dir() else shutil.copy)(CLIENT / name, package / name)
    (package / "node_modules").symlink_to(PACKAGES)
    examples = package / "src" / "examples"
    examples.mkdir()
    (package / "test" / "types.ts").rename(examples / "types.ts")
    program = "".join(read_examples()).replace(EXAMPLE_URL, "process.env.BRIGHTLIST_URL!")
    (examples / "readme.ts").write_text(program)
    run("node_modules/typescript/bin/tsc", cwd=package)
    return package


def run(script: str, *arguments: str, cwd: Path, **environ: str) -> str:
    """What the script says; it must succeed."""
    command = [node() or "", script, *arguments]
    own = {"NODE_NO_WARNINGS": "1", **environ}
    done = subprocess.run(
        command, cwd=cwd, env=os.environ | own, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def read_examples() -> list[str]:
    return EXAMPLE.findall((CLIENT / "README.md").read_text())


def test_the_types_are_those_of_the_document(api: Api, tmp_path: Path) -> None:
    (tmp_path / "openapi.json").write_text(api.get("/openapi.json").text)
    run("generate.mjs", str(tmp_path / "openapi.json"), str(tmp_path / "api.ts"), cwd=CLIENT)
    generated = (tmp_path / "api.ts").read_text()
    told = "the API has changed: run .venv/bin/python -m tests.clients.regenerate_typescript"
    assert generated == (CLIENT / "src" / "api.ts").read_text(), told


@pytest.mark.long
def test_the_package_does_what_its_own_tests_say(
    served: Site, app: Flask, container: Container, api: Api, package: Path, tmp_path: Path
) -> None:
    for name in ("a.jpg", "b.JPG", "c.jpg", "notes.txt"):
        (tmp_path / name).write_bytes(PHOTO)
    (tmp_path / "folder.jpg").mkdir()
    (tmp_path / "signed.json").write_text(json.dumps(sign_deliveries()))
    keys = {
        "BRIGHTLIST_API_KEY": api.secret,
        "POOR_KEY": make(app, container, Who("poor@example.com", "0")).secret,
        "BUSY_KEY": make(app, container, Who("busy@example.com")).secret,
    }
    files = {"PHOTOS": str(tmp_path), "SIGNED": str(tmp_path / "signed.json")}
    tests = [f"test/{path.name}" for path in sorted((CLIENT / "test").glob("*.test.mjs"))]
    assert len(tests) == 3
    run("--test", *tests, cwd=package, BRIGHTLIST_URL=served.url, **keys, **files)


@pytest.mark.long
def test_the_examples_of_the_readme_and_of_the_documentation_work(
    served: Site, api: Api, package: Path, tmp_path: Path
) -> None:
    for name in ("photos", "pictures"):
        (tmp_path / name).mkdir()
    (tmp_path / "photos" / "room.jpg").write_bytes(PHOTO)
    program = str(package / "dist" / "examples" / "readme.js")
    said = run(program, cwd=tmp_path, BRIGHTLIST_URL=served.url, BRIGHTLIST_API_KEY=api.secret)
    assert "is approved" in said
    assert "It costs 1.5 of 99.5 credits." in said
    assert f"not_found {served.url}/docs/errors/not_found req_" in said
    assert len(list((tmp_path / "pictures").iterdir())) == 1
    assert read_examples()[0] == (ROOT / "docs" / "clients" / "order.ts").read_text()
    shown = api.client.get("/docs/clients.md").text
    assert read_examples()[0].replace("https://brightlist.example", served.url) in shown


def sign_deliveries() -> dict[str, object]:
    """A delivery with the secret that signed it, another secret, and a delivery while one replaces the other."""
    secret, other = new_secret(), new_secret()
    data = {"jobId": "job_1", "address": "Rua São João 1, Köln 🏡"}
    body = json.dumps({"event": EventName.JOB_CREATED, "data": data}, ensure_ascii=False)
    label = DeliveryLabel(
        "dlv_1", "evt_1", EventName.JOB_CREATED, attempt=1, by_hand=False, sent_at=datetime.now(UTC)
    )

    def sign(*standard: str) -> dict[str, object]:
        return {"body": body, "headers": headers(label, body.encode(), Secrets(secret, standard))}

    return {**sign(secret), "secret": secret, "other": other, "rotating": sign(secret, other)}
