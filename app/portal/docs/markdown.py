"""Converts a page of the documentation from HTML to Markdown, so that both say the same."""

import re
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from urllib.parse import urljoin

_HEADINGS = {f"h{level}": "#" * level for level in range(1, 7)}
_BLOCKS = frozenset({"p", "figcaption", "summary", "caption", *_HEADINGS})
_MARKS = {"code": "`", "strong": "**", "em": "*"}
_BOLD = frozenset({"figcaption", "summary", "caption"})
_EMPTY = frozenset({"wbr", "br", "img", "hr", "input"})
_LEFT_OUT = frozenset({"nav", "button", "fieldset"})
_SPECIAL = re.compile(r"([\\`*<\[\]])")


def write_markdown(html: str, base_url: str) -> str:
    """Convert HTML to Markdown: headings, paragraphs, lists, tables, code. Links are made absolute with `base_url`.

    Only the elements that the documentation has are supported; navigation is left out.
    """
    writer = _Writer(base_url)
    writer.feed(html)
    writer.close()
    return writer.text()


class _Writer(HTMLParser):
    """Writes while it reads. `_line` is the block being read, `_cells` the row of a table being read."""

    def __init__(self, base_url: str) -> None:
        super().__init__()
        self._base_url = base_url
        self._blocks: list[str] = []
        self._line: list[str] = []
        self._cells: list[str] | None = None
        self._lists: list[int | None] = []
        self._links: list[str] = []
        self._open: list[str] = []
        self._is_head = False
        self._at_start: Mapping[str, Callable[[], None]] = {
            "tr": self._begin_row,
            "thead": lambda: self._set_head(True),
            "ul": lambda: self._begin_list(None),
            "ol": lambda: self._begin_list(0),
            "li": self._begin_item,
            "dt": self._begin_term,
            "dd": lambda: self._line.append(":** "),
            "a": lambda: self._line.append("["),
            "pre": self._end_block,
        }
        self._at_end: Mapping[str, Callable[[], None]] = {
            "tr": self._end_row,
            "th": self._end_cell,
            "td": self._end_cell,
            "thead": lambda: self._set_head(False),
            "ul": self._end_list,
            "ol": self._end_list,
            "li": self._end_block,
            "dd": self._end_block,
            "a": lambda: self._line.append(f"]({self._links.pop()})"),
            "pre": self._end_code,
        }

    def text(self) -> str:
        self._end_block()
        blocks = "\n\n".join(self._blocks)
        # Rows of a table, and items of a list, follow each other without an empty line.
        return re.sub(r"(?m)^((?:\|| *- | *\d+\. ).*)\n\n(?=\|| *- | *\d+\. )", r"\1\n", blocks) + "\n"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _EMPTY:
            return
        self._open.append(tag)
        if self._is_left_out():
            return
        if tag == "a":
            self._links.append(urljoin(self._base_url, dict(attrs).get("href") or ""))
        if tag in _BLOCKS:
            self._begin_block(tag)
        elif tag in self._at_start:
            self._at_start[tag]()
        else:
            self._mark(tag)

    def handle_endtag(self, tag: str) -> None:
        left_out = self._is_left_out()
        self._open.pop()
        if left_out:
            return
        if tag in _BLOCKS:
            self._line.append("**" if tag in _BOLD else " ")
            if self._cells is None:
                self._end_block()
        elif tag in self._at_end:
            self._at_end[tag]()
        else:
            self._mark(tag)

    def handle_data(self, data: str) -> None:
        if self._is_left_out():
            return
        as_it_is = {"pre", "code"} & {*self._open}
        self._line.append(data if as_it_is else _SPECIAL.sub(r"\\\1", data))

    def _is_left_out(self) -> bool:
        return bool(_LEFT_OUT & {*self._open})

    def _mark(self, tag: str) -> None:
        if "pre" not in self._open:
            self._line.append(_MARKS.get(tag, ""))

    def _set_head(self, is_head: bool) -> None:
        self._is_head = is_head

    def _begin_block(self, tag: str) -> None:
        if self._cells is not None:
            self._line.append(" ")
        elif not re.fullmatch(r"\s*(- |\d+\. )?", "".join(self._line)):
            self._end_block()
        self._line.append(f"{_HEADINGS[tag]} " if tag in _HEADINGS else "**" if tag in _BOLD else "")

    def _begin_row(self) -> None:
        self._end_block()
        self._cells = []

    def _begin_list(self, count: int | None) -> None:
        self._end_block()
        self._lists.append(count)

    def _end_list(self) -> None:
        self._end_block()
        self._lists.pop()

    def _begin_term(self) -> None:
        self._end_block()
        self._line.append("- **")

    def _begin_item(self) -> None:
        self._end_block()
        count = self._lists[-1]
        if count is not None:
            self._lists[-1] = count + 1
        mark = "- " if count is None else f"{count + 1}. "
        self._line.append("  " * (len(self._lists) - 1) + mark)

    def _end_block(self) -> None:
        whole = "".join(self._line)
        indent = re.match(r" *(?=- |\d+\. )", whole)
        text = " ".join(whole.split())
        self._line.clear()
        if text:
            self._blocks.append((indent[0] if indent else "") + text)

    def _end_code(self) -> None:
        text = "".join(self._line).strip("\n")
        self._line.clear()
        fence = "`" * max(3, *(len(each) + 1 for each in re.findall("`+", text)), 3)
        self._blocks.append(f"{fence}\n{text}\n{fence}")

    def _end_cell(self) -> None:
        text = " ".join("".join(self._line).split()).replace("|", "\\|")
        self._line.clear()
        if self._cells is not None:
            self._cells.append(text)

    def _end_row(self) -> None:
        cells = self._cells or []
        self._cells = None
        self._blocks.append(f"| {' | '.join(cells)} |")
        if self._is_head:
            self._blocks.append(f"|{' --- |' * len(cells)}")
