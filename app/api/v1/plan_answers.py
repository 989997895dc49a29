"""The answer about the floor plan of a room that is to be furnished."""

from pydantic import Field

from app.domain.api_types import WireAnswer


class PlannedPieceAnswer(WireAnswer):
    """A piece of furniture in a floor plan; lengths in meters."""

    piece: str = Field(description="As in `placements` of hints if it is a main piece, else its name.")
    main: bool = Field(description="Whether `placements` of hints can place it.")
    x: float = Field(description="The middle of the floor that it covers.")
    y: float = Field(description="The same.")
    turn: float = Field(description="In degrees, counterclockwise from above; at 0 its front looks along -y.")
    width: float
    depth: float
    height: float
    raised: float = Field(description="Height of its foot over the floor.")
    flat: bool = Field(description="Whether it lies under others, as rugs do.")
    at: list[float] | None = Field(
        default=None, description="In the picture, for `placements`; only of main pieces."
    )
    faces: list[float] | None = Field(default=None, description="The same.")


class LayoutAnswer(WireAnswer):
    """One way to furnish the room."""

    pieces: list[PlannedPieceAnswer]


class PlanAnswer(WireAnswer):
    """A room from above, in meters: x to the right and y away from the camera, along the room's main directions."""

    camera: list[float] = Field(description="The spot below the lens.")
    floor: list[list[list[float]]] = Field(description="Outlines of the floor that the photo shows.")
    clear: list[list[list[float]]] = Field(description="Outlines of its parts that furniture keeps free.")
    walls: list[list[list[float]]] = Field(description="Both ends of the foot of each wall in view.")
    to_picture: list[list[float]] = Field(
        description="The 3 x 3 matrix from (x, y, 1) to the point of the picture, 0 to 1, times a third number."
    )
    layouts: list[LayoutAnswer] = Field(
        description="Up to three, ours first: send the main pieces of one as `placements` and we make it. With "
        "`placements` in the request theirs alone; empty where we would not furnish the room."
    )
