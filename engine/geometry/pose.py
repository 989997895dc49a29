"""The pose of a camera as five numbers that a search can vary: focal length, yaw, pitch, roll and shift."""

from dataclasses import dataclass, replace

import numpy as np

from engine.geometry.camera import Camera, Points
from engine.geometry.segments import Numbers


@dataclass(frozen=True, slots=True)
class Pose:
    """The focal length, orientation and center of a camera.

    `focal` and `shift` are in halves of the picture's diagonal; `shift` moves the center downwards. Angles are in
    radians: `yaw` to the right of the room's y, `pitch` downwards, `roll` clockwise as the camera turns.
    """

    focal: float
    yaw: float
    pitch: float
    roll: float
    shift: float

    def as_array(self) -> Numbers:
        """Convert the pose to numbers of similar magnitude for a search.

        Returns
        -------
        (5,) ndarray of float64
            Natural logarithm of `focal`, `yaw`, `pitch`, `roll`, `shift`.
        """
        return np.array([np.log(self.focal), self.yaw, self.pitch, self.roll, self.shift])

    def turn(self) -> Points:
        """The camera's orientation.

        Returns
        -------
        (3, 3) ndarray of float64
            The picture's directions right, down and forward, as rows, in the room: see `Camera.turn`.
        """
        return rotation_matrix(self.yaw, self.pitch, self.roll)

    def camera(self, width: int, height: int) -> Camera:
        """Make the camera of a picture of this size, one meter over the floor.

        Parameters
        ----------
        width, height : int
            Size of the picture, in pixels.

        Returns
        -------
        Camera
            The camera.
        """
        unit = float(np.hypot(width, height)) / 2
        center = width / 2, height / 2 + self.shift * unit
        return Camera(self.focal * unit, center, self.turn(), 1.0)

    def facing(self) -> "Pose":
        """Choose as the room's y the main direction nearest to the camera's axis; the view stays the same.

        Returns
        -------
        Pose
            The pose, its yaw from -45 to below 45 degrees, in radians.
        """
        return replace(self, yaw=float((self.yaw + np.pi / 4) % (np.pi / 2) - np.pi / 4))


def read_pose(numbers: Numbers) -> Pose:
    """Read the pose that `Pose.as_array` wrote.

    Parameters
    ----------
    numbers : (5,) ndarray of float64
        Natural logarithm of the focal length, yaw, pitch, roll, shift.

    Returns
    -------
    Pose
        The pose.
    """
    return Pose(float(np.exp(numbers[0])), *(float(each) for each in numbers[1:]))


def rotation_matrix(yaw: float, pitch: float, roll: float) -> Points:
    """Compute the orientation of a camera from its angles.

    Parameters
    ----------
    yaw : float
        To the right of the room's y, in radians.
    pitch : float
        Downwards, in radians.
    roll : float
        Clockwise as the camera turns, in radians.

    Returns
    -------
    (3, 3) ndarray of float64
        The picture's directions right, down and forward, as rows, in the room.
    """
    forward = np.array([np.sin(yaw), np.cos(yaw), 0.0])
    right = np.array([np.cos(yaw), -np.sin(yaw), 0.0])
    down = np.array([0.0, 0.0, -1.0])
    ahead = np.cos(pitch) * forward + np.sin(pitch) * down
    below = np.cos(pitch) * down - np.sin(pitch) * forward
    return np.stack(
        [np.cos(roll) * right + np.sin(roll) * below, np.cos(roll) * below - np.sin(roll) * right, ahead]
    )


def estimate_upright_pose(vertical: Numbers, focal: float, shift: float) -> tuple[float, float]:
    """Compute pitch and roll of a camera from the vanishing point of upright edges.

    Parameters
    ----------
    vertical : (3,) ndarray of float64
        The vanishing point, homogeneous, in halves of the diagonal from the picture's middle, y > 0.
    focal : float
        Focal length, in halves of the diagonal.
    shift : float
        Shift of the center downwards, in halves of the diagonal.

    Returns
    -------
    pitch : float
        Downwards, in radians.
    roll : float
        Clockwise as the camera turns, in radians.
    """
    down = np.array([vertical[0], vertical[1] - shift * vertical[2], vertical[2] * focal])
    down = down / np.linalg.norm(down)
    pitch = float(np.arcsin(np.clip(down[2], -1, 1)))
    return pitch, float(np.arctan2(down[0], down[1]))
