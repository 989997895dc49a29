"""/docs: the whole API on pages made from the OpenAPI document, readable by everybody."""

import gzip
import hashlib
import hmac
import json
import re
import shlex
from base64 import b64decode
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from html.parser import HTMLParser
from itertools import pairwise
from weakref import WeakKeyDictionary

import pytest
from flask import Flask
from standardwebhooks import Webhook

from app.domain.events import EventName
from app.portal import safe_html
from app.portal.docs.guides import GUIDES
from app.portal.docs.pages import duration
from app.portal.docs.schema_fields import Shapes, Type
from app.portal.snippets import RECEIVERS, sample_delivery
from app.settings import Settings
from app.web import documents
from app.web.curl import write_curl
from app.web.json_text import format_json
from tests.browser.scales import HEAVIEST, HEAVIEST_REFERENCE
from tests.conftest import Api

VOID = {"meta", "link", "wbr", "br", "img", "input", "hr"}


@dataclass
class Page(HTMLParser):
    """What a browser would make of the page."""

    html: str
    tags: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    texts: list[tuple[tuple[str, ...], str]] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    found: dict[str, list[str]] = field(default_factory=dict)
    """What `inside` found before."""

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.html)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)
            self.texts.append((tuple(self.open), ""))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> closes another element, line {self.getpos()}"

    def handle_data(self, data):
        self.texts.append((tuple(self.open), data))

    @cached_property
    def text(self) -> str:
        """All words, white space made plain."""
        return " ".join("".join(text for _, text in self.texts).split())

    def inside(self, tag: str) -> list[str]:
        """The text of every element of this kind."""
        if tag in self.found:
            return self.found[tag]
        found: list[str] = self.found.setdefault(tag, [])
        for path, text in self.texts:
            if path and path[-1] == tag and text == "":
                found.append("")
            if tag in path:
                found[-1] += text
        return found

    def attributes(self, name: str) -> list[str]:
        return [attributes[name] for _, attributes in self.tags if name in attributes]


Pages = dict[str, Page]
_read: WeakKeyDictionary[Flask, Pages] = WeakKeyDictionary()
"""The pages of each application, which say the same to every test."""


def read(app: Flask, path: str) -> Page:
    """One page."""
    answer = app.test_client().get(path)
    assert (answer.status_code, answer.mimetype) == (200, "text/html"), path
    return Page(answer.text)


@pytest.fixture
def pages(app: Flask) -> Pages:
    """Every page that the contents name, by its path."""
    if app not in _read:
        index = read(app, "/docs")
        paths = [link for link in index.attributes("href") if link.startswith("/docs/") and "#" not in link]
        _read[app] = {"/docs": index} | {path: read(app, path) for path in dict.fromkeys(paths)}
    return _read[app]


@pytest.fixture
def resources(pages: Pages) -> Pages:
    """The pages of resources, by the resource's name."""
    start = "/docs/api/"
    return {path.removeprefix(start): page for path, page in pages.items() if path.startswith(start)}


@pytest.fixture
def document(api: Api) -> dict:
    return api.get("/openapi.json").json


def test_it_stands_in_the_header_of_every_page(app: Flask) -> None:
    assert '<a href="/docs">' in app.test_client().get("/nowhere").text


def operations(document: dict) -> list[tuple[str, str, dict]]:
    return [(method, path, each) for path, item in document["paths"].items() for method, each in item.items()]


def test_the_contents_name_every_guide_and_every_resource_in_order(pages: Pages, document: dict) -> None:
    names = [*(each.name for each in GUIDES), *(f"api/{tag['name']}" for tag in document["tags"])]
    assert [*pages] == ["/docs", *(f"/docs/{name}" for name in names)]
    for path, page in pages.items():
        [here] = [each for tag, each in page.tags if tag == "a" and each.get("aria-current") == "page"][-1:]
        assert here["href"] == path


def test_one_can_read_on_from_the_first_page_to_the_last(pages: Pages) -> None:
    for path, following in pairwise(pages):
        assert [link for link in pages[path].attributes("href") if link.startswith("/docs")][-1] == following
        assert "Next" in pages[path].text


def test_the_index_has_every_operation_in_one_line_that_leads_to_it(pages: Pages, document: dict) -> None:
    index = pages["/docs"]
    for method, path, operation in operations(document):
        assert f"{method.upper()} {path} {operation['summary']}" in index.text
        assert f"/docs/api/{operation['tags'][0]}#{operation['operationId']}" in index.attributes("href")
        assert operation["operationId"] in index.attributes("id")


