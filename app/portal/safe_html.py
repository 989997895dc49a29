"""Texts of the documentation as safe HTML: descriptions in CommonMark, and code with its words marked."""

import re
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt
from markupsafe import escape

# Descriptions are written for programs too: nothing in one may break the page's own structure or leave its site.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable(["heading", "lheading", "image"])
_WORDS = (
    "import from export const function return def class if else for in of not and or is await async new php "
    "foreach string bool array true false null True False None"
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
    """Text that is HTML already: templates put it in as it is."""

    text: str

    def __html__(self) -> str:
        return self.text


@cache
def paragraphs(text: str) -> Html:
    """The text's blocks. HTML in it is shown, not obeyed; headings and pictures are not made."""
    return Html(_MARKDOWN.render(text))


@cache
def line(text: str) -> Html:
    """The text as part of a paragraph."""
    return Html(_MARKDOWN.renderInline(text))


@cache
def code(text: str) -> Html:
    """The text with names, strings, comments, numbers and words of the language in spans of these classes."""
    parts, end = [], 0
    for found in _TOKENS.finditer(text):
        parts += [escape(text[end : found.start()]), f'<span class="{found.lastgroup}">{escape(found[0])}</span>']
        end = found.end()
    return Html("".join([*parts, escape(text[end:])]))
