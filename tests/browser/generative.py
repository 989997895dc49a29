"""A picture server that does what is asked of rooms drawn for tests: furnishes them, lays another floor."""

from werkzeug import Response

from tests import edit_server
from tests.edit_server import EditServer, Seen
from tests.engine import edits

_furnish = edit_server.edit(edits.furnished)
_lay_floor = edit_server.edit(edits.refloored)


def answer(seen: Seen, server: EditServer) -> Response:
    """Whatever the prompt is for."""
    return (_lay_floor if seen.fields["prompt"].startswith("Renovate") else _furnish)(seen, server)
