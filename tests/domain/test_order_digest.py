"""What orders are compared by stays the same over releases: an order sent again is known as the one it was."""

from app.domain.order_rules import read_order
from app.domain.orders import PlaceOrder

BEFORE_THERE_WERE_FRAMES = "95b74d2bb4b5a75aab74eeaf68f09ad463474a57b437be4fadef856a28c6407e"


def order(**of_first_room: object) -> PlaceOrder:
    body = {
        "address": "12 Garden Lane, Springfield, IL 62704",
        "serviceType": "both",
        "uploadSessionId": "ups_2Xc8vPq1LmT5rWz0aBnE7d",
        "exteriorEnhancements": ["sky_enhancement"],
        "interiorEnhancements": ["hdr_enhancement"],
        "exteriorFiles": [{"filePath": "uploads/u/exterior-0"}],
        "interiorFiles": [
            {"filePath": "uploads/u/interior-0", "fileName": "living.jpg", **of_first_room},
            {"filePath": "uploads/u/interior-1", "index": 1, "uploadUrl": "x"},
        ],
    }
    return read_order(body, False)


def test_an_order_without_groups_is_the_one_it_was_before_there_were_frames() -> None:
    assert order().digest() == BEFORE_THERE_WERE_FRAMES
    assert order(photo=0, frame=0).digest() == BEFORE_THERE_WERE_FRAMES


def test_a_group_makes_another_order() -> None:
    assert order(group="a").digest() != BEFORE_THERE_WERE_FRAMES
