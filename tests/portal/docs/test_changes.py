"""/docs/changes and its Atom feed, the policy for deprecated operations, and the page of limits."""

from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pytest
from flask import Flask
from pydantic import ValidationError

from app.container import Container
from app.domain.deprecation import NOTICE
from app.portal.docs import changes
from app.portal.docs.changes import Change, ChangeKind
from app.portal.docs.pages import duration
from app.settings import Settings
from engine.types import photo_limits
from tests.conftest import Api
from tests.portal.person import Person

ATOM = "{http://www.w3.org/2005/Atom}"


def test_changes_have_names_of_their_own_and_operations_that_exist(api: Api) -> None:
    paths = api.get("/openapi.json").json["paths"].values()
    names = {operation["operationId"] for item in paths for operation in item.values()}
    found = changes.list_changes()
    assert len({change.id for change in found}) == len(found)
    assert [change.date for change in found] == sorted((change.date for change in found), reverse=True)
    for change in found:
        assert change.kind is ChangeKind.REMOVED or {*change.operations} <= names, change.id


def test_the_page_has_every_change_with_links_to_its_operations(stranger: Person) -> None:
    page = stranger.open("/docs/changes").html
    for change in changes.list_changes():
        entry = page.find(id=change.id)
        assert entry.strong.text.lower() == change.kind
        assert [link.text for link in entry.select("span a")] == [*change.operations]
        assert all("/docs/api/" in link["href"] for link in entry.select("span a"))


def test_the_feed_is_atom_and_each_entry_leads_to_its_change(app: Flask, container: Container) -> None:
    container.settings = container.settings.model_copy(update={"base_url": "https://photos.example"})
    answer = app.test_client().get("/docs/changes.atom")
    assert (answer.status_code, answer.mimetype) == (200, "application/atom+xml")
    assert answer.headers["Cache-Control"] == "public, max-age=3600"
    feed = ElementTree.fromstring(answer.data)
    assert feed.tag == f"{ATOM}feed"
    links = {link.get("rel"): link.get("href") for link in feed.findall(f"{ATOM}link")}
    assert links == {
        "self": "https://photos.example/docs/changes.atom",
        "alternate": "https://photos.example/docs/changes",
    }
    entries = feed.findall(f"{ATOM}entry")
    assert [entry.findtext(f"{ATOM}id") for entry in entries] == [
        f"https://photos.example/docs/changes#{change.id}" for change in changes.list_changes()
    ]
    assert feed.findtext(f"{ATOM}updated") == f"{changes.list_changes()[0].date}T00:00:00Z"
    for each in (feed, *entries):
        assert all(each.findtext(f"{ATOM}{name}") for name in ("id", "title", "updated"))


def test_the_feed_is_bounded_and_nothing_in_it_is_obeyed(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    evil = "<script>alert(1)</script> & [x](javascript:alert(1))"
    many = [
        Change(id=f"c{each}", date=date(2027, 1, 1), kind=ChangeKind.ADDED, text=evil, operations=())
        for each in range(changes.MAX_FEED_ENTRIES + 5)
    ]
    monkeypatch.setattr(changes, "list_changes", lambda: many)
    feed = ElementTree.fromstring(app.test_client().get("/docs/changes.atom").data)
    entries = feed.findall(f"{ATOM}entry")
    assert len(entries) == changes.MAX_FEED_ENTRIES
    content = entries[0].findtext(f"{ATOM}content") or ""
    assert "&lt;script&gt;" in content
    assert "<script>" not in content
    assert "href" not in content


@pytest.mark.parametrize(
    "entry",
    ["- {id: A b, date: 2027-01-01, kind: added, text: x, operations: []}", "- {id: a}", "- {id: a, day: 1}"],
)
def test_a_faulty_file_is_refused(entry: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "changes.yaml").write_text(entry)
    monkeypatch.setattr(changes, "FILE", tmp_path / "changes.yaml")
    with pytest.raises(ValidationError):
        changes.list_changes.__wrapped__()


def test_the_policy_says_how_long_a_deprecated_operation_works(stranger: Person) -> None:
    text = stranger.open("/docs/versions").html.main.text
    assert f"at least {duration(NOTICE)}" in text
    assert "Deprecation: @" in text
    assert "No operation is deprecated now." in text


def test_limits_are_those_of_this_service(stranger: Person, container: Container, settings: Settings) -> None:
    update = {"upload_quota_sessions": 123, "upload_quota_megabytes": 4567, "download_url_seconds": 13 * 60}
    container.settings = settings.model_copy(update=update)
    text = " ".join(stranger.open("/docs/limits").html.main.get_text(" ").split())
    assert f"{photo_limits.MAX_PIXELS // 10**6} megapixels" in text
    for words in (
        "animations",
        "JSON 1 MB",
        "50 MB",
        "without an order 123",
        "4,567 MB",
        "13 minutes",
        "CORS",
        "at most 200 bytes (150 in archives)",
    ):
        assert words in text, words
