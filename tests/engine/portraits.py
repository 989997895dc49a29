"""Drawn things that privacy is about: a face that the detector knows, and a number plate."""

import cv2
import numpy as np

from tests.scenes import Picture

SKIN, HAIR, WHITE, DARK, LIPS = (224, 172, 140), (70, 45, 30), (240, 240, 240), (40, 30, 25), (170, 80, 80)


def draw_face(picture: Picture, x: int, y: int, size: int) -> None:
    """Draw a face into the picture, `size` pixels wide, with its nose at a point."""
    big = 8 * size

    def at(across: float, down: float) -> tuple[int, int]:
        return round(big * (1 + across)), round(big * (1 + down))

    def oval(across: float, down: float, wide: float, tall: float, color: tuple[int, int, int]) -> None:
        cv2.ellipse(canvas, at(across, down), (round(big * wide), round(big * tall)), 0, 0, 360, color, -1)

    canvas = np.full((2 * big, 2 * big, 3), (150, 160, 170), np.uint8)
    oval(0, 0.9, 0.75, 0.45, (60, 80, 130))
    cv2.rectangle(canvas, at(-0.17, 0.4), at(0.17, 0.7), tuple(int(0.8 * each) for each in SKIN), -1)
    oval(0, -0.15, 0.56, 0.62, HAIR)
    oval(0, 0, 0.46, 0.62, SKIN)
    oval(0, -0.62, 0.42, 0.22, HAIR)
    for side in (-1, 1):
        oval(0.2 * side, -0.12, 0.1, 0.055, WHITE)
        oval(0.2 * side, -0.12, 0.05, 0.05, DARK)
        cv2.ellipse(
            canvas, at(0.2 * side, -0.2), (round(0.13 * big), round(0.06 * big)), 0, 180, 360, HAIR, big // 25
        )
        oval(0.05 * side, 0.14, 0.025, 0.015, (150, 100, 80))
        oval(0.3 * side, 0.15, 0.1, 0.07, (228, 160, 135))
    cv2.line(canvas, at(-0.03, -0.08), at(-0.06, 0.13), (190, 140, 112), big // 40)
    cv2.ellipse(canvas, at(0, 0.14), (round(0.07 * big), round(0.035 * big)), 0, 0, 180, (180, 125, 100), big // 40)
    oval(0, 0.32, 0.17, 0.055, LIPS)
    cv2.line(canvas, at(-0.16, 0.32), at(0.16, 0.32), (110, 45, 45), big // 50)
    soft = cv2.GaussianBlur(canvas, (0, 0), big / 60)
    small = cv2.resize(soft, (2 * size, 2 * size), interpolation=cv2.INTER_AREA)
    picture[y - size : y + size, x - size : x + size] = small


def draw_plate(picture: Picture, x: int, y: int, width: int, signs: str = "KLM 4821") -> None:
    """Draw a number plate into the picture, a quarter as high as wide, with its middle at a point."""
    plate = np.full((100, 400, 3), 235, np.uint8)
    cv2.putText(plate, signs, (22, 72), cv2.FONT_HERSHEY_SIMPLEX, 2.3, (20, 20, 30), 8)
    small = cv2.resize(plate, (width, width // 4), interpolation=cv2.INTER_AREA)
    left, top = x - width // 2, y - width // 8
    picture[top : top + width // 4, left : left + width] = small
