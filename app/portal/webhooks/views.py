"""Webhooks: the list, the page of one webhook with its health and acts, its form, and its signing secret."""

from typing import Any

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.domain.errors import Conflict
from app.domain.events import USUAL_EVENTS
from app.domain.retention import find_held_length
from app.domain.webhooks import MAX_URL, MAX_WEBHOOKS, OLD_SECRET_VALID_FOR, WebhookChange
from app.models import Webhook
from app.portal.docs.reference import read_reference
from app.portal.forms import read_form_token
from app.portal.fragments import wants_fragment
from app.portal.page_blueprint import PageBlueprint
from app.portal.visitors import for_signed_in, visitor
from app.portal.webhooks.deliveries import list_template_values, render_outcome
from app.portal.webhooks.forms import OFFERED, WebhookForm
from app.services.webhooks import delivery_log, pages, signing_secrets, webhooks
from app.services.webhooks.health import WebhookState
from app.web import documents
from app.web.context import container

blueprint = for_signed_in(PageBlueprint("webhooks", __name__, url_prefix="/webhooks"))
blueprint.context_processor(list_template_values)

ALREADY_CREATED = (
    "This form already created this webhook. Its secret was shown once. If you did not save it, create a "
    "new one on the page Secret."
)


@blueprint.get("")
def index() -> ResponseReturnValue:
    """Every webhook of the account."""
    with container().database.read_session() as session:
        rows = pages.list_webhooks(session, visitor().account_id, container().clock())
    failing = [row.webhook for row in rows if row.condition is WebhookState.FAILING]
    return render_template("portal/webhooks/index.html", rows=rows, failing=failing, max_webhooks=MAX_WEBHOOKS)


@blueprint.get("/<webhook_id>")
def show(webhook_id: str) -> ResponseReturnValue:
    """One webhook and its health."""
    return _page(webhook_id)


@blueprint.post("/<webhook_id>/off")
def switch_off(webhook_id: str) -> ResponseReturnValue:
    """Switch the webhook off: deliveries are held."""
    with container().database.unit_of_work() as session:
        webhooks.switch_off(session, visitor().account_id, webhook_id)
    flash("The webhook is off. New events are held for you.")
    return _redirect_to(webhook_id)


@blueprint.post("/<webhook_id>/on")
def switch_on(webhook_id: str) -> ResponseReturnValue:
    """Switch the webhook on: events from now on are sent; held deliveries stay held."""
    with container().database.unit_of_work() as session:
        webhooks.switch_on(session, visitor().account_id, webhook_id, container().clock())
    flash("The webhook is on.")
    return _redirect_to(webhook_id)


@blueprint.post("/<webhook_id>/release")
def release(webhook_id: str) -> ResponseReturnValue:
    """Send the held deliveries."""
    try:
        with container().database.unit_of_work() as session:
            count = delivery_log.release_held(session, visitor().account_id, webhook_id, container().clock())
    except Conflict as refused:
        return _page(webhook_id, refused.message, 409)
    one = "One held delivery is on its way."
    flash(one if count == 1 else f"{count:,} held deliveries are on their way." if count else "Nothing was held.")
    return redirect(url_for("deliveries.index", webhook_id=webhook_id), 303)


@blueprint.post("/<webhook_id>/test")
def send_test(webhook_id: str) -> ResponseReturnValue:
    """Send a test event; htmx gets the fragment with its outcome, other clients are redirected to its delivery."""
    try:
        with container().database.unit_of_work() as session:
            sent = webhooks.send_test(session, visitor().account_id, webhook_id, container().clock())
    except Conflict as refused:
        # htmx shows an answer with status 422; it would drop a 409.
        if wants_fragment():
            return render_template("portal/webhooks/_refused.html", refusal=refused.message), 422
        return _page(webhook_id, refused.message, 409)
    if wants_fragment():
        return render_outcome(sent.id)
    return redirect(url_for("deliveries.show", delivery_id=sent.id), 303)


@blueprint.get("/<webhook_id>/delete")
def leave(webhook_id: str) -> ResponseReturnValue:
    """Ask before the webhook is deleted, and say what would be lost."""
    here = container()
    with here.database.read_session() as session:
        details = pages.read_webhook(session, visitor().account_id, webhook_id, here.clock())
    return render_template("portal/webhooks/delete.html", details=details, webhook=details.webhook)


@blueprint.post("/<webhook_id>/delete")
def delete(webhook_id: str) -> ResponseReturnValue:
    """Delete the webhook."""
    with container().database.unit_of_work() as session:
        webhooks.delete(session, visitor().account_id, webhook_id, container().clock())
    flash("The webhook is deleted. Nothing more is sent there.")
    return redirect(url_for("webhooks.index"), 303)


@blueprint.get("/new")
def new() -> ResponseReturnValue:
    """The form, with every event chosen."""
    return _new_page(WebhookForm(None, data={"events": USUAL_EVENTS}))


