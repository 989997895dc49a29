"""Messages about files that seem to be frames of one view but are not, and about groups that lack a frame."""

from collections.abc import Mapping

from engine.grouping.merge_obstacles import GroupProblemCode

GROUP_MESSAGES: Mapping[GroupProblemCode, str] = {
    GroupProblemCode.MISSING_EXPOSURE: "One exposure seems to be missing in this group.",
    GroupProblemCode.EQUAL_EXPOSURES: "These show one view in the same exposure, so each stays a separate photo.",
    GroupProblemCode.CAMERA_MOVED: "The camera moved between these, so they are not grouped.",
    GroupProblemCode.OTHER_VIEW: "These were taken in a row but show different views, so they are not grouped.",
    GroupProblemCode.SIZES_DIFFER: "These show one view but differ in size, so they are not grouped.",
    GroupProblemCode.UNREADABLE: "This file cannot be read as a photo.",
}
GROUP_FAULTS: Mapping[GroupProblemCode, str] = {
    GroupProblemCode.CAMERA_MOVED: "The camera moved too far between its frames to make one picture of them.",
    GroupProblemCode.OTHER_VIEW: "Its frames show different views.",
    GroupProblemCode.SIZES_DIFFER: "Its frames differ in size.",
    GroupProblemCode.UNREADABLE: "One of its frames cannot be read as a photo.",
}
"""Messages for groups in an order that cannot become one photo."""
