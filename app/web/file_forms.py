"""Forms with files: the first fields can be read at once, the files stay in the stream until read_form()."""

from collections.abc import Callable, Iterator
from itertools import chain

from flask import g, request
from werkzeug.datastructures import ImmutableMultiDict, MultiDict

from app.web.form_parts import FilePart, FormPart, parts

_REST = "rest_of_the_form"


def open_form() -> None:
    """Set `request.form` to the fields before the first file, so that a token among them can be checked first.

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
    # Set here, because Flask would write every file to disk, before any check, when `request.form` is first read.
    request.form = ImmutableMultiDict(fields)


def read_form(take: Callable[[FilePart], None]) -> None:
    """Set `request.form` to all fields; calls `take` with every file, and skips chunks that it did not read."""
    fields = MultiDict[str, str](request.form)
    for part in g.pop(_REST, ()):
        if isinstance(part, FormPart):
            fields.add(part.name, part.text)
        elif part.file_name:  # a browser sends an empty file field as a file without a name
            take(part)
    request.form = ImmutableMultiDict(fields)