@blueprint.post("")
def create() -> ResponseReturnValue:
    """Create the webhook and show its secret once; the same form sent again shows the webhook without the
    secret.
    """
    form, here = WebhookForm(), container()
    wanted, token = form.read(), read_form_token()
    if wanted is None:
        return _new_page(form, 422)
    try:
        with here.database.unit_of_work() as session:
            account_id, now = visitor().account_id, here.clock()
            made = webhooks.create(session, here.vault, account_id, wanted, now, form_token=token)
    except Conflict as refused:
        form.form_errors.append(refused.message)
        return _new_page(form, 409)
    webhook, secret = made
    if secret is None:
        flash(ALREADY_CREATED)
        return _redirect_to(webhook.id)
    return render_template("portal/webhooks/secret_once.html", webhook=webhook, secret=secret, until=None)


@blueprint.get("/<webhook_id>/edit")
def edit(webhook_id: str) -> ResponseReturnValue:
    """The form, filled in for the webhook."""
    webhook = _find(webhook_id)
    return _edit_page(
        webhook, WebhookForm(None, data={"url": webhook.url, "events": webhooks.list_events(webhook)})
    )


@blueprint.post("/<webhook_id>/edit")
def update(webhook_id: str) -> ResponseReturnValue:
    """Change the webhook; deliveries that are on their way already go to the new address too."""
    webhook, form = _find(webhook_id), WebhookForm()
    wanted = form.read()
    if wanted is None:
        return _edit_page(webhook, form, 422)
    here = container()
    try:
        with here.database.unit_of_work() as session:
            change = WebhookChange(url=wanted.url, events=wanted.events)
            webhooks.edit(session, visitor().account_id, webhook_id, change, here.clock())
    except Conflict as refused:
        return _page(webhook_id, refused.message, 409)
    flash("The webhook is changed.")
    return _redirect_to(webhook_id)


@blueprint.get("/<webhook_id>/secret")
def secret(webhook_id: str) -> ResponseReturnValue:
    """The page about signing secrets. It never shows a secret, only whether one or two secrets sign."""
    return _secret_page(webhook_id)


@blueprint.post("/<webhook_id>/secret")
def rotate(webhook_id: str) -> ResponseReturnValue:
    """Create a new secret and show it once. The form works once: `version` names the secrets it was made for."""
    here, version = container(), request.form.get("version", "")
    replace_pending = "replace_pending" in request.form
    try:
        with here.database.unit_of_work() as session:
            account_id, now = visitor().account_id, here.clock()
            webhook, made = webhooks.rotate(
                session, here.vault, account_id, webhook_id, now, replace_pending=replace_pending, version=version
            )
    except Conflict as refused:
        return _secret_page(webhook_id, refused.message, 409)
    until = signing_secrets.rotation_until(webhook, now)
    return render_template("portal/webhooks/secret_once.html", webhook=webhook, secret=made, until=until)


@blueprint.post("/<webhook_id>/secret/switch")
def switch_secret(webhook_id: str) -> ResponseReturnValue:
    """Sign with only the new secret from now on."""
    here = container()
    try:
        with here.database.unit_of_work() as session:
            webhooks.switch_secret(session, visitor().account_id, webhook_id, here.clock())
    except Conflict:
        return _secret_page(webhook_id, "There is no new secret. Only the current one signs.", 409)
    flash("Only the new secret signs from now on. Your receiver no longer needs the old one.")
    return redirect(url_for("webhooks.secret", webhook_id=webhook_id), 303)


def _page(webhook_id: str, refusal: str = "", http_status: int = 200) -> ResponseReturnValue:
    here = container()
    with here.database.read_session() as session:
        details = pages.read_webhook(session, visitor().account_id, webhook_id, here.clock())
    held_kept = find_held_length(livemode=not visitor().acts_in_sandbox)
    values = {"details": details, "webhook": details.webhook, "health": details.health, "refusal": refusal}
    return render_template(
        "portal/webhooks/show.html", **values, webhook_states=WebhookState, held_kept=held_kept
    ), http_status


def _find(webhook_id: str) -> Webhook:
    with container().database.read_session() as session:
        return webhooks.get(session, visitor().account_id, webhook_id)


def _new_page(form: WebhookForm, http_status: int = 200) -> ResponseReturnValue:
    return render_template("portal/webhooks/new.html", form=form, **_list_choices()), http_status


def _edit_page(webhook: Webhook, form: WebhookForm, http_status: int = 200) -> ResponseReturnValue:
    return render_template("portal/webhooks/edit.html", webhook=webhook, form=form, **_list_choices()), http_status


def _list_choices() -> dict[str, Any]:
    """The values for the form: the events to choose from, with their documentation, and the longest address."""
    documented = {event.name: event for event in read_reference(documents.openapi()).events}
    events = [documented[name] for name in OFFERED]
    return {"events": events, "max_url": MAX_URL}


def _redirect_to(webhook_id: str) -> ResponseReturnValue:
    return redirect(url_for("webhooks.show", webhook_id=webhook_id), 303)


def _secret_page(webhook_id: str, refusal: str = "", http_status: int = 200) -> ResponseReturnValue:
    here = container()
    with here.database.read_session() as session:
        webhook = webhooks.get(session, visitor().account_id, webhook_id)
    if webhook.is_callback:
        return redirect(url_for("callbacks.index"), 303)
    until, version = signing_secrets.rotation_until(webhook, here.clock()), signing_secrets.version_of(webhook)
    values = {
        "webhook": webhook,
        "until": until,
        "version": version,
        "refusal": refusal,
        "rotation": OLD_SECRET_VALID_FOR,
    }
    return render_template("portal/webhooks/secret.html", **values), http_status
