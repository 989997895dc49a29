"""The resources of the API with their operations. Each resource is a tag in the OpenAPI document and a page of
/docs.
"""

from dataclasses import dataclass

from flask import Blueprint

from app.api.v1 import (
    callbacks,
    catalog,
    client_tokens,
    client_uploads,
    credits,
    downloads,
    events,
    evidence,
    fetches,
    job_details,
    job_list,
    jobs,
    ledger,
    mls_packs,
    orders,
    photo_groups,
    presets,
    public_pages,
    quotes,
    recipes,
    regions,
    revisions,
    rules,
    sandbox,
    shares,
    uploads,
    variants,
    webhook_deliveries,
    webhooks,
)


@dataclass(frozen=True, slots=True)
class Resource:
    """Operations that are described together; `name` is their tag. `parts`: the modules' blueprints."""

    name: str
    about: str
    parts: tuple[Blueprint, ...]


RESOURCES = (
    Resource(
        "uploads",
        "Signed URLs to upload photos to, files fetched from yours, uploads from your pages, and which files are "
        "frames of one photo.",
        (
            uploads.blueprint,
            client_tokens.blueprint,
            client_uploads.blueprint,
            fetches.blueprint,
            photo_groups.blueprint,
        ),
    ),
    Resource("catalog", "What can be ordered, at which price, and what is allowed.", (catalog.blueprint,)),
    Resource(
        "orders",
        "The price of an order, and the order itself: from uploads, or with its photos in one request.",
        (orders.blueprint, quotes.blueprint),
    ),
    Resource(
        "regions",
        "What is seen in a photo, and what each enhancement would do to it, before and after it is ordered.",
        (regions.blueprint,),
    ),
    Resource(
        "presets",
        "Choices saved under a name for any order. Pages call a preset a house style.",
        (presets.blueprint,),
    ),
    Resource(
        "jobs",
        "The work on an order: where it stands, what became of each photo, and what the checks found on it.",
        (jobs.blueprint, job_list.blueprint, job_details.blueprint),
    ),
    Resource("downloads", "The finished pictures.", (downloads.blueprint,)),
    Resource(
        "packs",
        "All pictures of a job in one ZIP, as a listing service requires them.",
        (mls_packs.blueprint,),
    ),
    Resource(
        "revisions",
        "Results sent back because they are not right, round by round.",
        (revisions.blueprint,),
    ),
    Resource(
        "variants",
        "Approved pictures without some of their steps, and the recipe that each picture was made by.",
        (variants.blueprint, recipes.blueprint),
    ),
    Resource(
        "shares",
        "Links by which clients see results without an account, and what they answered.",
        (shares.blueprint,),
    ),
    Resource(
        "disclosure",
        "Rules on altered pictures, the public page of a job's originals, and the evidence of what was altered.",
        (rules.blueprint, public_pages.blueprint, evidence.blueprint),
    ),
    Resource("credits", "The balance of the account, and its ledger.", (credits.blueprint, ledger.blueprint)),
    Resource(
        "webhooks",
        "Your URLs that receive events instead of asking again and again, and the log of what was sent.",
        (webhooks.blueprint, webhook_deliveries.blueprint),
    ),
    Resource("events", "What happened, in its order, for programs that read it themselves.", (events.blueprint,)),
    Resource(
        "callbacks",
        "The URLs that orders name as `callbackUrl` for their own events. Their log is that of webhooks.",
        (callbacks.blueprint,),
    ),
    Resource(
        "test-mode",
        "What test keys alone can do: move the clock of a test job, and refill the test credits.",
        (sandbox.blueprint,),
    ),
)
"""Every resource, in the order in which a client needs them. A module that is not listed here is not served."""

RESOURCE_NAMES = {part.name: resource.name for resource in RESOURCES for part in resource.parts}
"""The resource of each blueprint, by the blueprint's name."""
