"""People show in the browser what a photo shows: they tap, draw, paint and drag, and nothing is lost."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect
from sqlalchemy import select

from app.models import DraftPhoto
from engine.types.enhancements import PhotoType
from engine.types.hints import HintedSurface, SceneHints
from tests.browser import drafting, seeds
from tests.browser.test_live import end_session
from tests.browser.visits import Visits
from tests.browser.world import Who, World, sign_in

EMPTY = Path(__file__).parents[2] / "static" / "img" / "landing" / "empty-600.jpg"
"""A room rendered by us, without furniture."""


def at_question(
    here: World, new_page: Visits, part: str, room: drafting.Shot | None = None, **options: object
) -> Page:
    """A question about a room of a draft, after workers looked at it."""
    here.person(Who.CUSTOMER)
    said, photos = drafting.STOPPED["shown"]
    drafting.begin(here, "shown", Who.CUSTOMER, said, [photos[0], room or photos[1]])
    seeds.make_previews(here)
    drafting.look_at(here, "shown")
    page = here.window(new_page, Who.CUSTOMER, **options)
    page.goto(f"/drafts/{here.drafts['shown']}/photos/{here.photos['shown'][1]}/hints/{part}")
    expect(page.locator("[data-note]")).not_to_be_empty()
    return page


def hints_of(here: World) -> SceneHints | None:
    with here.container.database.read_session() as session:
        room = session.scalars(select(DraftPhoto).where(DraftPhoto.id == here.photos["shown"][1])).one()
        return room.edit_request.hints


def chosen(page: Page) -> int:
    return page.locator("[data-pieces] input:checked").count()


def place(page: Page, x: float, y: float) -> tuple[float, float]:
    """A point of the picture, from shares of it."""
    box = page.locator("[data-canvas]").bounding_box()
    assert box is not None
    return box["x"] + x * box["width"], box["y"] + y * box["height"]


def drag(page: Page, *points: tuple[float, float]) -> None:
    page.mouse.move(*place(page, *points[0]))
    page.mouse.down()
    for point in points[1:]:
        page.mouse.move(*place(page, *point), steps=4)
    page.mouse.up()


def save(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page).to_have_url(re.compile("/properties/"))


def test_pieces_are_tapped_outlined_undone_and_painted(here: World, new_page: Visits) -> None:
    page = at_question(here, new_page, "surfaces.floor")
    before = chosen(page)
    page.mouse.click(*place(page, 0.5, 0.2))
    assert chosen(page) == before + 1
    page.get_by_role("button", name="Undo").click()
    assert chosen(page) == before
    page.get_by_role("button", name="Outline").click()
    for point in ((0.1, 0.3), (0.3, 0.3), (0.3, 0.5), (0.1, 0.5), (0.1, 0.3)):
        page.mouse.click(*place(page, *point))
    assert chosen(page) == before + 1
    expect(page.locator("[data-note]")).to_have_text("Outline added.")
    page.get_by_role("button", name="Brush").click()
    expect(page.locator("#mask")).to_be_checked()
    drag(page, (0.6, 0.3), (0.8, 0.3))
    page.get_by_role("button", name="Eraser").click()
    drag(page, (0.6, 0.3), (0.7, 0.3))
    save(page)
    hints = hints_of(here)
    assert hints is not None
    assert list(hints.masks) == [HintedSurface.FLOOR]


def test_edges_are_dragged_and_a_session_that_ends_loses_nothing(here: World, new_page: Visits) -> None:
    page = at_question(here, new_page, "room")
    yellow = page.locator(".handle.length").first.bounding_box()
    assert yellow is not None
    page.mouse.move(yellow["x"] + yellow["width"] / 2, yellow["y"] + yellow["height"] / 2)
    page.mouse.down()
    page.mouse.move(*place(page, 0.2, 0.4), steps=4)
    page.mouse.up()
    expect(page.locator("#length-0-used")).to_be_checked()
    end_session(here)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("main")).to_contain_text("You were signed out")
    sign_in(page, Who.CUSTOMER)
    page.get_by_role("button", name="Send it now").click()
    expect(page).to_have_url(re.compile("/properties/"))
    hints = hints_of(here)
    assert hints is not None
    assert hints.length is not None
    assert [round(each, 1) for each in hints.length.start] == [0.2, 0.4]
    assert hints.length.meters == 2.03


def test_by_touch_a_tap_chooses_and_furniture_is_placed(here: World, new_page: Visits) -> None:
    page = at_question(here, new_page, "surfaces.floor", has_touch=True, viewport={"width": 390, "height": 844})
    before = chosen(page)
    page.touchscreen.tap(*place(page, 0.5, 0.2))
    assert chosen(page) == before + 1
    page.get_by_role("button", name="Places for furniture").click()
    page.get_by_role("button", name="Bed").click()
    page.touchscreen.tap(*place(page, 0.5, 0.8))
    save(page)
    hints = hints_of(here)
    assert hints is not None
    assert [each.piece for each in hints.placements] == ["bed"]


def test_a_layout_is_taken_moved_in_the_plan_and_a_piece_removed_and_restored(
    here: World, new_page: Visits
) -> None:
    empty = drafting.Shot("empty.jpg", EMPTY.read_bytes(), PhotoType.INTERIOR, drafting.STAGED)
    page = at_question(here, new_page, "placements", empty)
    page.get_by_label("Layout 1").check()
    before = page.locator("#place-0-x1").input_value()
    sofa = page.locator("[data-plan] .main rect").first.bounding_box()
    assert sofa is not None
    page.mouse.move(sofa["x"] + sofa["width"] / 2, sofa["y"] + sofa["height"] / 2)
    page.mouse.down()
    page.mouse.move(sofa["x"] + sofa["width"] / 2 + 15, sofa["y"] + sofa["height"] / 2, steps=3)
    page.mouse.up()
    expect(page.get_by_label("My own places")).to_be_checked()
    moved = page.locator("#place-0-x1").input_value()
    assert moved != before
    piece = page.locator("#place-0-piece").input_value()
    page.locator(f"[data-furniture={piece}]").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.locator("#place-0-piece")).to_have_value("")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#place-0-x1")).to_have_value(moved)
    keep_free_from(page, page.locator("[data-plan] .main rect").first)
    expect(page.locator("[data-standing-in]")).to_contain_text("stands in an area that stays free")
    save(page)
    hints = hints_of(here)
    assert hints is not None
    assert [each.piece for each in hints.placements] == [piece]
    assert len(hints.clear) == 1


def keep_free_from(page: Page, piece: Locator) -> None:
    """Draw an area in the plan from beside a piece to its middle; one more is drawn, pressed and removed."""
    page.get_by_role("button", name="Keep free").click()
    box = piece.bounding_box()
    assert box is not None
    for left, right in ((-20, box["width"] / 2), (-80, -40)):
        page.mouse.move(box["x"] + left, box["y"] - 10)
        page.mouse.down()
        page.mouse.move(box["x"] + right, box["y"] + box["height"] / 2, steps=4)
        page.mouse.up()
    expect(page.locator("#area-1-x1")).not_to_have_value("")
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(page.locator("#area-1-x1")).to_have_value("")


def test_by_keyboard_and_without_scripts_the_list_is_enough(here: World, new_page: Visits) -> None:
    page = at_question(here, new_page, "surfaces.floor")
    page.locator("#pieces summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    before = chosen(page)
    page.keyboard.press("Space")
    assert abs(chosen(page) - before) == 1
    page.get_by_role("button", name="Save", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/properties/"))
    plain = here.window(new_page, Who.CUSTOMER, java_script_enabled=False)
    plain.goto(f"/drafts/{here.drafts['shown']}/photos/{here.photos['shown'][1]}/hints/surfaces.floor")
    plain.locator("#pieces summary").click()
    while chosen(plain):
        plain.locator("[data-pieces] input:checked").first.uncheck()
    plain.get_by_label("There is none in this photo").check()
    plain.get_by_role("button", name="Save", exact=True).click()
    hints = hints_of(here)
    assert hints is not None
    assert hints.surfaces == {HintedSurface.FLOOR: ()}
