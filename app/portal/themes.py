"""Light, dark or the system's theme: a choice kept in a cookie, so that no page flashes in the wrong colors."""

from enum import StrEnum
from urllib.parse import quote

from flask import Flask, redirect, request
from flask.typing import ResponseReturnValue

from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import choose_target, current_url

COOKIE = "theme"
_YEAR_SECONDS = 31_536_000


class Theme(StrEnum):
    """The themes that may be chosen."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


blueprint = PageBlueprint("themes", __name__)


def install(app: Flask) -> None:
    """Give every template the current `theme` and the list of all `themes`."""
    app.context_processor(_list_template_values)


@blueprint.post("/theme")
def update() -> ResponseReturnValue:
    """Save the choice in the cookie and redirect to the page it was made on."""
    response = redirect(choose_target(request.form.get("back")), 303)
    chosen = _read_theme(request.form.get("theme"))
    response.set_cookie(COOKIE, chosen, _YEAR_SECONDS, secure=request.is_secure, httponly=True, samesite="Lax")
    return response


def _list_template_values() -> dict[str, object]:
    back = current_url() if request.method == "GET" else quote(request.path)
    return {"theme": _read_theme(request.cookies.get(COOKIE)), "themes": list(Theme), "theme_back": back}


def _read_theme(name: str | None) -> Theme:
    return Theme(name) if name in list(Theme) else Theme.SYSTEM
