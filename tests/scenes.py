"""Scenes drawn for the engine's tests and benches: a house under the sky, a room, and files made of them."""

import io
import struct

import cv2
import numpy as np
import pillow_heif
from numpy.typing import NDArray
from PIL import ExifTags, Image

Picture = NDArray[np.uint8]
OVERCAST, BLUE, DUSK = (226, 230, 234), (112, 160, 214), (28, 34, 58)
DRY, FRESH = (150, 138, 84), (70, 120, 48)
# Where things stand, as shares of width and height: left, top, right, bottom.
HOUSE = (0.22, 0.34, 0.78, 0.68)
LAWN_TOP, SKY_BOTTOM = 0.72, 0.55
WINDOWS = ((0.28, 0.42, 0.36, 0.54), (0.44, 0.42, 0.52, 0.54), (0.64, 0.42, 0.72, 0.54))

pillow_heif.register_heif_opener()


def house(
    width: int = 480,
    height: int = 320,
    sky: tuple[int, int, int] = OVERCAST,
    lawn: tuple[int, int, int] = DRY,
    light: float = 1.0,
) -> Picture:
    """A white house with a dark roof and three windows, bushes left and right, lawn before it, sky above."""
    picture = _sky(width, height, sky)
    noise = np.random.Generator(np.random.PCG64(7))
    _bushes(picture, noise)
    _fill(picture, HOUSE, (222, 218, 210))
    roof = np.array([(0.18, 0.36), (0.5, 0.14), (0.82, 0.36)]) * (width, height)
    cv2.fillPoly(picture, [roof.astype(np.int32)], (86, 76, 74), cv2.LINE_AA)
    for window in WINDOWS:
        _fill(picture, window, (48, 56, 66))
    _fill(picture, (0, 0.66, 1, LAWN_TOP), (150, 148, 146))
    _fill(picture, (0, LAWN_TOP, 1, 1), lawn)
    ground = picture[int(height * LAWN_TOP) :].astype(np.float32)
    ground *= 1 + 0.16 * noise.standard_normal(ground.shape[:2], dtype=np.float32)[..., None]
    picture[int(height * LAWN_TOP) :] = np.clip(ground, 0, 255)
    grain = noise.standard_normal((height, width), dtype=np.float32)[..., None]
    return np.clip(picture * light + grain * 1.5, 0, 255).astype(np.uint8)


def backlit_house(sky: tuple[int, int, int] = OVERCAST, light: float = 0.3) -> Picture:
    """The house by day with the light behind it: its sky as bright as ever, all else in the shade."""
    before = cv2.absdiff(house(sky=(0, 0, 0)), house(sky=(255, 255, 255))).max(-1) > 60
    return np.where(before[..., None], house(sky=sky), house(sky=sky, light=light))


def house_without_sky() -> Picture:
    """The house, of boards, and the lawn, cropped below the roof's ridge."""
    picture = house(640, 480, lawn=FRESH)
    boards = picture[: int(480 * HOUSE[3]) : 12]
    boards[boards.min(-1) > 190] -= 40
    return np.ascontiguousarray(picture[int(480 * 0.4) :, int(640 * 0.24) : int(640 * 0.76)])


def house_on_asphalt() -> Picture:
    """The house with gray asphalt where the lawn would be."""
    return house(lawn=(118, 119, 121))


def room(width: int = 480, height: int = 320, cast: tuple[float, float, float] = (1.0, 0.9, 0.72)) -> Picture:
    """A dim room under yellow lamps: ceiling, walls, wooden floor, a bright window, a dark sofa."""
    noise = np.random.Generator(np.random.PCG64(11))
    picture = np.full((height, width, 3), (150, 150, 150), np.uint8)
    _fill(picture, (0, 0, 1, 0.2), (172, 172, 172))
    _fill(picture, (0, 0.7, 1, 1), (116, 84, 56))
    for plank in range(12):
        _fill(picture, (plank / 12, 0.7, plank / 12 + 0.004, 1), (84, 58, 38))
    _fill(picture, (0.1, 0.28, 0.34, 0.58), (248, 250, 252))
    _fill(picture, (0.215, 0.28, 0.225, 0.58), (160, 160, 160))
    _fill(picture, (0.5, 0.52, 0.9, 0.82), (52, 56, 66))
    away = np.linspace(1.0, 0.62, width, dtype=np.float32)[None, :, None]
    lit = picture * away * np.array(cast, np.float32)
    lit[int(height * 0.28) : int(height * 0.58), int(width * 0.1) : int(width * 0.34)] = picture[
        int(height * 0.28) : int(height * 0.58), int(width * 0.1) : int(width * 0.34)
    ]
    return np.clip(lit + noise.standard_normal((height, width, 1)) * 1.5, 0, 255).astype(np.uint8)


def _sky(width: int, height: int, color: tuple[int, int, int]) -> Picture:
    rows = np.linspace(0, 1, height, dtype=np.float32)[:, None, None]
    sky = np.array(color, np.float32) * (1 - rows * 0.05)
    return np.repeat(sky, width, 1).astype(np.uint8)