def test_every_operation_is_on_the_page_of_its_resource_with_all_that_the_document_says(
    resources: Pages, document: dict
) -> None:
    for method, path, operation in operations(document):
        page = resources[operation["tags"][0]]
        assert operation["operationId"] in page.attributes("id")
        assert f"{method.upper()} {path}" in page.text
        assert operation["summary"] in page.inside("h2")
        assert all(each["name"] in page.inside("code") for each in operation.get("parameters", ()))
        status = operation_status(operation)
        assert {*operation["responses"]} <= {*page.inside("th"), status}
        content = operation["responses"][status]["content"]["application/json"]
        assert format_json(content["example"]) in page.inside("pre")


def operation_status(operation: dict) -> str:
    return next(status for status in operation["responses"] if status[0] == "2")


def test_every_shape_is_on_the_pages_that_use_it_with_every_field_and_value(pages: Pages, document: dict) -> None:
    for name, schema in document["components"]["schemas"].items():
        on_pages = [page for page in pages.values() if f"shape-{name}" in page.attributes("id")]
        assert on_pages, name
        for page in on_pages:
            values = schema.get("enum") or schema.get("x-extensible-enum", ())
            assert {*schema.get("properties", {}), *values} <= {*page.inside("code")}, name


def test_fields_of_fields_stand_under_their_path(resources: Pages) -> None:
    codes = {*resources["orders"].inside("code")}
    assert {"interiorFiles[].filePath", "renovations.<key>[].changeType", "virtualStaging.<key>.style"} <= codes


def test_limits_and_defaults_are_told(resources: Pages) -> None:
    assert "5 to 300 characters" in resources["orders"].text
    assert "10 to 2,000 characters" in resources["orders"].text
    assert "0 to 50" in resources["uploads"].text
    assert "Default: modern." in resources["orders"].text


def test_every_event_is_there_with_its_meaning_and_a_sample(pages: Pages, document: dict) -> None:
    page = pages["/docs/events"]
    assert {*document["webhooks"]} == {*EventName}
    for name, item in document["webhooks"].items():
        assert name in page.inside("summary")
        assert item["post"]["description"].replace("`", "") in page.text
        assert format_json(item["post"]["requestBody"]["content"]["application/json"]["example"]) in page.inside(
            "pre"
        )
    headers = [each["name"] for each in item["post"]["parameters"]]
    assert {*headers} <= {*page.inside("code")}
    assert "data.photoCount.interior" in page.inside("code")


def test_the_receivers_stand_there_as_they_are_run_by_the_tests(pages: Pages) -> None:
    programs = pages["/docs/signatures"].inside("pre")
    for name in ("receiver.py", "receiver.mjs", "receiver.php"):
        assert (RECEIVERS / name).read_text() in programs


def test_figures_are_those_of_this_service(app: Flask, settings: Settings, container) -> None:
    figures = {
        "rate_limit_reads": 77,
        "rate_limit_writes": 33,
        "webhook_delays_seconds": "0,45,5400",
        "webhook_deadline_seconds": 4.5,
        "job_timeout_seconds": 10_800,
    }
    container.settings = settings.model_copy(update=figures)
    text = " ".join(read(app, path).text for path in ("/docs", "/docs/limits", "/docs/deliveries"))
    for figure in ("77 reads", "33 writes", '"reads";q=77;w=60', "45 seconds after", "90 minutes after"):
        assert figure in text
    assert "2xx within 4.5 seconds" in text
    assert "After 3 hours an unfinished job fails" in text


def test_every_link_leads_somewhere_and_every_id_is_there_once(pages: Pages) -> None:
    ids = {path: page.attributes("id") for path, page in pages.items()}
    count = 0
    for path, page in pages.items():
        assert len(ids[path]) == len(set(ids[path]))
        assert {*page.attributes("aria-labelledby")} <= {*ids[path]}
        for link in page.attributes("href"):
            if link.startswith(("/docs", "#")):
                target, _, anchor = link.partition("#")
                assert not anchor or anchor in ids[target or path], link
                count += 1
    assert count > 500


def test_headings_are_in_order_under_one_first(pages: Pages) -> None:
    for page in pages.values():
        levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
        assert levels[0] == 1
        assert levels.count(1) == 1
        assert all(below <= above + 1 for above, below in pairwise(levels))


