"""Presets of an account: names of their own, one default, room for so many, gone with the account."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from app.container import Container
from app.domain.drafts import Content
from app.domain.errors import Conflict, InvalidFields, NotFound
from app.domain.preset_rules import PresetRequest, read_preset
from app.domain.presets import MAX_PRESETS
from app.models import Membership, Preset
from app.services.exports import personal_data
from app.services.orders import drafts, presets
from app.services.retention import account_deletion
from engine.types.enhancements import Enhancement
from engine.types.options import EffectOptions
from tests.conftest import Api
from tests.fakes import FakeClock

BODY = {
    "name": "Our listings",
    "exteriorEnhancements": ["sky_enhancement"],
    "options": {"sky": "clear"},
    "stagingStyle": "coastal",
}


def wanted(**fields: object) -> PresetRequest:
    return read_preset({**BODY, **fields})


def made(container: Container, api: Api, **fields: object) -> Preset:
    with container.database.unit_of_work() as session:
        return presets.create(session, api.account_id, wanted(**fields), container.clock())


def names(container: Container, api: Api) -> list[tuple[str, bool]]:
    with container.database.read_session() as session:
        return [(each.name, each.is_default) for each in presets.get_all(session, api.account_id)]


def test_a_preset_is_kept_as_it_was_written(container: Container, api: Api, clock: FakeClock) -> None:
    preset = made(container, api)
    with container.database.read_session() as session:
        kept = presets.get(session, api.account_id, preset.id)
    assert kept.content.exterior_enhancements == (Enhancement.SKY,)
    assert kept.content.options == EffectOptions(sky="clear")
    assert (kept.name, kept.content.staging_style, kept.is_default) == ("Our listings", "coastal", False)
    assert kept.created_at == kept.updated_at == clock()


def test_a_name_names_one_preset_of_an_account(container: Container, api: Api, other_api: Api) -> None:
    first = made(container, api)
    with pytest.raises(Conflict):
        made(container, api, name="  Our   listings ")
    second = made(container, api, name="Luxury")
    made(container, other_api)
    with pytest.raises(Conflict), container.database.unit_of_work() as session:
        presets.change(session, api.account_id, second.id, wanted(), container.clock())
    with container.database.unit_of_work() as session:
        presets.change(session, api.account_id, first.id, wanted(stagingStyle="modern"), container.clock())
    assert names(container, api) == [("Luxury", False), ("Our listings", False)]


def test_at_most_one_is_the_default(container: Container, api: Api, other_api: Api) -> None:
    first = made(container, api, isDefault=True)
    made(container, other_api, isDefault=True)
    made(container, api, name="Luxury", isDefault=True)
    assert names(container, api) == [("Luxury", True), ("Our listings", False)]
    with container.database.unit_of_work() as session:
        presets.set_default(session, api.account_id, first.id, container.clock())
    assert names(container, api) == [("Our listings", True), ("Luxury", False)]
    with container.database.unit_of_work() as session:
        presets.set_default(session, api.account_id, first.id, container.clock(), on=False)
    assert {default for _, default in names(container, api)} == {False}
    assert names(container, other_api) == [("Our listings", True)]


def test_an_account_has_room_for_so_many(container: Container, api: Api) -> None:
    for number in range(MAX_PRESETS):
        made(container, api, name=f"Style {number}")
    with pytest.raises(Conflict, match=str(MAX_PRESETS)):
        made(container, api, name="One more")
    with container.database.unit_of_work() as session:
        presets.delete(session, api.account_id, presets.get_all(session, api.account_id)[0].id)
    assert made(container, api, name="One more").name == "One more"


def test_nobody_sees_or_changes_those_of_others(container: Container, api: Api, other_api: Api) -> None:
    preset = made(container, api)
    for act in (
        lambda session: presets.get(session, other_api.account_id, preset.id),
        lambda session: presets.delete(session, other_api.account_id, preset.id),
        lambda session: presets.change(session, other_api.account_id, preset.id, wanted(), container.clock()),
        lambda session: presets.set_default(session, other_api.account_id, preset.id, container.clock()),
    ):
        with pytest.raises(NotFound), container.database.unit_of_work() as session:
            act(session)
    assert names(container, api) == [("Our listings", False)]


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"name": " "}, ("name",)),
        ({"name": "x" * 101}, ("name",)),
        ({"exteriorEnhancements": ["hdr_enhancement"]}, ("exteriorEnhancements", 0)),
        ({"interiorEnhancements": ["declutter", "declutter"]}, ("interiorEnhancements", 1)),
        ({"options": {"sky": "black"}}, ("options", "sky")),
        ({"stagingStyle": "gothic"}, ("stagingStyle",)),
        ({"exteriorEnhancements": None, "options": None, "stagingStyle": None}, ("exteriorEnhancements",)),
        ({"color": "red"}, ("color",)),
    ],
)
def test_what_makes_no_preset_is_named(fields: dict, path: tuple) -> None:
    with pytest.raises(InvalidFields) as refused:
        wanted(**fields)
    assert [fault.where for fault in refused.value.faults] == [path]


def test_a_new_draft_begins_with_the_default_one(container: Container, api: Api) -> None:
    made(container, api, isDefault=True)
    with container.database.unit_of_work() as session:
        draft = drafts.begin(session, api.account_id, container.upload_quota, container.clock())
        content = drafts.content_of(draft)
    assert content.exterior_enhancements == (Enhancement.SKY,)
    assert (content.options, content.staging_style) == (EffectOptions(sky="clear"), "coastal")
    assert content.service_type is None


def test_an_untouched_draft_begins_with_what_is_the_default_now(container: Container, api: Api) -> None:
    with container.database.unit_of_work() as session:
        before = drafts.begin(session, api.account_id, container.upload_quota, container.clock())
        assert drafts.content_of(before) == Content()
    made(container, api, isDefault=True)
    with container.database.unit_of_work() as session:
        now = drafts.begin(session, api.account_id, container.upload_quota, container.clock())
        assert (now.id, drafts.content_of(now).staging_style) == (before.id, "coastal")


def test_presets_are_told_with_all_data_and_go_with_the_account(container: Container, api: Api) -> None:
    made(container, api)
    with container.database.read_session() as session:
        mine = select(Membership.user_id).where(Membership.organization_id == api.account_id)
        user_id = session.scalars(mine).one()
        told = personal_data.collect(session, user_id, api.account_id, container.clock())
    assert [(each["name"], each["content"]["options"]) for each in told["presets"]] == [
        ("Our listings", {"sky": "clear"})
    ]
    with container.database.unit_of_work() as session:
        account_deletion.delete_account(session, user_id, container.clock() + timedelta(hours=1))
    assert names(container, api) == []
