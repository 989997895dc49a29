"""A picture server in the settings reaches the engine and the front page."""

from app.adapters.generative_http import ImagesEditServer
from app.application import create_app
from app.container import Container
from app.domain.catalogue import ENTRIES
from app.engine.pipeline import PictureEngine
from app.settings import Settings

URL = "https://pictures.example/v1"


def with_server(settings: Settings) -> Container:
    chosen = {"generative_url": URL, "generative_key": "k" * 20, "generative_timeout_seconds": 33}
    return Container(Settings(**{**settings.model_dump(), **chosen, "secret_key": "s" * 32}))


def soon(container: Container) -> int:
    app = create_app(container=container)
    return app.test_client().get("/").text.count(">soon<")


def test_the_engine_asks_the_server_of_the_settings(settings: Settings) -> None:
    assert Container(settings).engine == PictureEngine()
    server = ImagesEditServer(URL, "k" * 20, "gpt-image-1")
    assert with_server(settings).engine == PictureEngine(server, 33)


def test_the_front_page_promises_for_later_what_needs_a_server(settings: Settings) -> None:
    needy = sum(entry.generative for entry in ENTRIES.values())
    assert soon(Container(settings)) == needy == 4
    assert soon(with_server(settings)) == 0
