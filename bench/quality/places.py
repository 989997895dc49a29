"""Where the photos to measure on lie: beside the checkout, never in it."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARED = next(
    (folder / "shared" for folder in ROOT.parents if (folder / "shared").is_dir()), ROOT.parent / "shared"
)
PHOTOS, LABELED = SHARED / "photos", SHARED / "eval"
TWINS = ROOT / "build" / "twins"
ROOMS = ROOT / "build" / "rooms"
FIGURES = ROOT / "build" / "quality.json"
PAGE = ROOT / "docs" / "pictures.md"


def pictures(folder: Path) -> list[Path]:
    """The photos directly in a folder, by name; none without the folder."""
    return sorted(path for path in folder.glob("*") if path.suffix.lower() in {".jpg", ".jpeg", ".webp"})
