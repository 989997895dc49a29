"""Forms with files: their fields can be read at once, their files stay in the stream until somebody takes them."""

from collections.abc import Callable, Iterator
from itertools import chain

from flask import g, request
from werkzeug.datastructures import ImmutableMultiDict, MultiDict

from app.web.form_parts import FilePart, FormPart, parts

_REST = "rest_of_the_form"


def open_form() -> None:
    """Let `request.form` be the fields before the first file, so that a token among them can be checked first.

    Raises like form_parts.parts().
    """
    stream, fields = parts(request), MultiDict[str, str]()
    rest: Iterator[FormPart | FilePart] = iter(())
    for part in stream:
        if isinstance(part, FilePart):
            rest = chain([part], stream)
            break
        fields.add(part.name, part.text)
    setattr(g, _REST, rest)
    # Asked for otherwise, the framework would spool every file to disk before any check.
    request.form = ImmutableMultiDict(fields)


def read_form(take: Callable[[FilePart], None]) -> None:
    """Let `request.form` be all fields; `take` gets every file on the way. What it leaves of a file is skipped."""
    fields = MultiDict[str, str](request.form)
    for part in g.pop(_REST, ()):
        if isinstance(part, FormPart):
            fields.add(part.name, part.text)
        elif part.file_name:  # a file field that was left empty comes as a file without a name
            take(part)
    request.form = ImmutableMultiDict(fields)
