"""What the documentation says of the upload element is what the script does."""

import importlib
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from flask import Flask

from app.portal.snippets import write_upload_examples
from app.settings import Settings
from tests.journeys.test_receivers import node

SOURCES = Path(__file__).parents[3] / "static" / "js" / "embed"
CALL = """
import { makeToken } from "./token.mjs";
const asked = [];
globalThis.fetch = async (url, { headers, body }) => {
  asked.push({ url, key: headers.Authorization, ...JSON.parse(body) });
  return Response.json({ token: "ims_client_x", uploadSessionId: `ups_${asked.length}` });
};
const session = {};
const given = [];
for (const uploadSessionId of [null, "ups_1", "ups_of_another"]) {
  given.push(await makeToken({ uploadSessionId }, session));
}
console.log(JSON.stringify({ asked, given }));
"""


@pytest.fixture
def page(app: Flask) -> BeautifulSoup:
    """The page about the element."""
    return BeautifulSoup(app.test_client().get("/docs/upload-element").text, "html.parser")


def test_the_examples_stand_there_as_they_are_run(page: BeautifulSoup, settings: Settings) -> None:
    shown = [each.code.text.strip() for each in page.select("pre.program")]
    assert shown == [each.code.strip() for each in write_upload_examples(settings.base_url)]


def test_every_attribute_event_and_property_of_the_element_is_named(page: BeautifulSoup) -> None:
    source = "".join(path.read_text() for path in SOURCES.glob("*.js"))
    read = {*re.findall(r'(?:get|has)Attribute\("([\w-]+)"\)', source)}
    told = {name for cell in page.select("table th[scope=row]") for name in cell.text.split(", ")}
    assert len(read) > 6
    assert read <= told
    assert {f"brightlist-{each}" for each in re.findall(r'#emit\("(\w+)"', source)} <= told
    colors = re.findall(r'^  "?([\w-]+)"?: "#', source, re.MULTILINE)
    assert len(colors) == 10
    assert [each for each in colors if f"-{each}" not in page.text] == []


def test_the_example_in_node_goes_on_with_the_visitors_session_alone(tmp_path: Path, settings: Settings) -> None:
    program = node()
    if program is None:
        pytest.skip("no node")
    (example,) = (each for each in write_upload_examples(settings.base_url) if each.language == "Node")
    (tmp_path / "token.mjs").write_text(example.code)
    (tmp_path / "call.mjs").write_text(CALL)
    environ = {"BRIGHTLIST_API_KEY": "ims_live_x", "HOME": str(tmp_path)}
    done = subprocess.run([program, "call.mjs"], cwd=tmp_path, env=environ, capture_output=True, check=True)
    found = json.loads(done.stdout)
    assert [each["uploadSessionId"] for each in found["asked"]] == [None, "ups_1", None]
    assert {each["url"] for each in found["asked"]} == {f"{settings.base_url}/api/v1/client-tokens"}
    assert {each["key"] for each in found["asked"]} == {"Bearer ims_live_x"}
    assert found["given"] == [{"token": "ims_client_x"}] * 3


def test_the_example_in_python_orders_nothing_but_the_visitors_photos(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setenv("BRIGHTLIST_API_KEY", "ims_live_x")
    monkeypatch.setenv("SECRET_KEY", "k" * 32)
    (example,) = (each for each in write_upload_examples(settings.base_url) if each.language == "Python")
    (tmp_path / "example_of_a_site.py").write_text(example.code)
    monkeypatch.syspath_prepend(tmp_path)
    program = importlib.import_module("example_of_a_site")
    ordered: list[dict[str, Any]] = []

    def order(_: str, body: dict[str, Any]) -> dict[str, str]:
        ordered.append(body)
        return {"jobId": "job_1"}

    monkeypatch.setattr(program, "call", order)
    visitor = program.app.test_client()
    with visitor.session_transaction() as kept:
        kept["uploads"] = "ups_1"
    files = {"uploadSessionId": "ups_1", "interiorFiles": [{"filePath": "uploads/ups_1/interior-0"}]}
    staged = [{"photoType": "interior", "photoIndex": 0, "enhancements": ["virtual_staging"]}]
    form = {"photos": json.dumps({**files, "photoConfigs": staged}), "address": "12 Garden Lane"}
    assert visitor.post("/orders", data=form).status_code == 200
    (placed,) = ordered
    assert {name: placed[name] for name in files} == files
    assert "photoConfigs" not in placed
    stranger = {**form, "photos": json.dumps({**files, "uploadSessionId": "ups_2"})}
    assert visitor.post("/orders", data=stranger).status_code == 403