def test_every_table_has_a_caption_and_its_heads_a_scope(pages: Pages) -> None:
    for page in pages.values():
        tables = [tag for tag, _ in page.tags if tag in ("table", "caption")]
        assert tables == ["table", "caption"] * (len(tables) // 2)
        assert all("scope" in attributes for tag, attributes in page.tags if tag == "th")


def test_what_scrolls_can_be_reached_by_keyboard_and_has_a_name(pages: Pages) -> None:
    tags = pages["/docs/programs"].tags + pages["/docs/signatures"].tags
    programs = [attributes for tag, attributes in tags if attributes.get("class") == "program"]
    assert {each["tabindex"] for each in programs} == {"0"}
    orders, receivers = ("curl", "Python", "Node", "PHP", "Ruby"), ("Python", "Node", "PHP")
    labels = [*(f"{name} program" for name in orders), *(f"{name} receiver" for name in receivers)]
    assert [each["aria-label"] for each in programs] == labels


def test_nothing_is_inline_and_nothing_comes_from_elsewhere(app: Flask, pages: Pages) -> None:
    assert "default-src 'none'" in app.test_client().get("/docs").headers["Content-Security-Policy"]
    for page in pages.values():
        assert not {"style", "onclick", "onload"} & {name for _, attributes in page.tags for name in attributes}
        assert "style" not in {tag for tag, _ in page.tags}
        loaded = page.attributes("src") + [
            each["href"] for tag, each in page.tags if tag == "link" and each["rel"] != "alternate"
        ]
        assert loaded
        assert all(address.startswith("/static/") for address in loaded)
        assert [text for text in page.inside("script") if text.strip()] == []


def test_pages_are_light_to_load(app: Flask, pages: Pages) -> None:
    for path, page in pages.items():
        most = HEAVIEST_REFERENCE if path.startswith("/docs/api/") else HEAVIEST["document"]
        assert len(gzip.compress(page.html.encode())) < most, path
    assert len(gzip.compress(app.test_client().get("/static/css/docs.css").data)) < 5_000


def test_a_document_without_events_makes_a_page_too(app: Flask, document: dict) -> None:
    del document["webhooks"]
    documents.offer(app, lambda: json.dumps(document))
    assert app.test_client().get("/docs/events").status_code == 200


@pytest.mark.parametrize("path", ["/docs/nothing", "/docs/api/nothing", "/docs/api/", "/docs/"])
def test_there_are_no_other_pages(app: Flask, path: str) -> None:
    assert app.test_client().get(path).status_code == 404


def test_what_a_description_says_is_shown_and_never_obeyed(app: Flask, document: dict) -> None:
    evil = "# Big\n\n<script>alert(1)</script> [x](javascript:alert(1)) ![y](https://evil.example/y.png)"
    document["info"]["description"] = evil
    document["paths"]["/orders"]["post"]["description"] = evil
    document["components"]["schemas"]["PlaceOrder"]["properties"]["address"]["description"] = evil
    documents.offer(app, lambda: json.dumps(document))
    found = [read(app, path) for path in ("/docs", "/docs/api/orders")]
    page = Page("".join(each.html for each in found))
    assert "<script>alert(1)</script>" in page.text
    assert [text for text in page.inside("script") if text.strip()] == []
    assert "img" not in {tag for tag, _ in page.tags}
    assert "Big" not in page.inside("h1")
    assert not any("javascript" in link for link in page.attributes("href"))


def test_the_commands_send_the_documented_examples(document: dict) -> None:
    for method, path, operation in operations(document):
        words = shlex.split(write_curl(f"https://host{path}", method.upper(), operation).replace("\\\n", " "))
        assert words[0] == "curl"
        assert "Authorization: Bearer $API_KEY" in words
        assert "{" not in words[1]
        body = operation.get("requestBody", {}).get("content", {})
        if "application/json" in body:
            assert json.loads(words[words.index("-d") + 1]) == body["application/json"]["example"]
            assert "Content-Type: application/json" in words
        elif body:
            sent = [words[place + 1] for place, word in enumerate(words) if word == "-F"]
            example = body["multipart/form-data"]["example"]
            assert sent == [*(f"{name}={value}" for name, value in example.items()), "exteriorPhoto0=@front.jpg"]


def test_the_commands_name_what_the_answers_name(document: dict) -> None:
    made = {path: write_curl(path, method.upper(), operation) for method, path, operation in operations(document)}
    assert made["/jobs/{jobId}/status"].startswith("curl /jobs/job_")
    deletion = document["paths"]["/webhooks"]["delete"]
    assert "-X DELETE" in write_curl("/webhooks", "DELETE", deletion)
    assert re.search(r"'/webhooks\?id=whk_\w+'", write_curl("/webhooks", "DELETE", deletion))


def test_an_apostrophe_in_an_example_does_not_break_its_command() -> None:
    operation = {
        "responses": {"200": {}},
        "requestBody": {"content": {"application/json": {"example": {"address": "1 O'Hara's Lane"}}}},
    }
    words = shlex.split(write_curl("/orders", "POST", operation).replace("\\\n", " "))
    assert json.loads(words[-1]) == {"address": "1 O'Hara's Lane"}


@pytest.mark.parametrize("value", [{}, [], None, 2.5, "text", {"a": [1, {"b": []}], "c": {"long": "x" * 90}}])
def test_pretty_json_is_still_that_json(value) -> None:
    assert json.loads(format_json(value)) == value


def test_the_sample_delivery_verifies_both_ways(pages: Pages) -> None:
    page = pages["/docs/signatures"]
    sample, body = sample_delivery(), sample_delivery().body.encode()
    assert sample.secret in page.inside("pre")
    assert sample.body in page.inside("pre")
    expected = hmac.new(sample.secret.encode(), body, hashlib.sha256).hexdigest()
    assert sample.headers["X-Service-Signature"] == f"sha256={expected}"
    sent_at = datetime.fromtimestamp(int(sample.headers["webhook-timestamp"]), UTC)
    signature = Webhook(sample.secret).sign(sample.headers["webhook-id"], sent_at, sample.body)
    assert sample.headers["webhook-signature"] == signature
    assert len(b64decode(sample.secret.removeprefix("whsec_"))) == 32


SCHEMAS = {
    "components": {
        "schemas": {
            "Color": {"enum": ["red", "blue"]},
            "Tree": {"properties": {"child": {"$ref": "#/components/schemas/Tree"}, "leaf": {"type": "string"}}},
        }
    }
}
REF = {"$ref": "#/components/schemas/Color"}


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "string"}, Type("string")),
        ({"type": "string", "format": "date-time"}, Type("time, ISO 8601")),
        ({"anyOf": [{"type": "string", "format": "binary"}, {"type": "null"}]}, Type("file")),
        ({"anyOf": [{"type": "string"}, {"type": "number"}]}, Type("string or number")),
        (REF, Type("", "Color")),
        ({"type": "array", "items": REF}, Type("list of", "Color")),
        (
            {"type": "object", "additionalProperties": {"type": "array", "items": REF}},
            Type("for each key one list of", "Color"),
        ),
        ({}, Type("anything")),
    ],
)
def test_types_are_told_in_words(schema: dict, expected: Type) -> None:
    assert Shapes(SCHEMAS).type(schema) == expected


