"""The calls in each language send what the document's example says: every one is run, or at least parsed."""

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from app.web.calls import write_calls
from tests.conftest import Api
from tests.journeys.test_receivers import node

SECRETS = {"API_KEY": "ims_live_x", "CLIENT_TOKEN": "ims_client_x"}
LANGUAGES = ("curl", "Python", "Node", "PHP", "Go")
RECORD = """
import { readdirSync, writeFileSync } from "node:fs";
const sent = {};
for (const name of readdirSync(".").filter((each) => each.startsWith("call-")).sort()) {
  globalThis.fetch = async (url, { method, headers, body }) => {
    const form = body instanceof FormData && [...body.entries()].map(([key, value]) => [key, value.name ?? value]);
    sent[name] = { url, method, headers, body: form ? Object.fromEntries(form) : body && JSON.parse(body) };
    return { ok: true, json: async () => ({}) };
  };
  await import(`./${name}`);
}
writeFileSync("sent.json", JSON.stringify(sent));
"""
PARSE = (
    "foreach (glob('call-*.php') as $name) { token_get_all(file_get_contents($name), TOKEN_PARSE); echo $name; }"
)


@pytest.fixture
def calls(api: Api) -> dict[str, tuple[str, str, dict, dict[str, str]]]:
    """Method, path, operation and the code in each language, by the operation's name."""
    paths = api.get("/openapi.json").json["paths"]
    found = {}
    for path, item in paths.items():
        for method, operation in item.items():
            written = write_calls(f"https://host{path}", method.upper(), operation)
            code = {each.language: each.code for each in written}
            assert tuple(code) == LANGUAGES
            found[operation["operationId"]] = (method.upper(), path, operation, code)
    return found


def example(operation: dict) -> Any:
    """The documented body; of a form its text fields with the one file that every program sends."""
    for media_type, content in operation.get("requestBody", {}).get("content", {}).items():
        found = content["example"]
        is_form = media_type == "multipart/form-data"
        return {**found, f"{found['serviceType']}Photo0": "front.jpg"} if is_form else found
    return None


def is_repeatable(operation: dict) -> bool:
    return any(each["in"] == "header" for each in operation.get("parameters", ()))


def secret_for(operation: dict) -> str:
    """What authenticates the call."""
    return SECRETS["CLIENT_TOKEN" if operation.get("security") else "API_KEY"]


def test_the_programs_in_python_send_the_example(
    calls: dict, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for variable, secret in SECRETS.items():
        monkeypatch.setenv(variable, secret)
    monkeypatch.chdir(tmp_path)
    Path("front.jpg").write_bytes(b"x")
    for name, (method, _, operation, code) in calls.items():
        sent: dict[str, Any] = {}

        def record(url: str, verb: str, sent: dict = sent, **options: Any) -> Any:
            sent.update(options, url=url, method=verb)
            return SimpleNamespace(raise_for_status=lambda: None, json=dict)

        requests = ModuleType("requests")
        for verb in ("get", "post", "put", "patch", "delete"):
            setattr(requests, verb, lambda url, verb=verb, **options: record(url, verb.upper(), **options))
        monkeypatch.setitem(sys.modules, "requests", requests)
        exec(compile(code["Python"], name, "exec"), {})
        files = {key: Path(file.name).name for key, file in sent.get("files", {}).items()}
        body = {**sent["data"], **files} if "data" in sent else sent.get("json")
        assert (sent["method"], body) == (method, example(operation)), name
        assert sent["url"].startswith("https://host/")
        assert "{" not in sent["url"]
        assert sent["headers"]["Authorization"] == f"Bearer {secret_for(operation)}"
        assert ("Idempotency-Key" in sent["headers"]) is is_repeatable(operation)


def test_the_programs_in_node_send_the_example(calls: dict, tmp_path: Path) -> None:
    for name, (*_, code) in calls.items():
        (tmp_path / f"call-{name}.mjs").write_text(code["Node"])
    (tmp_path / "front.jpg").write_bytes(b"x")
    (tmp_path / "record.mjs").write_text(RECORD)
    run([node() or "", "record.mjs"], tmp_path)
    sent = json.loads((tmp_path / "sent.json").read_text())
    for name, (method, _, operation, _) in calls.items():
        found = sent[f"call-{name}.mjs"]
        assert (found["method"], found.get("body")) == (method, example(operation)), name
        assert found["headers"]["Authorization"] == f"Bearer {secret_for(operation)}"
        assert ("Idempotency-Key" in found["headers"]) is is_repeatable(operation)


@pytest.mark.skipif(not shutil.which("php"), reason="PHP is not there")
def test_the_programs_in_php_can_be_parsed(calls: dict, tmp_path: Path) -> None:
    for name, (*_, code) in calls.items():
        (tmp_path / f"call-{name}.php").write_text(code["PHP"])
    assert run(["php", "-r", PARSE], tmp_path).count("call-") == len(calls)


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("go"), reason="Go is not there")
def test_the_programs_in_go_can_be_compiled(calls: dict, tmp_path: Path) -> None:
    for name, (*_, code) in calls.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "main.go").write_text(code["Go"])
    (tmp_path / "go.mod").write_text("module calls\n\ngo 1.24\n")
    run(["go", "vet", "./..."], tmp_path)


