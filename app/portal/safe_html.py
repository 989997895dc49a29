"""Texts of the documentation as safe HTML: descriptions in CommonMark, and code with syntax marked."""

import re
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt
from markupsafe import escape

# Descriptions come from the OpenAPI document. They must not break the page's headings, or load from another site.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable(["heading", "lheading", "image"])
_WORDS = (
    "import from export const function return def class if else for in of not and or is await async new php "
    "foreach string bool array throw while require do end true false null True False None"
)
_TOKENS = re.compile(
    r"""
    (?P<key>"(?:[^"\\\n]|\\.)*"(?=\s*:))            # the name of a JSON field
    |(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)
    |(?P<comment>(?:^|(?<=\s))(?:\#|//)\s.*)
    |(?P<number>\b\d+(?:[._]\d+)*\b)
    |(?P<word>(?<![\w$.-])(?:WORDS)(?![\w-]))
    """.replace("WORDS", _WORDS.replace(" ", "|")),
    re.VERBOSE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Html:
    """Text that is HTML already: templates insert it without escaping."""

    text: str

    def __html__(self) -> str:
        return self.text


@cache
def paragraphs(text: str) -> Html:
    """Render CommonMark text as HTML blocks. HTML in the text is escaped; headings and images stay plain text."""
    return Html(_MARKDOWN.render(text))


@cache
def line(text: str) -> Html:
    """Render CommonMark text as HTML inside a paragraph."""
    return Html(_MARKDOWN.renderInline(text))


@cache
def code(text: str) -> Html:
    """Escape code, with its parts in spans of class `key`, `string`, `comment`, `number` or `word` (keyword)."""
    parts, end = [], 0
    for found in _TOKENS.finditer(text):
        parts += [escape(text[end : found.start()]), f'<span class="{found.lastgroup}">{escape(found[0])}</span>']
        end = found.end()
    return Html("".join([*parts, escape(text[end:])]))
