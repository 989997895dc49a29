"""The front page: what this is, and whether it works now."""

from flask import Blueprint, render_template
from flask.typing import ResponseReturnValue

from app.domain.catalogue import ENTRIES, PhotoType
from app.web.context import container
from app.web.health import parts

blueprint = Blueprint("front", __name__)


@blueprint.get("/")
def show() -> ResponseReturnValue:
    """What the service does and where to begin."""
    groups = {group: [entry for entry in ENTRIES.values() if entry.group is group] for group in PhotoType}
    generative = container().generative is not None
    return render_template("portal/front.html", groups=groups, generative=generative, **_health())


@blueprint.get("/status")
def status() -> ResponseReturnValue:
    """The line on the front page that says whether everything works; htmx asks for it again."""
    return render_template("portal/_status.html", **_health())


def _health() -> dict[str, object]:
    missing = [name for name, works in parts(container()).items() if not works]
    return {"missing": missing}