def run(command: list[str], folder: Path) -> str:
    environ = {**os.environ, **SECRETS, "HOME": str(folder)}
    done = subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_curl_names_the_method_where_it_would_send_another(calls: dict) -> None:
    for name, (method, _, operation, code) in calls.items():
        words = shlex.split(code["curl"].replace("\\\n", " "))
        sends = "POST" if "requestBody" in operation else "GET"
        assert (words[words.index("-X") + 1] if "-X" in words else sends) == method, name


def test_what_an_example_contains_cannot_end_its_string(tmp_path: Path) -> None:
    evil = "'); \"); ` ${x} $x \\ 1 O'Hara\nJSON;"
    content = {"application/json": {"example": {"address": evil, "yes": True, "no": None}}}
    operation = {"responses": {"200": {}}, "requestBody": {"content": content}}
    code = {each.language: each.code for each in write_calls("https://host/x", "POST", operation)}
    (tmp_path / "call-x.mjs").write_text(code["Node"])
    (tmp_path / "record.mjs").write_text(RECORD)
    run([node() or "", "record.mjs"], tmp_path)
    sent = json.loads((tmp_path / "sent.json").read_text())["call-x.mjs"]["body"]
    assert sent == {"address": evil, "yes": True, "no": None}
    assert '"yes": True' in code["Python"]
    assert '"no": None' in code["Python"]
    compile(code["Python"], "x", "exec")
    assert "\nJSON;" not in code["PHP"]
    assert "NewReader(`" not in code["Go"]


def test_a_key_that_is_filled_in_stands_where_the_variable_was_and_nothing_else_changes(calls: dict) -> None:
    for method, path, operation, plain in calls.values():
        for each in write_calls(f"https://host{path}", method, operation):
            filled = each.fill_in("ims_test_x")
            if operation.get("security"):
                assert filled == each.code, "it is called with a client token and no key"
                continue
            assert filled.count("ims_test_x") == 1, filled
            assert "API_KEY" not in filled, filled
            lines, before = filled.splitlines(), plain[each.language].splitlines()
            gone = [line for line in before if line not in lines and "API_KEY" not in line]
            assert {line.strip() for line in gone} <= {"import os", '"os"'}
            assert len(lines) >= len(before) - 2
            if each.language == "Go":
                assert ('\t"os"' in lines) is ("os." in filled)
            if each.language == "Python":
                assert ("import os" in lines) is ("os." in filled)
                compile(filled, "call.py", "exec")
            assert each.fill_in(None) == each.code
