"""The evidence of one order: who ordered what, which rules applied, how each picture turned out, where it was
published.

It helps anyone who must answer a listing service's question about an altered picture.
"""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session, selectinload

from app.domain.disclosure.listing import Listing, caption, picture_label
from app.domain.disclosure.rules import Rule
from app.domain.evidence import (
    AcceptedEnhancement,
    DecidedBy,
    Evidence,
    PageEvidence,
    PictureEvidence,
    PicturesEvidence,
    RevisionEvidence,
    RuleEvidence,
    list_edits,
)
from app.domain.lifecycle import UNSETTLED
from app.domain.revisions import RevisionOutcome
from app.models import Job, Photo, PhotoFrame, PublicPage, Revision
from app.services.accounts import organizations, users
from app.services.orders import jobs
from app.services.photos import frames, public_pages, quality
from engine.types.report import Figure, Verdict


def read(session: Session, account_id: str, job_id: str, base_url: str) -> Evidence[Figure]:
    """The evidence of the account's order, also after its pictures are gone; `base_url` is the URL of
    the service. Raises NotFound.
    """
    job = jobs.get_even_expired(session, account_id, job_id)
    listing = job.listing
    kept = collect(session, job) if job.expired_at is None else job.evidence
    pages = select(PublicPage).where(PublicPage.job_id == job.id, PublicPage.account_id == account_id)
    pages = pages.options(selectinload(PublicPage.pictures)).order_by(PublicPage.created_at, PublicPage.id)
    return Evidence(
        job_id=job.id,
        ordered_by=_name_orderer(session, job),
        ordered_at=job.created_at,
        address=job.address,
        status=job.status,
        settled_at=job.settled_at,
        expired_at=job.expired_at,
        rules=tuple(_rule_evidence(rule, listing.versions.get(rule.id)) for rule in listing.rules),
        accepted_barred=tuple(
            AcceptedEnhancement(**dict(each), accepted_at=job.created_at) for each in listing.accepted
        ),
        complete=kept is not None,
        pictures=kept.pictures if kept else (),
        public_pages=tuple(_page(each, base_url) for each in session.scalars(pages)),
    )


def _rule_evidence(rule: Rule, version: int | None) -> RuleEvidence:
    source = str(rule.sources[0].url) if rule.sources else None
    versions = {"version": version, "version_now": rule.version, "source": source}
    return RuleEvidence.model_validate({**dict(rule), **versions})


def _page(page: PublicPage, base_url: str) -> PageEvidence:
    return PageEvidence(
        url=public_pages.url_of(base_url, page),
        published_at=page.created_at,
        expires_at=page.expires_at,
        revoked_at=page.revoked_at,
        shows_address=page.address is not None,
        pictures=tuple(each.number for each in page.pictures),
        lost_originals=tuple(each.number for each in page.pictures if each.original_lost_at is not None),
    )


def _name_orderer(session: Session, job: Job) -> str:
    """The name of the member who placed the order; the owner's name if the order came by the API or the member is
    deleted.
    """
    names = users.list_names(session, [job.ordered_by])
    return names.get(job.ordered_by or "") or organizations.get_owner(session, job.account_id).user.name


def collect(session: Session, job: Job) -> PicturesEvidence:
    """The evidence of the job's pictures, to be stored with the job before the pictures' records are deleted."""
    listing, decided = job.listing, job.status not in UNSETTLED
    photos, frames_by_photo = quality.photos_of(session, job.id, with_rounds=True), frames.get_all(session, job.id)
    return PicturesEvidence(
        pictures=tuple(
            _picture(number, photo, listing, frames_by_photo.get(photo.id, ()), decided=decided)
            for number, photo in enumerate(photos, 1)
        )
    )


def _picture(
    number: int, photo: Photo, listing: Listing, photo_frames: Sequence[PhotoFrame], *, decided: bool
) -> PictureEvidence[Figure]:
    result = photo.result if decided else None
    report = result.report if result else None
    facts = {
        "number": number,
        "type": photo.type,
        "file_name": photo.file_name,
        "edits": tuple(list_edits(photo.edit_request, report)),
        "original_sha256": photo.sha256,
        "frame_sha256s": tuple(frame.sha256 for frame in photo_frames if frame.sha256),
    }
    if result is None or report is None:
        return PictureEvidence[Figure].model_validate(facts)
    is_usable = result.verdict is Verdict.APPROVED
    return PictureEvidence[Figure].model_validate(
        {
            **facts,
            "image_id": result.id,
            "caption": caption(listing, report.applied) if is_usable else None,
            "label": picture_label(listing, report.applied) if is_usable else None,
            "verdict": result.verdict,
            "reason": result.reason,
            "decided_by": _decider(photo),
            "decided_at": result.decided_at,
            "altered_sha256": result.picture.sha256,
            "engine_version": result.picture.engine_version,
            "figures": report.figures,
            "revisions": tuple(_round(each) for each in result.rounds),
        }
    )


def _decider(photo: Photo) -> DecidedBy | None:
    if photo.is_cancelled:
        return None
    return DecidedBy.REVIEWER if photo.result and photo.result.decided_by else DecidedBy.AUTOMATIC


def _round(revision: Revision) -> RevisionEvidence:
    is_withdrawn = revision.outcome is RevisionOutcome.WITHDRAWN
    ended_by = DecidedBy.REVIEWER if revision.decided_by else DecidedBy.AUTOMATIC
    return RevisionEvidence(
        round=revision.round,
        flaw=revision.flaw,
        sent_back_at=revision.created_at,
        outcome=revision.outcome,
        decided_by=ended_by if revision.outcome and not is_withdrawn else None,
        decided_at=revision.decided_at,
        before_sha256=revision.before.sha256,
    )
