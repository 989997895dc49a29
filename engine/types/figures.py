"""The figures of quality reports: the code, the label and the unit of each."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Unit(StrEnum):
    """The unit of a figure's value: a share is 0-1, a level is one of 255, yes is 1 and no is 0."""

    SHARE = "share"
    LEVELS = "levels"
    CIELAB = "cielab"
    CIEDE2000 = "ciede2000"
    METERS = "meters"
    COUNT = "count"
    YES_NO = "yes_no"
    DEGREES = "degrees"


class FigureCode(StrEnum):
    """The measured properties: stable names that programs may rely on."""

    SIZE_KEPT = "size_kept"
    TONAL_VARIETY = "tonal_variety"
    CHANGED_SHARE = "changed_share"
    NEWLY_CLIPPED = "newly_clipped"
    SHARPNESS_RATIO = "sharpness_ratio"
    NOISE_ADDED = "noise_added"
    EDGE_DISPLACEMENT = "edge_displacement"
    FINE_DETAIL_DISPLACEMENT = "fine_detail_displacement"
    SHAPE_LOSS = "shape_loss"
    WORST_SHAPE_LOSS = "worst_shape_loss"
    WORST_SHAPE_CHANGE = "worst_shape_change"
    BANDING = "banding"
    HALO = "halo"
    COLOR_CAST_ADDED = "color_cast_added"
    OUTSIDE_DIFFERENCE = "outside_difference"
    OUTSIDE_DIFFERENCE_P99 = "outside_difference_p99"
    BORDER_DIFFERENCE = "border_difference"
    SKY_DOUBT = "sky_doubt"
    TORN_SKY = "torn_sky"
    LIT_GLASS = "lit_glass"
    DARK_GLASS = "dark_glass"
    LAWN_DOUBT = "lawn_doubt"
    ANSWER_SHAPE_ERROR = "answer_shape_error"
    ANSWER_TONAL_VARIETY = "answer_tonal_variety"
    EDITED_SHARE = "edited_share"
    EDITED_SHARE_AT_MOST = "edited_share_at_most"
    PARTS_FOUND = "parts_found"
    PARTS_IN_PLACE = "parts_in_place"
    LONG_LINES_KEPT = "long_lines_kept"
    FIXED_EDGES_KEPT = "fixed_edges_kept"
    NEW_OPENINGS = "new_openings"
    OPENING_DISPLACEMENT = "opening_displacement"
    WINDOW_VIEW_CHANGE = "window_view_change"
    ROOM_EDGE_DISPLACEMENT = "room_edge_displacement"
    ROOM_EDGE_LOSS = "room_edge_loss"
    ROOM_LINES_CONTINUED = "room_lines_continued"
    SMEARED_SHARE = "smeared_share"
    MISSING_DETAIL = "missing_detail"
    REMAINING_OBJECTS = "remaining_objects"
    CUT_OBJECTS = "cut_objects"
    UNCLEAR_BACKGROUND = "unclear_background"
    LOST_LEGS = "lost_legs"
    FLOATING_FURNITURE = "floating_furniture"
    FURNITURE_HEIGHT = "furniture_height"
    REGION_EDGE_CUT = "region_edge_cut"
    STRAIGHTENED = "straightened"
    DISTORTION_CORRECTED = "distortion_corrected"
    LENS_KNOWN = "lens_known"
    CROPPED_SHARE = "cropped_share"
    FACES_BLURRED = "faces_blurred"
    PLATES_BLURRED = "plates_blurred"


@dataclass(frozen=True, slots=True)
class Meaning:
    """A figure's label for people, and its unit."""

    label: str
    unit: Unit


