"""Declines requests that no photo allows, each with a message for the customer."""

import re

from engine.canvas import Declined
from engine.materials.plain_words import FOREIGN, PRAISE, SMALL_TALK
from engine.types.report import Reason

HIDING_WORDS = (
    r"\b(hid\w*|cover\w*|conceal\w*|mask\w*|remov\w*|repair\w*|fix\w*|eras\w*|get rid of|disguis\w*|patch\w*"
    r"|without)\b"
)
DEFECT_WORDS = (
    r"\b(crack\w*|stain|stains|water stain\w*|damp\w*|mou?ld[sy]?|mildew|damage\w*|rot|rotten|rotting|hole"
    r"|holes|leak\w*|scratch\w*|defect\w*|peeling|rust spots?|burn marks?|subsidence|asbestos|water marks?"
    r"|flaking)\b"
)
LAID_OVER_DEFECT = (
    rf"\b(over|onto|on top of) ((the|all|any|these|those|that|this|some|my|our) )?(\w+ )?{DEFECT_WORDS}"
)
MADE_INVISIBLE = r"\b(make|let|so that|disappear|go away|gone|vanish|invisible|not visible|no more|no longer)\b"
STRUCTURAL_CHANGES = (
    r"\b(knock\w* (down|through|out)|tear\w* down|demolish\w*|remov\w* (the |a |this |that )?(\w+ )?(wall|door"
    r"|window|column|pillar|beam|chimney|stair\w*)s?\b|(add|insert|build|install|put in|create)"
    r" (a |an |another |more |new )*(\w+ )?(window|door|wall|skylight|balcony|fireplace|stairs?"
    r"|staircase|room|arch|opening)s?\b"
    r"|open[- ]plan|open up|extend the|enlarge|make the (room|window|kitchen)s? (bigger|larger|wider)"
    r"|raise the ceiling|move the (wall|door|window))"
)
WALLPAPERS = r"\b(wall ?paper\w*|mural\w*|fresco\w*|damask|floral|toile|stencil\w*)\b"
ADVICE = 'Name a material or a color, such as "light oak planks" or "sage green".'
WALL_COVERING_REMOVAL = re.compile(
    r"\bremov\w* (the )?(old |existing )?(wall ?paper|wall (tile|covering|panel|paint)\w*)\b"
)
"""Removal of a wall's covering, which is allowed: it removes no wall and asks for no wallpaper."""


def refuse_requests(text: str) -> None:
    """Refuse a description of something that renovations are not allowed to do, or cannot do.

    Parameters
    ----------
    text : str
        In lower case.

    Raises
    ------
    Declined
        HIDES_DEFECTS; STRUCTURAL_CHANGE; NOT_AVAILABLE, for wallpaper and painted pictures.
    """
    hidden = any(re.search(each, text) for each in (HIDING_WORDS, MADE_INVISIBLE, LAID_OVER_DEFECT))
    if hidden and re.search(DEFECT_WORDS, text):
        message = "Listings may not hide defects: cracks, stains, damp or damage stay visible."
        raise Declined(Reason.HIDES_DEFECTS, message)
    if re.search(STRUCTURAL_CHANGES, WALL_COVERING_REMOVAL.sub("", text)):
        message = "Only surfaces are renovated: walls, doors, windows and the size of a room stay as they are."
        raise Declined(Reason.STRUCTURAL_CHANGE, message)
    if re.search(WALLPAPERS, WALL_COVERING_REMOVAL.sub("", text)):
        message = (
            "Wallpaper and painted pictures cannot be done yet. Paint, plaster, tiles, brick and panelling can."
        )
        raise Declined(Reason.NOT_AVAILABLE, message)


def explain_not_understood(words: list[str]) -> Declined:
    """Explain why a description is declined in which no material, color or way of laying was understood.

    Parameters
    ----------
    words : list of str
        Its words, in lower case.

    Returns
    -------
    Declined
        To be raised by the caller: NOT_ENGLISH or NOT_UNDERSTOOD.
    """
    letters = [word for word in words if any(letter.isalpha() for letter in word)]
    non_ascii = sum(not word.isascii() for word in letters)
    foreign = sum(word in FOREIGN for word in letters)
    english = sum(word in SMALL_TALK for word in letters)
    if letters and (non_ascii > len(letters) / 2 or (foreign + non_ascii >= 2 and foreign + non_ascii > english)):
        return Declined(Reason.NOT_ENGLISH, f"Descriptions are understood in English only. {ADVICE}")
    if any(word in PRAISE for word in letters):
        return Declined(Reason.NOT_UNDERSTOOD, f"The description names no material and no color. {ADVICE}")
    return Declined(Reason.NOT_UNDERSTOOD, f"The description was not understood. {ADVICE}")


def is_foreign(words: list[str]) -> bool:
    """Whether a description is in a language other than English; some of its words may also be English.

    Parameters
    ----------
    words : list of str
        Its words, in lower case.

    Returns
    -------
    bool
        True if at least two words are foreign, and if foreign words outnumber common English words.
    """
    foreign = sum(word in FOREIGN or not word.isascii() for word in words)
    return foreign >= 2 and foreign > sum(word in SMALL_TALK for word in words)
