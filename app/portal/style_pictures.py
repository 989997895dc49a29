"""The pictures of furnishing styles: one empty room, furnished by our engine in each style that can be chosen.

deploy/landing makes them; a test compares the files with what the engine produces now.
"""

from app.portal.public import examples
from engine.types.edit_request import EditRequest, Staging
from engine.types.enhancements import Enhancement, RoomType, Style

FOLDER = "img/styles"
WIDTH, HEIGHT = 240, 160
BOX = (0.38, 0.25, 0.94, 0.81)
"""The part of the room that is shown, where the furniture stands: left, top, right, bottom as shares of it."""
SCENE = examples.find_example("staged").before
"""The empty room, under the folder of static files."""


def name_file(style: Style) -> str:
    """The path of the style's picture, under the folder of static files."""
    return f"{FOLDER}/{style}.jpg"


def build_request(style: Style) -> EditRequest:
    """The edit that furnishes the room in the style."""
    staging = Staging(style=style, room_type=RoomType.LIVING_ROOM)
    return EditRequest(enhancements=(Enhancement.STAGING,), staging=staging)
