"""The text of an e-mail as HTML, with pictures that are part of the e-mail: nothing is loaded when it is opened."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

_LINKS = ("http://", "https://")
_STYLE = "font:16px/1.5 sans-serif;max-width:36rem;margin:0 auto;padding:16px"


def write_html(text: str, picture_ids: Sequence[str]) -> str:
    """The paragraphs of the text, its links as links, the pictures with these Content-IDs after the first link."""
    return (
        f'<!doctype html><html lang="en"><body style="{_STYLE}">'
        f"{''.join(_write_paragraphs(text, picture_ids))}</body></html>\n"
    )


def _write_paragraphs(text: str, picture_ids: Sequence[str]) -> Iterator[str]:
    left = list(picture_ids)
    for paragraph in filter(None, text.split("\n\n")):
        lines = paragraph.strip("\n").split("\n")
        yield f"<p>{'<br>'.join(map(_write_line, lines)) if _has_link(lines) else escape(' '.join(lines))}</p>"
        if left and _has_link(lines):
            yield _write_pictures(left)
            left = []
    if left:
        yield _write_pictures(left)


def _has_link(lines: Iterable[str]) -> bool:
    return any(line.startswith(_LINKS) for line in lines)


def _write_line(line: str) -> str:
    shown = escape(line)
    return f'<a href="{shown}">{shown}</a>' if line.startswith(_LINKS) else shown


def _write_pictures(picture_ids: Iterable[str]) -> str:
    pictures = (
        f'<img src="cid:{escape(each)}" alt="Picture {number}" width="160" style="margin:0 8px 8px 0;height:auto">'
        for number, each in enumerate(picture_ids, 1)
    )
    return f"<p>{''.join(pictures)}</p>"
