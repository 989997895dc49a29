"""Upright rectangles around things in a picture."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Box:
    """An upright rectangle: its center and size, in pixels."""

    x: float
    y: float
    width: float
    height: float

    def scale(self, factor: float) -> "Box":
        """The same rectangle in a picture that is larger by a factor.

        Parameters
        ----------
        factor : float
            Size of the other picture divided by the size of this one.

        Returns
        -------
        Box
            In pixels of the other picture.
        """
        return Box(self.x * factor, self.y * factor, self.width * factor, self.height * factor)

    def measure_common(self, other: "Box") -> float:
        """The common area of two rectangles as a share, 0-1, of the smaller one.

        Parameters
        ----------
        other : Box
            The other rectangle.

        Returns
        -------
        float
            1 where one is within the other.
        """
        across = min(self.x + self.width / 2, other.x + other.width / 2) - max(
            self.x - self.width / 2, other.x - other.width / 2
        )
        down = min(self.y + self.height / 2, other.y + other.height / 2) - max(
            self.y - self.height / 2, other.y - other.height / 2
        )
        smaller = min(self.width * self.height, other.width * other.height)
        return max(0.0, across) * max(0.0, down) / smaller
