"""The programs of the key pages and of the documentation, run as they stand there, against the running service."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests
from bs4 import BeautifulSoup

from tests import scenes
from tests.journeys.service import ASK_SECONDS, ROOT, Service
from tests.journeys.test_receivers import IN_CI, node
from tests.waiting import ORDER_SECONDS, PATIENCE_SECONDS

EMAIL, PASSWORD = "script@example.com", "correct horse battery"
STARTED = {
    "order.sh": lambda: "bash",
    "order.py": lambda: sys.executable,
    "order.mjs": node,
    "order.php": lambda: shutil.which("php"),
    "order.rb": lambda: shutil.which("ruby"),
}


def page(browser: requests.Session, service: Service, path: str) -> BeautifulSoup:
    answer = browser.get(service.url + path, timeout=ASK_SECONDS)
    assert answer.status_code == 200, answer.text
    return BeautifulSoup(answer.text, "html5lib")


def send(browser: requests.Session, service: Service, path: str, **fields: object) -> BeautifulSoup:
    """Send a form with the token that this browser has."""
    token = page(browser, service, path).select_one("[name=csrf_token]")["value"]
    action = {"/keys/new": "/keys"}.get(path, path)
    answer = browser.post(service.url + action, {**fields, "csrf_token": token}, timeout=ASK_SECONDS)
    assert answer.status_code == 200, answer.text
    return BeautifulSoup(answer.text, "html5lib")


def run_all(programs: Mapping[str, str], folder: Path, **environ: str) -> None:
    """Run the code of each file, all at once: most of their time is spent in waiting for the order."""
    with ThreadPoolExecutor(len(programs)) as pool:
        runs = [pool.submit(run, code, name, folder / name, **environ) for name, code in programs.items()]
    missing = [name for name, made in zip(programs, runs, strict=True) if not made.result()]
    assert not (IN_CI and missing), f"no way to run {missing} on this machine"
    if missing:
        pytest.skip(f"no way to run {missing} on this machine")


def run(code: str, file_name: str, folder: Path, **environ: str) -> bool:
    """Save the program beside a photo and start it, as its page says; False where nothing can run it."""
    program = STARTED[file_name]()
    if program is None:
        return False
    folder.mkdir()
    (folder / file_name).write_text(code)
    (folder / "room.jpg").write_bytes(scenes.encoded(scenes.room(320, 214)))
    own = {name: value for name, value in os.environ.items() if name != "BRIGHTLIST_API_KEY"}
    done = subprocess.run(
        [program, file_name],
        cwd=folder,
        env={**own, "PYTHONPATH": str(ROOT), **environ},
        capture_output=True,
        text=True,
        timeout=ORDER_SECONDS,
        check=False,
    )
    assert done.returncode == 0, f"{file_name}: {done.stdout}{done.stderr}"
    assert re.search(r"job_\w{22} is approved", done.stdout)
    better = (folder / "room-better.jpg").read_bytes()
    assert better.startswith(b"\xff\xd8\xff")
    assert better != (folder / "room.jpg").read_bytes()
    return True


def documented(service: Service) -> dict[str, str]:
    """The code of each program of the documentation."""
    docs = page(requests.Session(), service, "/docs/programs")
    languages = ("curl", "python", "node", "php", "ruby")
    return {
        name: docs.select_one(f"#program-{each} pre").text for name, each in zip(STARTED, languages, strict=True)
    }


def test_the_programs_of_the_documentation_work_with_a_key_in_the_environment(
    service: Service, tmp_path: Path
) -> None:
    key = service.client().session.headers["Authorization"].removeprefix("Bearer ")
    run_all(documented(service), tmp_path, BRIGHTLIST_API_KEY=key)


def test_the_programs_beside_a_new_key_have_it_in_them_and_work_as_pasted(service: Service, tmp_path: Path) -> None:
    service.flask("accounts", "create", EMAIL, "--credits", "10", "--password", PASSWORD)
    browser = requests.Session()
    send(browser, service, "/sign-in", email=EMAIL, password=PASSWORD)
    scopes = ["orders:write", "jobs:read", "credits:read"]
    made = send(browser, service, "/keys/new", name="Script", scopes=scopes, lifetime="30")
    first_call = ["bash", "-c", made.select_one("#first-call").text]
    first = subprocess.run(first_call, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True)
    assert '"credits":10' in first.stdout
    programs = {name: made.select_one(f"#program-{name.replace('.', '-')}").text for name in STARTED}
    key = made.select_one("#secret").text
    for name, code in documented(service).items():
        pasted = programs[name].strip().splitlines()
        ((plain, own),) = [
            both for both in zip(code.strip().splitlines(), pasted, strict=True) if both[0] != both[1]
        ]
        assert "BRIGHTLIST_API_KEY" in plain, name
        assert f'"{key}"' in own, name
    run_all({"order.sh": programs["order.sh"]}, tmp_path)
    listed = page(browser, service, "/keys").select_one("tbody tr").text
    assert re.search(r"(127\.0\.0\.1|::1)", listed), "the use of the key is seen, with its address"
