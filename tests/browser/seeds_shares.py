"""What is shared with a client: links in every state, an answer, and the studio's own look."""

import io
from datetime import timedelta

from PIL import Image, ImageDraw

from app.domain.shares import ClientAnswer, ShareVerdict
from app.services.accounts import brandings
from app.services.accounts.brandings import ChosenLook
from app.services.photos import shared_pages, shares
from app.services.photos.shares import SharePlan
from app.services.security import kept_forms
from app.services.security.kept_forms import TypedForm
from tests.browser.world import Who, World
from tests.conftest import encode_logos

KEPT = timedelta(days=7)


def seed(world: World) -> None:
    """Of one order a link that was answered and one that was revoked; of another one that nobody answered."""
    here, owner = world.container, world.people[Who.CUSTOMER].account_id
    now = world.clock()
    with here.database.unit_of_work() as session:
        look = ChosenLook("Bright & Wide Studio", "(555) 010-4477", "#c2571a", _draw_logo())
        brandings.update(session, owner, look, now)
    encode_logos(here)
    with here.database.unit_of_work() as session:
        answered = shares.create(
            session, here.vault, owner, world.jobs["approved"], SharePlan(KEPT, "Your new listing photos"), now
        )
        revoked = shares.create(session, here.vault, owner, world.jobs["approved"], SharePlan(KEPT), now)
        fresh = shares.create(
            session, here.vault, owner, world.jobs["delivered"], SharePlan(KEPT, may_download=False), now
        )
        shares.revoke(session, owner, world.jobs["approved"], revoked.id, now)
        shared_pages.comment(session, answered, 1, True, "This one first, please.", now)
        shared_pages.comment(session, answered, 2, False, "The floor a little lighter.\nOr as it was.", now)
        said = "The kitchen a little brighter, please."
        shared_pages.answer(
            session,
            answered,
            ClientAnswer(ShareVerdict.CHANGES_REQUESTED, "Kim Owner", "kim@example.com", said),
            now,
        )
        world.links["share answered"] = shares.url_of(here.vault, "", answered) or ""
        world.links["share fresh"] = shares.url_of(here.vault, "", fresh) or ""
        world.links["share to change"] = f"/orders/{world.jobs['approved']}/shares/{answered.id}"
        typed = [("title", "A title that was typed"), ("days", "7")]
        form = TypedForm(owner, f"/orders/{world.jobs['approved']}/shares", typed, now)
        kept_forms.keep(session, here.vault, owner, form)


def _draw_logo() -> bytes:
    image = Image.new("RGB", (640, 200), "#ffffff")
    draw = ImageDraw.Draw(image)
    draw.polygon([(40, 160), (120, 40), (200, 160)], fill="#c2571a")
    draw.rectangle((230, 90, 600, 110), fill="#333333")
    made = io.BytesIO()
    image.save(made, "PNG")
    return made.getvalue()
