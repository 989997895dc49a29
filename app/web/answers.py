"""Answers of the API as JSON; each that needs a key says whether the key is one of test mode."""

from collections.abc import Mapping

from flask import Response, g

from app.domain.actors import Actor

LIVEMODE = "livemode"
LIVEMODE_MEANING = "False in test mode, where nothing is charged."


def write(content: str, status: int, headers: Mapping[str, str] | None = None) -> Response:
    """The JSON object `content` as the answer to this request, with LIVEMODE as its first field."""
    actor: Actor | None = g.get("actor")
    if actor is not None:
        # Every answer passes here, also one of megabytes, which would be slow to parse again.
        mode, rest = "true" if actor.livemode else "false", content[1:]
        content = f'{{"{LIVEMODE}":{mode}{rest if rest == "}" else f",{rest}"}'
    return Response(content, status, mimetype="application/json", headers=dict(headers or {}))
