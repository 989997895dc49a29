"""The form to create or change a webhook: its address and its events."""

from flask_wtf import FlaskForm
from wtforms import SelectMultipleField, URLField
from wtforms.validators import DataRequired, InputRequired

from app.domain.errors import AddressBeingChecked, InvalidRequest
from app.domain.events import OPT_IN, EventName
from app.domain.sending import AddressNotAllowedError
from app.domain.webhooks import WebhookRequest, read_webhook
from app.portal.forms import add_error, clean_line
from app.portal.visitors import visitor
from app.web.address_vetting import vet_address
from app.web.fault_messages import describe_faults

OFFERED = sorted((name for name in EventName if name is not EventName.WEBHOOK_TEST), key=OPT_IN.__contains__)
"""The events to choose from; the events of OPT_IN are last. Test events are always sent to the webhook that is
tested, so they are not offered.
"""


class WebhookForm(FlaskForm):
    """A webhook's address and events; the domain validates them, see read()."""

    url = URLField("Address of your receiver", [DataRequired("Enter the address.")], [clean_line])
    events = SelectMultipleField("Events", [InputRequired("Choose at least one event.")], validate_choice=False)

    def read(self) -> WebhookRequest | None:
        """Read the webhook and vet its address; None when something is wrong, with the faults as the form's errors.

        Sends DNS queries, so no transaction may be open.
        """
        if not self.validate():
            return None
        chosen = list(dict.fromkeys(self.events.data or []))
        # The usual events are saved as an empty list, which includes those that are added later.
        named = [] if {*OFFERED} - OPT_IN == {*chosen} else chosen
        try:
            wanted = read_webhook({"url": self.url.data, "events": named})
            vet_address(visitor().account_id, wanted.url)
        except InvalidRequest as refusal:
            self._add_errors(refusal)
        except (AddressNotAllowedError, AddressBeingChecked) as refused:
            add_error(self.url, str(refused))
        else:
            return wanted
        return None

    def _add_errors(self, refusal: InvalidRequest) -> None:
        for name, message in describe_faults(refusal).items():
            add_error(self.events if name.startswith("events") else self.url, message)