MEANINGS: Mapping[str, Meaning] = {
    FigureCode.SIZE_KEPT: Meaning("Same size as the photo", Unit.YES_NO),
    FigureCode.TONAL_VARIETY: Meaning("Range of tones", Unit.LEVELS),
    FigureCode.CHANGED_SHARE: Meaning("Changed part of the picture", Unit.SHARE),
    FigureCode.NEWLY_CLIPPED: Meaning("Detail lost in the brightest and darkest parts", Unit.SHARE),
    FigureCode.SHARPNESS_RATIO: Meaning("Sharpness kept", Unit.SHARE),
    FigureCode.NOISE_ADDED: Meaning("Grain added, in levels of 255", Unit.LEVELS),
    FigureCode.EDGE_DISPLACEMENT: Meaning("Edges of the building or room in their place", Unit.SHARE),
    FigureCode.FINE_DETAIL_DISPLACEMENT: Meaning("Fine detail in its place", Unit.SHARE),
    FigureCode.SHAPE_LOSS: Meaning("Parts that lost their shape", Unit.SHARE),
    FigureCode.WORST_SHAPE_LOSS: Meaning("Lost its shape, in the worst part of the picture", Unit.SHARE),
    FigureCode.WORST_SHAPE_CHANGE: Meaning("Bent or lost its shape, in the worst part of the picture", Unit.SHARE),
    FigureCode.BANDING: Meaning("Smooth parts with bands", Unit.SHARE),
    FigureCode.HALO: Meaning("Seams of light along edges", Unit.SHARE),
    FigureCode.COLOR_CAST_ADDED: Meaning("Color added to white things (CIELAB)", Unit.CIELAB),
    FigureCode.OUTSIDE_DIFFERENCE: Meaning("Color change where nothing may change (CIEDE2000)", Unit.CIEDE2000),
    FigureCode.OUTSIDE_DIFFERENCE_P99: Meaning("The same, in the worst hundredth (CIEDE2000)", Unit.CIEDE2000),
    FigureCode.BORDER_DIFFERENCE: Meaning("Color change beside the edited part (CIEDE2000)", Unit.CIEDE2000),
    FigureCode.SKY_DOUBT: Meaning("Doubt about the sky", Unit.SHARE),
    FigureCode.TORN_SKY: Meaning("Share of pixels torn between sky and things", Unit.SHARE),
    FigureCode.LIT_GLASS: Meaning("Share of lit glass", Unit.SHARE),
    FigureCode.DARK_GLASS: Meaning("Glass that stays dark", Unit.SHARE),
    FigureCode.LAWN_DOUBT: Meaning("Doubt about the lawn", Unit.SHARE),
    FigureCode.ANSWER_SHAPE_ERROR: Meaning("Shape off by", Unit.SHARE),
    FigureCode.ANSWER_TONAL_VARIETY: Meaning("Range of tones", Unit.LEVELS),
    FigureCode.EDITED_SHARE: Meaning("Edited part of the picture", Unit.SHARE),
    FigureCode.EDITED_SHARE_AT_MOST: Meaning("Edited part of the picture, at most", Unit.SHARE),
    FigureCode.PARTS_FOUND: Meaning("Parts of the room found again", Unit.SHARE),
    FigureCode.PARTS_IN_PLACE: Meaning("Parts still in their place", Unit.SHARE),
    FigureCode.LONG_LINES_KEPT: Meaning("Long lines of the room kept", Unit.SHARE),
    FigureCode.FIXED_EDGES_KEPT: Meaning("Edges kept where nothing may change", Unit.SHARE),
    FigureCode.NEW_OPENINGS: Meaning("New doors and windows", Unit.COUNT),
    FigureCode.OPENING_DISPLACEMENT: Meaning("Doors and windows moved, share of the width", Unit.SHARE),
    FigureCode.WINDOW_VIEW_CHANGE: Meaning("View from a window changed", Unit.SHARE),
    FigureCode.ROOM_EDGE_DISPLACEMENT: Meaning("Edges of the room moved, in the worst part", Unit.SHARE),
    FigureCode.ROOM_EDGE_LOSS: Meaning("Edges of the room rubbed out, in the worst part", Unit.SHARE),
    FigureCode.ROOM_LINES_CONTINUED: Meaning("Lines of the room continued behind what was removed", Unit.SHARE),
    FigureCode.SMEARED_SHARE: Meaning("Smeared, in the worst part of what was made", Unit.SHARE),
    FigureCode.MISSING_DETAIL: Meaning("Detail missing, in the worst part of what was made", Unit.SHARE),
    FigureCode.REMAINING_OBJECTS: Meaning("Still seen of what was to be taken away", Unit.SHARE),
    FigureCode.CUT_OBJECTS: Meaning(
        "Length along which a thing was cut and a piece left, share of the width", Unit.SHARE
    ),
    FigureCode.UNCLEAR_BACKGROUND: Meaning(
        "Not like floor, wall or ceiling where things were taken away", Unit.SHARE
    ),
    FigureCode.LOST_LEGS: Meaning("Height of a leg that the new floor covers, share of the width", Unit.SHARE),
    FigureCode.FLOATING_FURNITURE: Meaning("Furniture not standing on the floor", Unit.SHARE),
    FigureCode.FURNITURE_HEIGHT: Meaning("Height of most of the furniture, in meters", Unit.METERS),
    FigureCode.REGION_EDGE_CUT: Meaning("Cut off at the edge of the edit", Unit.SHARE),
    FigureCode.STRAIGHTENED: Meaning("Verticals straightened, in degrees", Unit.DEGREES),
    FigureCode.DISTORTION_CORRECTED: Meaning("Distortion of the lens corrected, at the corners", Unit.SHARE),
    FigureCode.LENS_KNOWN: Meaning("Distortion known from the lens's name, not only from lines", Unit.YES_NO),
    FigureCode.CROPPED_SHARE: Meaning("Cropped where the picture was straightened", Unit.SHARE),
    FigureCode.FACES_BLURRED: Meaning("Faces blurred", Unit.COUNT),
    FigureCode.PLATES_BLURRED: Meaning("Number plates blurred", Unit.COUNT),
}
