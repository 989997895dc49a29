"""The page about callbacks of orders: the secret that signs for them, and the URLs that orders named."""

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict, NotFound
from app.domain.webhooks import OLD_SECRET_VALID_FOR
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.portal.webhooks.deliveries import list_template_values
from app.services.webhooks import callbacks, health, signing_secrets
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("callbacks", __name__, url_prefix="/webhooks/callbacks"))
blueprint.context_processor(list_template_values)
PAGE = 50


@blueprint.get("")
def index() -> ResponseReturnValue:
    """The secret's state and the callback URLs, newest first."""
    return _page()


@blueprint.post("/secret")
def rotate() -> ResponseReturnValue:
    """Create the secret or a new one and show it once. The form works once: `version` names the secrets it was made
    for.
    """
    here, version = container(), request.form.get("version") or None
    replace_pending = "replace_pending" in request.form
    try:
        with here.database.unit_of_work() as session:
            account_id, now = visitor().account_id, here.clock()
            if version is None and callbacks.find_secret(session, account_id) is not None:
                raise Conflict("There is a callback secret already. It was shown once, when it was made.")
            row, secret = callbacks.create_or_rotate_secret(
                session, here.vault, account_id, now, replace_pending=replace_pending, version=version
            )
    except Conflict as refused:
        return _page(refused.message, 409)
    until = signing_secrets.rotation_until(row, now)
    return render_template("portal/webhooks/callback_secret_once.html", secret=secret, until=until)


@blueprint.post("/secret/switch")
def switch_secret() -> ResponseReturnValue:
    """Sign with only the new secret from now on."""
    here = container()
    try:
        with here.database.unit_of_work() as session:
            callbacks.switch_secret(session, visitor().account_id, here.clock())
    except (Conflict, NotFound):
        return _page("There is no new secret. Only the current one signs.", 409)
    flash("Only the new secret signs from now on. Your receivers no longer need the old one.")
    return redirect(url_for("callbacks.index"), 303)


def _page(refusal: str = "", http_status: int = 200) -> ResponseReturnValue:
    here, after = container(), request.args.get("after")
    now = here.clock()
    with here.database.read_session() as session:
        row = callbacks.find_secret(session, visitor().account_id)
        page = callbacks.paginate(session, visitor().account_id, after, PAGE)
    values = {
        "row": row,
        "until": row and signing_secrets.rotation_until(row, now),
        "version": row and signing_secrets.version_of(row),
        "rotation": OLD_SECRET_VALID_FOR,
        "rows": [(each, health.webhook_state(each, now)) for each in page.rows],
        "next": page.next,
        "after": after,
        "refusal": refusal,
    }
    return render_template("portal/webhooks/callbacks.html", **values), http_status
