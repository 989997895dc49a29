"""The form of a webhook, for a new one and to change one: where it leads and what it hears of."""

from collections.abc import Sequence

from flask import flash, redirect, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import SelectMultipleField, URLField
from wtforms.validators import DataRequired, InputRequired

from app.domain.errors import Conflict, InvalidRequest
from app.domain.events import EventName
from app.domain.mail_text import one_line
from app.domain.sending import AddressNotAllowedError
from app.domain.webhooks import MAX_URL, WebhookRequest, read_webhook
from app.models import Webhook
from app.portal.account_forms import blame
from app.portal.forms import read_form_token
from app.portal.public.reference import Event, reference
from app.portal.snippets import list_receivers
from app.portal.visitors import visitor
from app.portal.webhooks.doors import blueprint, written
from app.services import webhooks
from app.web import documents
from app.web.context import container

OFFERED = [name for name in EventName if name is not EventName.WEBHOOK_TEST]
"""Test events are sent to whoever asks for one, so nobody need choose them."""
MADE_ALREADY = (
    "This webhook was made already, by the same form. Its secret was shown once; if you did not keep it, make a "
    "new one on the page Secret."
)


class WebhookForm(FlaskForm):
    """What the owner says of a webhook; what makes a good one is the domain's to say, see checked()."""

    url = URLField(
        "Address of your receiver", [DataRequired("Enter the address.")], [lambda text: one_line(text or "")]
    )
    events = SelectMultipleField("Events", [InputRequired("Choose at least one event.")], validate_choice=False)

    def checked(self) -> WebhookRequest | None:
        """The webhook wanted, its address vetted; None when something is wrong, which the form then says.

        Asks a name server: no transaction may be open.
        """
        if not self.validate():
            return None
        chosen = list(dict.fromkeys(self.events.data or []))
        # All of them means those to come as well.
        named = [] if {*OFFERED} <= {*chosen} else chosen
        try:
            wanted = read_webhook({"url": self.url.data, "events": named})
            container().transport.vet(wanted.url)
        except InvalidRequest as refusal:
            self._take(refusal)
        except AddressNotAllowedError as refused:
            blame(self.url, str(refused))
        else:
            return wanted
        return None

    def _take(self, refusal: InvalidRequest) -> None:
        for name, message in (refusal.details or {}).items():
            blame(self.events if name.startswith("events") else self.url, message)


@blueprint.get("/new")
def new() -> ResponseReturnValue:
    """The form, with every event chosen."""
    return _new_page(WebhookForm(None, data={"events": OFFERED}))


@blueprint.post("")
def create() -> ResponseReturnValue:
    """Make the webhook and show its secret, this once: the form sent again shows the webhook, without it."""
    form, here = WebhookForm(), container()
    wanted, token = form.checked(), read_form_token()
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
        flash(MADE_ALREADY)
        return _back(webhook.id)
    return written("secret_once", webhook=webhook, secret=secret, until=None, receivers=list_receivers())


@blueprint.get("/<webhook_id>/edit")
def edit(webhook_id: str) -> ResponseReturnValue:
    """The form, as the webhook is."""
    webhook = _own(webhook_id)
    return _edit_page(webhook, WebhookForm(None, data={"url": webhook.url, "events": webhooks.subscribed(webhook)}))


@blueprint.post("/<webhook_id>/edit")
def update(webhook_id: str) -> ResponseReturnValue:
    """Change the webhook; what is on its way already goes to the new address too."""
    webhook, form = _own(webhook_id), WebhookForm()
    wanted = form.checked()
    if wanted is None:
        return _edit_page(webhook, form, 422)
    with container().database.unit_of_work() as session:
        webhooks.edit(session, visitor().account_id, webhook_id, wanted)
    flash("The webhook is changed.")
    return _back(webhook_id)


def _own(webhook_id: str) -> Webhook:
    with container().database.reading() as session:
        return webhooks.own(session, visitor().account_id, webhook_id)


def _new_page(form: WebhookForm, http_status: int = 200) -> ResponseReturnValue:
    return written("new", form=form, events=_events(), max_url=MAX_URL), http_status


def _edit_page(webhook: Webhook, form: WebhookForm, http_status: int = 200) -> ResponseReturnValue:
    return written("edit", webhook=webhook, form=form, events=_events(), max_url=MAX_URL), http_status


def _events() -> Sequence[Event]:
    """The events to choose from, each with the line that the documentation has on it."""
    return [event for event in reference(documents.openapi()).events if event.name in OFFERED]


def _back(webhook_id: str) -> ResponseReturnValue:
    return redirect(url_for("webhooks.show", webhook_id=webhook_id), 303)
