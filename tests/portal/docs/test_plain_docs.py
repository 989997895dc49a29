"""/docs.md and /llms.txt: the same documentation, for programs that read."""

import re
from itertools import zip_longest

import pytest
from bs4 import BeautifulSoup
from flask import Flask
from markdown_it import MarkdownIt

from app.container import Container
from app.portal.docs.markdown import write_markdown
from app.web.error_examples import EXAMPLES
from tests.portal.person import Person

RENDER = MarkdownIt("commonmark").enable("table")
MOST_BYTES = {"/docs.md": 600_000, "/llms.txt": 10_000}


def words(html: str) -> list[str]:
    found = BeautifulSoup(html, "html.parser")
    for each in found.select("nav, button, fieldset, .following, wbr"):
        each.decompose()
    # What browsers show on one line is one text; blocks and cells are apart.
    for each in found.select("p, li, td, th, dt, dd, pre, caption, figcaption, summary, h1, h2, h3, .type, .code"):
        each.insert(0, " ")
        each.append(" ")
    return re.findall(r"\w+", found.text)


@pytest.fixture
def pages(stranger: Person) -> dict[str, str]:
    """The chapters of every page as HTML, by its address."""
    index = stranger.open("/docs")
    paths = {link["href"].partition("#")[0] for link in index.html.select("#contents a")}
    paths |= {f"/docs/errors/{kind.code}" for kind in EXAMPLES}
    return {path: str(stranger.open(path).html.select_one(".chapters")) for path in sorted(paths - {"/docs", ""})}


def test_the_markdown_of_a_page_says_the_same_words_in_the_same_order(app: Flask, pages: dict[str, str]) -> None:
    assert len(pages) > 30
    for path, html in pages.items():
        answer = app.test_client().get(f"{path}.md")
        assert (answer.status_code, answer.mimetype) == (200, "text/markdown"), path
        pairs = zip_longest(words(RENDER.render(answer.text)), words(html))
        assert [pair for pair in pairs if pair[0] != pair[1]][:3] == [], path


def test_everything_on_one_page_has_every_page_and_each_shape_once(app: Flask, pages: dict[str, str]) -> None:
    html = RENDER.render(app.test_client().get("/docs.md").text)
    headings = [each.text for each in BeautifulSoup(html, "html.parser").select("h1, h2, h3")]
    wanted = {each.text for page in pages.values() for each in BeautifulSoup(page, "html.parser").select("h2, h3")}
    assert wanted <= {*headings}
    assert all(
        headings.count(name) == 1
        for name in ("JobStatusAnswer", "PlaceOrder", "Create an order with its photos in one request")
    )


def test_links_lead_to_pages_that_are_there_by_the_public_address(app: Flask, container: Container) -> None:
    container.settings = container.settings.model_copy(update={"base_url": "https://photos.example"})
    client = app.test_client()
    for path in MOST_BYTES:
        links = re.findall(r"\]\(([^)\s]+)\)", client.get(path).text)
        ours = {
            link.removeprefix("https://photos.example").partition("#")[0] for link in links if "photos." in link
        }
        assert len(ours) > 20
        assert not [link for link in links if not link.startswith("https://")]
        assert {each: client.get(each).status_code for each in ours if "docs" in each or "api" in each} == {
            each: 200 for each in ours if "docs" in each or "api" in each
        }


@pytest.mark.parametrize(("path", "most"), MOST_BYTES.items())
def test_they_are_bounded_and_kept_by_caches(app: Flask, path: str, most: int) -> None:
    client = app.test_client()
    answer = client.get(path)
    assert len(answer.data) < most
    assert answer.headers["Cache-Control"] == "public, max-age=3600"
    assert "Set-Cookie" not in answer.headers
    assert client.get(path, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304


def test_llms_txt_has_the_form_that_is_agreed_on(app: Flask) -> None:
    title, summary, *rest = [each for each in app.test_client().get("/llms.txt").text.splitlines() if each]
    assert title == "# Brightlist"
    assert summary.startswith("> ")
    assert [each for each in rest if each.startswith("#")] == ["## Guides", "## Operations", "## Optional"]
    assert len([each for each in rest if re.fullmatch(r"- \[[^]]+\]\(\S+\): .+", each)]) > 20


def test_unknown_pages_are_not_there_as_markdown_either(app: Flask) -> None:
    for path in ("/docs/nothing.md", "/docs/api/nothing.md", "/docs/errors/nothing.md"):
        assert app.test_client().get(path).status_code == 404


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<h2>A <em>b</em></h2><p>c &lt;d&gt; *e* [f]</p>", "## A *b*\n\nc \\<d> \\*e\\* \\[f\\]\n"),
        ("<ol><li>a</li><li>b<ul><li>c</li></ul></li></ol>", "1. a\n2. b\n  - c\n"),
        ("<p>See <a href='#x'>this</a>.</p>", "See [this](https://h/docs#x).\n"),
        ("<pre><code>a\n  ```b</code></pre>", "````\na\n  ```b\n````\n"),
        (
            "<table><caption>T</caption><thead><tr><th>A</th></tr></thead><tr><td>b|c<p>d</p></td></tr></table>",
            "**T**\n\n| A |\n| --- |\n| b\\|c d |\n",
        ),
        ("<nav><p>a</p></nav><dl><div><dt>b</dt><dd>c</dd></div></dl>", "- **b:** c\n"),
    ],
)
def test_html_becomes_markdown(html: str, text: str) -> None:
    assert write_markdown(html, "https://h/docs") == text
