"""GET /api/v1/downloads/{jobId}: which photo each picture is of, those without one, and names for the files."""

from app.container import Container
from tests.conftest import PHOTO, Api, order_body, work
from tests.fakes import photo


def test_every_picture_names_its_photo_and_the_others_are_listed_beside(api: Api, container: Container) -> None:
    order = api.order([PHOTO, photo("DECLINE"), photo("another")], [photo("BLANK")])
    work(container)
    blank, first, declined, last = order["assets"]
    found = api.get(f"/downloads/{order['jobId']}").json
    assert [(each["photoId"], each["index"]) for each in found["images"]] == [(first["id"], 0), (last["id"], 2)]
    named = [(each["photoId"], each["type"], each["index"], each["fileName"]) for each in found["rejected"]]
    assert named == [(each["id"], each["type"], each["index"], each["fileName"]) for each in (blank, declined)]
    assert [(each["code"], each["reason"]) for each in found["rejected"]] == [
        ("blank", "The picture is blank."),
        ("all_steps_declined", "Not available."),
    ]
    quality = {each["id"]: each["imageId"] for each in api.get(f"/jobs/{order['jobId']}/quality").json["photos"]}
    assert [each["imageId"] for each in found["rejected"]] == [quality[each["id"]] for each in (blank, declined)]


def test_the_names_of_a_job_differ_and_have_at_most_200_bytes(api: Api, container: Container) -> None:
    long = "é" * 300
    names = [
        "a.jpg",
        "A.JPG",
        "a.jpeg",
        "b.version1",
        "b.version2",
        long,
        f"{long}.tiff",
        f"{long}.jpg",
        "c",
        "c.png",
    ]
    files = api.upload([photo(name) for name in names])
    for file, name in zip(files["interiorFiles"], names, strict=True):
        file["fileName"] = name
    assert api.post("/orders/from-uploads", {**order_body(), **files}).status_code == 200
    work(container)
    job_id = api.get("/jobs").json["jobs"][0]["jobId"]
    made = [each["fileName"] for each in api.get(f"/downloads/{job_id}").json["images"]]
    assert len({name.casefold() for name in made}) == len(names), made
    assert max(len(name.encode()) for name in made) <= 200
    assert all(name.endswith(".jpg") for name in made)
    assert (made[0], made[3]) == ("a.jpg", "b.version1.jpg")
