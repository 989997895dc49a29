"""Hosts in network namespaces of their own, on one bridge of this machine: they reach its servers and nothing else.

They have hostnames of their own, too, but share this machine's files and process ids. Only root may make them.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import count

import psutil

PREFIX = "bl-"
"""Of the names of our bridges and namespaces, before the id of the process that made them."""
NETWORKS = "198.18.{}"
"""Of the addresses that nobody uses but who measures networks (RFC 2544)."""
HOSTNAME = 'hostname "$0" && exec "$@"'


@dataclass(frozen=True, slots=True)
class Namespace:
    """A host's network. `enter` before a command runs it there, under the same process id."""

    name: str
    link: str

    @property
    def enter(self) -> tuple[str, ...]:
        """What stands before a command."""
        return ("ip", "netns", "exec", self.name, "unshare", "--uts", "sh", "-c", HOSTNAME, self.name)

    def cut(self) -> None:
        """Take the link down: what is sent is lost, and nobody is told."""
        _ip("link", "set", self.link, "down")

    def join(self) -> None:
        """Bring the link up again."""
        _ip("link", "set", self.link, "up")


class Network:
    """A bridge. `address`: this machine's own on it, where the servers listen."""

    def __init__(self, bridge: str, network: str) -> None:
        self.address = f"{network}.1"
        self._bridge, self._network = bridge, network
        self._numbers = count(2)

    @contextmanager
    def host(self) -> Iterator[Namespace]:
        """One more host, until the block is left. It has no route but to the bridge."""
        number = next(self._numbers)
        name = f"{self._bridge}-{number}"
        link = f"{name}v"
        with ExitStack() as stack:
            _ip("netns", "add", name)
            stack.callback(_ip, "netns", "delete", name)
            _ip("link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", name)
            stack.callback(_ip, "link", "delete", link)
            _ip("link", "set", link, "master", self._bridge, "up")
            for words in (("set", "lo", "up"), ("set", "eth0", "up")):
                _ip("-netns", name, "link", *words)
            _ip("-netns", name, "address", "add", f"{self._network}.{number}/24", "dev", "eth0")
            yield Namespace(name, link)


@contextmanager
def network() -> Iterator[Network]:
    """A bridge without hosts yet; it is gone when the block is left."""
    _remove_leftovers()
    bridge, made = f"{PREFIX}{os.getpid()}", NETWORKS.format(_free_number())
    _ip("link", "add", bridge, "type", "bridge")
    try:
        _ip("address", "add", f"{made}.1/24", "dev", bridge)
        _ip("link", "set", bridge, "up")
        yield Network(bridge, made)
    finally:
        _ip("link", "delete", bridge)


def missing() -> str:
    """Why there can be no namespaces here; nothing where there can."""
    if os.geteuid() != 0:
        return "only root may make network namespaces"
    if not shutil.which("ip"):
        return "the command ip is not installed (iproute2)"
    tried = subprocess.run(["unshare", "--net", "--uts", "ip", "link"], capture_output=True, text=True, check=False)
    return "" if tried.returncode == 0 else f"the kernel refuses network namespaces: {tried.stderr.strip()}"


def _remove_leftovers() -> None:
    """What runs left that were killed; their processes have ended, or end with the folders of their services."""
    for command, remove in ((["ip", "-brief", "link"], "link"), (["ip", "netns", "list"], "netns")):
        shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        for name, pid in re.findall(rf"^({PREFIX}(\d+)(?:-\d+v?)?)\b", shown, re.MULTILINE):
            if not psutil.pid_exists(int(pid)):
                # Another run may be about the same.
                with suppress(subprocess.CalledProcessError):
                    _ip(remove, "delete", name)


def _free_number() -> int:
    shown = subprocess.run(["ip", "-4", "-brief", "address"], capture_output=True, text=True, check=True).stdout
    wanted = (os.getpid() + each for each in range(256))
    return next(each % 256 for each in wanted if f"{NETWORKS.format(each % 256)}." not in shown)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], capture_output=True, check=True)
