"""What is compressed reaches clients whole, and its head alone says the same."""

import gzip

from tests.serving.conftest import Site

GZIP = "Accept-Encoding: gzip"


def test_a_compressed_answer_ends_where_its_head_says(site: Site) -> None:
    with site.line() as line:
        for _ in range(2):
            answer = line.ask("GET /docs HTTP/1.1", GZIP)
            assert (answer.status, answer.headers["content-encoding"]) == (200, "gzip")
            assert gzip.decompress(answer.body).rstrip().endswith(b"</html>")


def test_the_head_alone_is_that_of_the_compressed_answer(site: Site) -> None:
    path = "/static/css/brightlist.css"
    with site.line() as line:
        whole = line.ask(f"GET {path} HTTP/1.1", GZIP)
        line.send(f"HEAD {path} HTTP/1.1", GZIP)
        head = [line.reader.readline().decode().strip().lower() for _ in range(len(whole.headers) + 2)]
        assert line.ask(f"GET {path} HTTP/1.1", GZIP).body == whole.body
    assert f"content-length: {len(whole.body)}" in head
    assert "content-encoding: gzip" in head
