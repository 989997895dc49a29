"""A picture server in the settings reaches the engine and the front page."""

from app.adapters.generative_http import ImagesEditServer
from app.adapters.generative_limits import LimitedServer
from app.application import create_app
from app.container import Container
from app.domain.catalog import ENTRIES
from app.settings import Settings
from engine.pipeline import PictureEngine

URL = "https://pictures.example/v1"


def with_server(settings: Settings) -> Container:
    chosen = {"generative_url": URL, "generative_key": "k" * 20, "generative_timeout_seconds": 33}
    return Container(Settings(**{**settings.model_dump(), **chosen, "secret_key": "s" * 32}))


def test_the_engine_asks_the_server_of_the_settings(settings: Settings) -> None:
    assert Container(settings).engine == PictureEngine()
    server = LimitedServer(ImagesEditServer(URL, "k" * 20, "gpt-image-1"), settings.redis_url)
    assert with_server(settings).engine == PictureEngine(server, 33)


def test_how_it_works_says_who_makes_the_pictures_of_rooms(settings: Settings) -> None:
    unaided, aided = (how_it_works(each) for each in (Container(settings), with_server(settings)))
    needy = [entry for entry in ENTRIES.values() if entry.generative]
    seldom = [entry for entry in needy if entry.warning_without_server]
    assert aided.count("Made by a picture model") == len(needy) == 4
    assert unaided.count("lines and surfaces") == len(needy) - len(seldom)
    assert unaided.count("most photos are declined") == len(seldom) == 2
    assert "Made by a picture model" not in unaided
    assert "most photos are declined" not in aided


def how_it_works(container: Container) -> str:
    return create_app(container=container).test_client().get("/how-it-works").text
