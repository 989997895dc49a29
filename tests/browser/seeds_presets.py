"""What there is to see of house styles: one to begin with, one with a long name; the newcomer has none."""

from app.domain.preset_rules import read_preset
from app.services.orders import presets
from engine.types.enhancements import Enhancement, Style
from tests.browser.world import Who, World

LONG = "The office in Springfield for houses above one million that go into print and onto the big screens"


def seed(world: World) -> None:
    """House styles of the customer."""
    whole = {
        "name": "Our listings",
        "exteriorEnhancements": [Enhancement.GRASS, Enhancement.SKY],
        "interiorEnhancements": [Enhancement.STAGING, Enhancement.HDR],
        "options": {"sky": "clear", "lawn": "subtle", "brightness": "brighter"},
        "stagingStyle": Style.SCANDINAVIAN,
        "isDefault": True,
    }
    account_id = world.people[Who.CUSTOMER].account_id
    with world.container.database.unit_of_work() as session:
        for body in (whole, {"name": LONG, "exteriorEnhancements": [Enhancement.TWILIGHT]}):
            preset = presets.create(session, account_id, read_preset(body), world.clock())
            world.links[f"house style {preset.name}"] = f"/presets/{preset.id}"
