"""What every page of these tests is held to: each fault is found, and what is allowed is not taken for one."""

import pytest
from html5lib.html5parser import ParseError
from webtest import TestResponse

from tests.portal.person import audit, shape

TOKEN = '<input type="hidden" name="csrf_token">'


def page(body: str) -> TestResponse:
    """A page that is right but for what stands in its body."""
    head = '<meta charset="utf-8"><title>Orders, Brightlist</title>'
    text = f'<!DOCTYPE html><html lang="en"><head>{head}</head><body><h1>Orders</h1>{body}</body></html>'
    return TestResponse(text, content_type="text/html", charset="utf-8")


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("<h1>Another</h1>", "one h1"),
        ('<p id="a"></p><p id="a"></p>', "ids twice"),
        ('<p style="color: red"></p>', "inline"),
        ("<style>p { color: red }</style>", "inline"),
        ("<script>1</script>", "inline"),
        ('<p onmouseover="1"></p>', "inline"),
        ('<form method="POST" action="/x"></form>', "no token"),
        ("<input>", "no label"),
        ('<label for="b">B</label><select id="a"></select>', "no label"),
        ('<textarea aria-label=""></textarea>', "no label"),
        ('<p aria-describedby="a b"></p><p id="a"></p>', "b describes something"),
        ('<a href="#a">A</a>', "is led to and is nowhere"),
        ('<img src="/a.jpg" width="1" height="1">', "no alt"),
        ('<img src="/a.jpg" alt="">', "no size"),
    ],
)
def test_a_fault_is_found(body: str, fault: str) -> None:
    with pytest.raises(AssertionError, match=fault):
        audit(page(body))


@pytest.mark.parametrize(
    ("frame", "main", "fault"),
    [
        ('<p id="a"></p>', '<p id="a"></p>', "ids twice"),
        ("<h1>Another</h1>", "<h1>A third</h1>", "one h1"),
        ('<a href="#b">B</a>', '<p id="a"></p>', "b is led to"),
        ('<p id="b"></p>', '<p aria-describedby="a"></p>', "a describes something"),
        ('<p id="b"></p>', '<p style="color: red"></p>', "inline"),
    ],
)
def test_a_fault_between_the_main_part_and_its_frame_is_found(frame: str, main: str, fault: str) -> None:
    with pytest.raises(AssertionError, match=fault):
        audit(page(f"{frame}<main>{main}</main>"))


@pytest.mark.parametrize(
    "body",
    [
        "<p>One &two</p>",
        "<p><div></div></p>",
        "<main><p><div></div></p></main>",
        "<main></main></div>",
        '<p title="One"title="Two"></p>',
    ],
)
def test_what_is_no_valid_html_is_found(body: str) -> None:
    with pytest.raises(ParseError):
        audit(page(body))


def test_what_is_allowed_passes() -> None:
    labeled = '<label for="a">A</label><input id="a"><label>B <input></label><select aria-label="C"></select>'
    form = f'<form method="post" action="/x">{TOKEN}{labeled}</form><form action="/y"></form>'
    audit(page('<a href="#main">A</a><main id="main"><a href="#b">B</a></main><p id="b"></p>'))
    audit(
        page(f'{form}<a href="#a">A</a><img src="/a.jpg" alt="" width="1" height="1"><p aria-describedby="a"></p>')
    )


def test_pages_that_differ_in_words_alone_have_one_shape() -> None:
    assert shape('<p title="One">Two</p>') == shape('<p title="Three">Four</p>')
    assert shape('<p id="order-job_0123456789abcdefABCDEF">A</p>') == shape(
        '<p id="order-job_FEDCBA9876543210fedcba">B</p>'
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("<p>One</p>", "<p>One & two</p>"),
        ("<p>One &amp; two</p>", "<p>One & two</p>"),
        ('<p title="One &amp; two"></p>', '<p title="One & two"></p>'),
        ('<a href="#a">A</a>', '<a href="#b">A</a>'),
        ('<a href="/x#a">A</a>', '<a href="#a">A</a>'),
        ('<p id="a">A</p>', '<p id="b">A</p>'),
        ("<p>A</p>", "<h1>A</h1>"),
    ],
)
def test_pages_that_may_differ_in_faults_have_shapes_of_their_own(one: str, other: str) -> None:
    assert shape(one) != shape(other)