def _bushes(picture: Picture, noise: np.random.Generator) -> None:
    height, width = picture.shape[:2]
    for left, right in ((0.0, 0.2), (0.8, 1.0)):
        for _ in range(260):
            x, y = noise.uniform(left, right), noise.uniform(0.5, 0.7)
            shade = noise.uniform(0.6, 1.1)
            color = tuple(float(each * shade) for each in (52, 82, 38))
            cv2.circle(picture, (int(x * width), int(y * height)), max(2, width // 70), color, -1, cv2.LINE_AA)


def _fill(picture: Picture, box: tuple[float, float, float, float], color: tuple[int, int, int]) -> None:
    height, width = picture.shape[:2]
    left, top, right, bottom = box
    picture[round(top * height) : round(bottom * height), round(left * width) : round(right * width)] = color


def part(picture: Picture, box: tuple[float, float, float, float]) -> Picture:
    """The pixels inside a box given in shares of the size."""
    height, width = picture.shape[:2]
    left, top, right, bottom = box
    return picture[round(top * height) : round(bottom * height), round(left * width) : round(right * width)]


def encoded(picture: Picture, format_name: str = "JPEG", **options: object) -> bytes:
    """The picture as a file of this Pillow format; JPEG at quality 95, 4:4:4."""
    if format_name == "JPEG":
        options = {"quality": 95, "subsampling": 0, **options}
    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, format_name, **options)
    return buffer.getvalue()


def decoded(content: bytes) -> Picture:
    """The pixels of a file as they lie there, without regard to orientation or profile."""
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))


def sixteen_bit_tiff(picture: Picture) -> bytes:
    """A TIFF with 16 bits a channel."""
    done, content = cv2.imencode(".tiff", picture[..., ::-1].astype(np.uint16) * 257)
    assert done
    return content.tobytes()


def camera_exif(orientation: int = 1) -> bytes:
    """EXIF as a camera writes it: make, exposure, date, serial number, maker's note, place, whose it is."""
    exif = Image.Exif()
    exif[ExifTags.Base.Artist] = "Pat Photographer"
    exif[ExifTags.Base.ImageDescription] = "The house of the Smiths"
    exif[ExifTags.Base.Copyright] = "2024 Studio"
    exif[ExifTags.Base.Make] = "Drawn"
    exif[ExifTags.Base.Model] = "Scene 1"
    exif[ExifTags.Base.Orientation] = orientation
    inner = exif.get_ifd(ExifTags.IFD.Exif)
    inner[ExifTags.Base.ExposureTime] = 0.01
    inner[ExifTags.Base.DateTimeOriginal] = "2024:05:01 12:00:00"
    inner[ExifTags.Base.BodySerialNumber] = "SN12345"
    inner[ExifTags.Base.MakerNote] = b"private notes"
    place = exif.get_ifd(ExifTags.IFD.GPSInfo)
    place[ExifTags.GPS.GPSLatitudeRef] = "N"
    place[ExifTags.GPS.GPSLatitude] = (48.0, 12.0, 30.0)
    return exif.tobytes()


def turned(picture: Picture, orientation: int) -> Picture:
    """How a camera held so that it writes this EXIF orientation stores the upright picture."""
    stored = {
        1: picture,
        2: picture[:, ::-1],
        3: picture[::-1, ::-1],
        4: picture[::-1],
        5: picture.transpose(1, 0, 2),
        6: picture.transpose(1, 0, 2)[::-1],
        7: picture.transpose(1, 0, 2)[::-1, ::-1],
        8: picture.transpose(1, 0, 2)[:, ::-1],
    }
    return np.ascontiguousarray(stored[orientation])


def wide_rgb_profile() -> bytes:
    """A small matrix profile with the primaries of Display P3 (adapted to D50) and a gamma of 2.2."""
    primaries = ((0.5151, 0.2412, -0.0011), (0.2919, 0.6922, 0.0419), (0.1572, 0.0666, 0.7841))
    tags = {b"wtpt": _xyz(0.9642, 1.0, 0.8249)}
    tags |= {name: _xyz(*xyz) for name, xyz in zip((b"rXYZ", b"gXYZ", b"bXYZ"), primaries, strict=True)}
    curve = b"curv" + struct.pack(">4xIH2x", 1, round(2.2 * 256))
    tags |= dict.fromkeys((b"rTRC", b"gTRC", b"bTRC"), curve)
    tags[b"desc"] = b"desc" + struct.pack(">4xI", 5) + b"wide\0" + bytes(78)
    tags[b"cprt"] = b"text" + bytes(4) + b"none\0\0\0\0"
    table, body = struct.pack(">I", len(tags)), b""
    for name, content in tags.items():
        table += struct.pack(">4sII", name, 132 + 12 * len(tags) + len(body), len(content))
        body += content + bytes(-len(content) % 4)
    size = 128 + len(table) + len(body)
    head = struct.pack(">I4xI4s4s4s", size, 0x02400000, b"mntr", b"RGB ", b"XYZ ") + bytes(12) + b"acsp"
    return head.ljust(68, b"\0") + struct.pack(">3i", *_fixed(0.9642, 1.0, 0.8249)) + bytes(48) + table + body


def _xyz(*values: float) -> bytes:
    return b"XYZ " + struct.pack(">4x3i", *_fixed(*values))


def _fixed(*values: float) -> list[int]:
    return [round(value * 65536) for value in values]
