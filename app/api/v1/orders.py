"""Orders: place one from uploads or in one multipart request."""

from flask import Blueprint

from app.api.v1.answers import ORDER_MESSAGE, Asset, FrameAnswer, OrderResult
from app.api.v1.disclosure_answers import ListingAnswer, answer_disclosures
from app.api.v1.multipart import MAX_ORDER_BYTES, MultipartOrder, receive_order
from app.api.v1.operations import Operation, serve
from app.api.v1.presets import find_preset
from app.domain.actors import Scope
from app.domain.budget_errors import BudgetExceeded
from app.domain.errors import Conflict, InsufficientCredits, InvalidFields, InvalidRequest, UnsupportedMedia
from app.domain.field_errors import Fault
from app.domain.order_rules import read_order
from app.domain.orders import PlaceOrder
from app.domain.sending import AddressNotAllowedError
from app.services.orders import orders, upload_groups
from app.services.orders.orders import PlacedOrder
from app.services.uploads import uploads
from app.services.webhooks import callbacks
from app.web import idempotency
from app.web.address_vetting import vet_address
from app.web.agents import find_payer
from app.web.authentication import actor
from app.web.bodies import json_object
from app.web.context import container
from app.web.order_checks import wait_until_checked

blueprint = Blueprint("orders_v1", __name__)


@serve(
    blueprint,
    Operation(
        method="POST",
        path="/orders/from-uploads",
        scope=Scope.ORDERS_WRITE,
        summary="Create an order from uploaded photos",
        body=PlaceOrder,
        answer=OrderResult,
        refusals=(InsufficientCredits, BudgetExceeded, Conflict),
    ),
)
def create_order_from_uploads() -> OrderResult:
    """Charge the order and start its job."""
    content = json_object()
    order = read_order(content, container().imagery is not None, find_preset(content, content))
    idempotency.begin(content)
    return _place(order)


@serve(
    blueprint,
    Operation(
        method="POST",
        path="/orders",
        scope=Scope.ORDERS_WRITE,
        summary="Create an order with its photos in one request",
        body=MultipartOrder,
        media_type="multipart/form-data",
        answer=OrderResult,
        refusals=(InsufficientCredits, BudgetExceeded, UnsupportedMedia),
        max_bytes=MAX_ORDER_BYTES,
    ),
)
def create_order() -> OrderResult:
    """Store the photos, charge the order and start its job; the files of a refused order are deleted."""
    with receive_order(actor().account_id) as (order, form):
        idempotency.begin(form.content)
        if faults := upload_groups.find_misfit_hints(order, {}, form.digests):
            raise InvalidFields(faults)
        return _place(order)


def _place(order: PlaceOrder) -> OrderResult:
    here, account_id, named = container(), actor().account_id, orders.list_named_files(order)
    if order.callback_url is not None:
        _check_callback(account_id, order.callback_url)
    refused = here.bucket_intake.take_in(account_id, order.upload_session_id, named.values())
    if refused:
        raise InvalidFields(Fault(where, refused[key]) for where, key in named.items() if key in refused)
    found = uploads.stat_files(here.storage, order.upload_session_id, named.values())
    wait_until_checked(account_id, order.upload_session_id, found)
    with idempotency.effect() as made:
        placed = orders.place(made.session, find_payer(), order, found, here.clock(), here.time_limit)
        made.answer = answer = _result(placed)
    return answer


def _check_callback(account_id: str, url: str) -> None:
    """Vet the callback's URL, unless the account has used it before: each attempt at a delivery vets it again.
    Raises InvalidRequest, AddressBeingChecked.
    """
    with container().database.read_session() as session:
        if callbacks.is_known(session, account_id, url):
            return
        if callbacks.find_secret(session, account_id) is None:
            raise InvalidFields([callbacks.NO_SECRET])
    try:
        vet_address(account_id, url)
    except AddressNotAllowedError as refused:
        raise InvalidRequest({"callbackUrl": str(refused)}) from None


def _result(placed: PlacedOrder) -> OrderResult:
    job, listing = placed.job, placed.job.listing
    uploaded = [photo for photo in placed.photos if not photo.from_imagery]
    return OrderResult(
        success=True,
        job_id=job.id,
        status=job.status,
        credit_cost=job.credit_cost,
        photos_uploaded=len(uploaded),
        assets=[
            Asset(
                id=photo.id,
                file_name=photo.file_name,
                type=photo.type,
                index=photo.index,
                disclosures=answer_disclosures(listing, photo.edit_request.steps),
                frames=[
                    FrameAnswer(file_path=each.storage_key, file_name=each.file_name, frame=each.place)
                    for each in photo.frames
                ],
            )
            for photo in uploaded
        ],
        message=ORDER_MESSAGE,
        listing=ListingAnswer.model_validate(listing),
        external_id=job.external_id,
        metadata=job.own_metadata,
        credits_refunded=job.credits_refunded or None,
    )
