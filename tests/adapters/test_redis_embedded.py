"""The embedded Redis: private, keeping its queue, and found again by its mark."""

import os
import stat

import pytest
from redis import Redis

from app.adapters import redis_embedded
from app.supervision.instance import MARK, find_processes, mark_of
from tests import redis_server


def test_the_embedded_redis_keeps_its_queue_across_a_restart(tmp_path):
    with redis_server.run_server(tmp_path) as url:
        assert url == redis_embedded.url(redis_embedded.socket_path(tmp_path))
        Redis.from_url(url).rpush("queue", "job")
    with redis_server.run_server(tmp_path) as url:
        assert Redis.from_url(url).lrange("queue", 0, -1) == [b"job"]


def test_the_embedded_redis_is_private_also_where_a_long_path_moves_its_socket(tmp_path):
    for data_dir in (tmp_path, tmp_path / ("long" * 30)):
        data_dir.mkdir(exist_ok=True)
        with redis_server.run_server(data_dir):
            socket_path = redis_embedded.socket_path(data_dir)
            assert len(os.fsencode(socket_path)) <= 100
            assert stat.S_IMODE(socket_path.parent.stat().st_mode) == 0o700
            assert stat.S_IMODE(socket_path.stat().st_mode) == 0o700


def test_folders_get_sockets_of_their_own(tmp_path):
    paths = {redis_embedded.socket_path(tmp_path / (letter * 120)) for letter in "ab"}
    assert len(paths) == 2


def test_the_mark_survives_in_the_server(tmp_path):
    """Redis writes its title over its environment, unless told not to."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(MARK, mark_of(tmp_path))
        with redis_server.run_server(tmp_path):
            [server] = find_processes(tmp_path)
            assert server.exe() == str(redis_embedded.binary().resolve())


def test_a_folder_that_another_user_put_there_is_refused(tmp_path, monkeypatch):
    redis_embedded.prepare(tmp_path)
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    with pytest.raises(redis_embedded.RedisUnavailableError, match="or belongs to another user"):
        redis_embedded.prepare(tmp_path)


def test_a_link_in_place_of_the_private_folder_is_refused(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "redis").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(redis_embedded.RedisUnavailableError):
        redis_embedded.prepare(tmp_path)
