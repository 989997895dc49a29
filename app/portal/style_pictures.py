"""The pictures of furnishing styles: one empty room, furnished by our engine in each style that can be chosen.

deploy/landing makes them; a test holds the files to what the engine does now.
"""

from app.portal.public import examples
from engine.types.edit_request import EditRequest, Staging
from engine.types.enhancements import Enhancement, RoomType, Style

FOLDER = "img/styles"
WIDTH, HEIGHT = 240, 160
BOX = (0.38, 0.25, 0.94, 0.81)
"""What is shown of the room, where its furniture stands: left, top, right and bottom as shares of it."""
SCENE = examples.chosen("staged").before
"""The empty room, under the folder of static files."""


def name_file(style: Style) -> str:
    """The picture of the style, under the folder of static files."""
    return f"{FOLDER}/{style}.jpg"


def ask_for(style: Style) -> EditRequest:
    """What is done to the room."""
    staging = Staging(style=style, room_type=RoomType.LIVING_ROOM)
    return EditRequest(enhancements=(Enhancement.STAGING,), staging=staging)