@pytest.mark.parametrize(
    ("schema", "limits"),
    [
        ({"minLength": 1, "maxLength": 1}, ("1 to 1 character",)),
        ({"maxLength": 2000}, ("at most 2,000 characters",)),
        ({"minItems": 1}, ("at least 1 entry",)),
        ({"anyOf": [{"minimum": 0.0}, {"type": "null"}]}, ("at least 0",)),
        ({"pattern": "^a$"}, ("matches `^a$`",)),
        ({}, ()),
    ],
)
def test_limits_are_told_in_words(schema: dict, limits: tuple[str, ...]) -> None:
    [found] = Shapes(SCHEMAS).fields({"properties": {"x": schema}})
    assert found.limits == limits


def test_a_shape_that_holds_itself_is_told_once() -> None:
    rows = Shapes(SCHEMAS).fields({"properties": {"tree": {"$ref": "#/components/schemas/Tree"}}})
    assert [f"{row.parents}{row.name}" for row in rows] == ["tree", "tree.child", "tree.leaf"]


def test_the_values_of_a_shape_are_told_by_its_first_field() -> None:
    rows = Shapes(SCHEMAS).fields({"properties": {"a": REF, "b": REF, "c": {"enum": [1]}, "d": {"enum": [2]}}})
    assert [tuple(row.values) for row in rows] == [("red", "blue"), (), (1,), (2,)]


@pytest.mark.parametrize(
    ("length", "words"),
    [
        (timedelta(seconds=30), "30 seconds"),
        (timedelta(minutes=2), "2 minutes"),
        (3600, "1 hour"),
        (86_400, "24 hours"),
        (timedelta(days=7), "7 days"),
        (5400, "90 minutes"),
        (1, "1 second"),
        (2.5, "2.5 seconds"),
    ],
)
def test_lengths_of_time_read_well(length: timedelta | float, words: str) -> None:
    assert duration(length) == words


def test_code_is_colored_by_what_it_is_and_keeps_its_text() -> None:
    text = '{"a": "b<c>", "d": 1, "e": true}'
    html = safe_html.code(text).text
    assert '<span class="key">&#34;a&#34;</span>: <span class="string">&#34;b&lt;c&gt;&#34;</span>' in html
    assert '<span class="number">1</span>' in html
    assert '<span class="word">true</span>' in html
    assert Page(f"<pre>{html}</pre>").inside("pre") == [text]
    assert '<span class="comment"># it is so</span>' in safe_html.code("x = 1  # it is so").text
