"""Orders: the list, the page of an order, its results and pictures, and the wizard and board for placing orders."""

from app.portal.orders import (
    board,
    evidence,
    job,
    mls_packs,
    order_list,
    pictures,
    property,
    public_page,
    result_hints,
    results,
    revisions,
    shares,
    variants,
    wizard,
)

BLUEPRINTS = (
    job.blueprint,
    mls_packs.blueprint,
    order_list.blueprint,
    pictures.blueprint,
    property.blueprint,
    public_page.blueprint,
    result_hints.blueprint,
    results.blueprint,
    revisions.blueprint,
    shares.blueprint,
    variants.blueprint,
    evidence.blueprint,
    wizard.blueprint,
    board.blueprint,
)
