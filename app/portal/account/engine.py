"""Which release of the engine makes the account's pictures: the latest, or the stable one."""

from flask import flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import RadioField
from wtforms.validators import AnyOf

from app.domain.engines import NOTICE, EngineChannel
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.services import engines
from app.services.accounts import organizations
from app.web.context import container
from engine.version import engine_version

blueprint = for_signed_in(PageBlueprint("engine", __name__, url_prefix="/account/engine"))


class EngineForm(FlaskForm):
    """The choice."""

    channel = RadioField(
        "Engine", [AnyOf([each.value for each in EngineChannel], "Choose one.")], validate_choice=False
    )


@blueprint.get("")
def edit() -> ResponseReturnValue:
    """The form with the saved choice."""
    with container().database.read_session() as session:
        channel = organizations.get_engine_channel(session, visitor().account_id)
    return _show(EngineForm(None, data={"channel": channel.value}))


@blueprint.post("")
def update() -> ResponseReturnValue:
    """Save the choice."""
    form, here = EngineForm(), container()
    if not form.validate():
        return _show(form, 422)
    with here.database.unit_of_work() as session:
        chosen = EngineChannel(form.channel.data)
        organizations.choose_engine(session, visitor().account_id, chosen, here.clock())
    flash("Your choice is saved. It holds for orders placed from now on.")
    return redirect(url_for("engine.edit"), 303)


def _show(form: EngineForm, http_status: int = 200) -> ResponseReturnValue:
    with container().database.read_session() as session:
        stable = engines.read_stable(session, container().clock())
    values = {"form": form, "stable": stable, "latest": engine_version(), "notice": NOTICE.days}
    return render_template("portal/account/engine.html", **values), http_status
