"""Hostile files: each ends in a clear refusal or a clean result, and no worker is lost."""

import pytest

from tests.journeys.service import ROOT, Service

FOLDER = ROOT.parent / "shared" / "photos" / "hostile"
HARD = (
    "gen_1500_frames.gif",
    "gen_bomb_30000x30000_1bit.png",
    "gen_html_as.jpg",
    "gen_iccp_bomb.png",
    "gen_polyglot_jpeg_zip.jpg",
    "gen_progressive_900scans_6000x4000.jpg",
    "gen_sof_65500x65500.jpg",
    "gen_truncated_50pct.jpg",
    "its_0132cfdbd8ca323574a2072e7ed5014c.png",
    "pillow_truncated_image.png",
    "sharp_65536-uint32-limit.png",
    "sharp_giant-image.jpg",
)
"""Those that take most, and one of each kind; the API, the engine and the lane of previews have tests with all."""


@pytest.mark.skipif(not FOLDER.is_dir(), reason="the hostile files are not on this machine")
def test_hostile_files_harm_nobody(service: Service) -> None:
    client = service.client()
    workers = service.standing("work photos$")
    assert workers
    jobs = []
    for path in map(FOLDER.joinpath, HARD):
        room = client.call("POST", "/orders/upload-urls", json={"interiorCount": 1})
        (target,) = room["interiorUrls"]
        put = client.put(target["uploadUrl"], path.read_bytes())
        assert put.status_code in (200, 415), (path.name, put.text)
        if put.status_code == 200:
            files = {
                "uploadSessionId": room["uploadSessionId"],
                "interiorFiles": [{"filePath": target["filePath"]}],
            }
            order = client.ask_order(files, serviceType="interior", interiorEnhancements=["hdr_enhancement"])
            if order.ok:
                jobs.append(order.json()["jobId"])
            else:
                # Its look was quicker than the order: refused before it is paid.
                assert order.status_code == 400, (path.name, order.text)
                assert list(order.json()["details"]) == ["interiorFiles[0].filePath"], (path.name, order.text)
    statuses = [client.settled(job_id) for job_id in jobs]
    assert {status["status"] for status in statuses} <= {"approved", "undeliverable"}
    assert all(each["undeliverable"]["reason"] for each in statuses if each["status"] == "undeliverable")
    assert workers <= service.standing("work photos$")
    assert service.mismatches() == []
