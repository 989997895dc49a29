"""Where webhooks may be sent: only to public addresses, whatever a name or a number says it is."""

from ipaddress import ip_address

import pytest

from app.adapters.address_policy import NOT_ALLOWED, AddressRules, is_public
from app.domain.sending import AddressNotAllowedError

BAD = [
    "127.0.0.1",
    "10.0.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "239.1.1.1",
    "240.0.0.1",
    "255.255.255.255",
    "192.0.0.1",
    "192.88.99.1",
    "198.18.0.1",
    "192.0.2.1",
    "172.31.255.255",
    "::1",
    "::",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "::7f00:1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::7f00:1",
    "2002:7f00:1::",
    "2001::1",
    "2001:0:53aa:64c::1",
    "fe80::1",
    "fe80::1%eth0",
    "fec0::1",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "5f00::1",
    "100::1",
    "3fff::1",
    "2001:db8::1",
    "::ffff:0:7f00:1",
    "::5efe:7f00:1",
]
GOOD = ["1.1.1.1", "8.8.8.8", "::ffff:8.8.8.8", "2606:4700:4700::1111", "2001:4860:4860::8888", "2a00:1450::1"]
PUBLIC = "93.184.216.34"
RULES = AddressRules(allow_private=False, own_netloc="photos.example")
AT_HOME = AddressRules(allow_private=True, own_netloc="localhost:8000")


def refusal(rules: AddressRules, url: str, *answers: str) -> str:
    with pytest.raises(AddressNotAllowedError) as refused:
        rules.admit(rules.parse(url), answers)
    return str(refused.value)


def test_there_are_36_bad_addresses() -> None:
    assert len(set(BAD)) == 36


@pytest.mark.parametrize("rules", [RULES, AT_HOME])
@pytest.mark.parametrize("address", BAD)
def test_an_address_that_is_not_public_is_refused(rules: AddressRules, address: str) -> None:
    this_machine = {"127.0.0.1", "::1", "::ffff:127.0.0.1"}
    if rules is AT_HOME and address in this_machine:
        assert rules.admit(rules.parse("https://hooks.example/"), [address])
    else:
        assert refusal(rules, "https://hooks.example/", address) == NOT_ALLOWED


@pytest.mark.parametrize("address", GOOD)
def test_a_public_address_is_admitted_in_its_plain_form(address: str) -> None:
    [admitted] = RULES.admit(RULES.parse("https://hooks.example/"), [address])
    assert admitted == address.removeprefix("::ffff:")


def test_each_edge_of_what_is_public_is_where_it_should_be() -> None:
    edges = [
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "172.15.255.255",
        "172.32.0.0",
        "223.255.255.255",
    ]
    edges += ["2001:200::", "2003::", "3ffe:ffff::", "2000::"]
    assert [each for each in edges if not is_public(ip_address(each))] == []
    beyond = [
        "10.255.255.255",
        "100.127.255.255",
        "172.16.0.0",
        "2001:1ff:ffff::",
        "3fff:fff:ffff::",
        "4000::",
        "1fff:ffff::",
    ]
    assert [each for each in beyond if is_public(ip_address(each))] == []


@pytest.mark.parametrize(
    "answers",
    [
        (PUBLIC, "127.0.0.1"),
        ("127.0.0.1", PUBLIC),
        (PUBLIC, "2606:4700::1", "::ffff:10.0.0.1"),
        (PUBLIC, "not an address"),
        (PUBLIC, "2606:4700::1%eth0"),
        (),
    ],
)
def test_one_bad_answer_among_good_ones_is_enough(answers: tuple[str, ...]) -> None:
    assert refusal(RULES, "https://hooks.example/", *answers) == NOT_ALLOWED


@pytest.mark.parametrize("port", [443, 80, 8000, 8443, 9999])
def test_the_usual_ports_are_open_to_public_addresses(port: int) -> None:
    for rules in (RULES, AT_HOME):
        assert rules.admit(rules.parse(f"https://hooks.example:{port}/"), [PUBLIC]) == (PUBLIC,)


@pytest.mark.parametrize("port", [0, 1, 22, 25, 81, 444, 3306, 6379, 7999, 10_000, 11_211, 65_535])
def test_other_ports_are_not(port: int) -> None:
    for rules in (RULES, AT_HOME):
        assert refusal(rules, f"https://hooks.example:{port}/", PUBLIC) == NOT_ALLOWED


def test_at_home_this_machine_alone_is_open_at_every_port_and_over_http() -> None:
    for url in ("http://localhost:5000/", "https://localhost:22/", "http://127.0.0.1/"):
        assert AT_HOME.admit(AT_HOME.parse(url), ["::1", "127.8.9.1"]) == ("::1", "127.8.9.1")
        assert refusal(AT_HOME, url, "127.0.0.1", "10.0.0.1") == NOT_ALLOWED
    assert refusal(AT_HOME, "http://hooks.example/", PUBLIC) == NOT_ALLOWED
    assert refusal(AT_HOME, "http://hooks.example/", "127.0.0.1", PUBLIC) == NOT_ALLOWED


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://hooks.example/", "start with https://"),
        ("ftp://hooks.example/", "start with https://"),
        ("//hooks.example/", "start with https://"),
        ("hooks.example", "start with https://"),
        ("", "printable"),
        ("file:///etc/passwd", "start with https://"),
        ("https://user:password@hooks.example/", "credentials"),
        ("https://user@hooks.example/", "credentials"),
        ("https://@hooks.example/", "credentials"),
        ("https://hooks.example\\@127.0.0.1/", "credentials"),
        ("https://hooks.example/" + "x" * 5000, "longer than 2048"),
        ("https://hooks.example/#here", "fragment"),
        ("https://hooks.example/#", "fragment"),
        ("https://hooks.example/a b", "printable"),
        ("https://hooks.example/\r\nHost: x", "printable"),
        (" https://hooks.example/", "printable"),
        ("https://hooks.example/\x00", "printable"),
        ("https://höoks.example/", "xn--"),
        ("https://①②⑦.⓪.⓪.①/", "xn--"),
        ("https://", "well formed"),
        ("https:///path", "well formed"),
        ("https://:443/", "well formed"),
        ("https://hooks..example/", "well formed"),
        ("https://.example/", "well formed"),
        ("https://hooks.example:99999/", "well formed"),
        ("https://hooks.example:443:443/", "well formed"),
        ("https://hooks.example:+443/", "well formed"),
        ("https://hooks.example\\.evil.example/", "well formed"),
        ("https://hooks%2eexample/", "well formed"),
        ("https://" + "x" * 64 + ".example/", "well formed"),
        ("https://" + "x." * 128 + "example/", "well formed"),
        ("https://[::1/", "well formed"),
        ("https://[fe80::1%25eth0]/", "well formed"),
        ("https://x[::1]/", "well formed"),
        ("https://[::1]x/", "well formed"),
    ],
)
def test_what_the_url_itself_shows_is_said_plainly(url: str, words: str) -> None:
    assert words in refusal(RULES, url, PUBLIC)


@pytest.mark.parametrize(
    "url", ["https://Photos.Example/x", "https://photos.example.:443/", "https://photos.example:80"]
)
def test_the_service_sends_nothing_to_itself(url: str) -> None:
    assert "own" in refusal(RULES, url, PUBLIC)


def test_another_port_of_the_own_host_is_not_the_service() -> None:
    assert RULES.parse("https://photos.example:8443/").port == 8443
    assert AT_HOME.parse("http://localhost:8001/").port == 8001
    assert "own" in refusal(AT_HOME, "http://LOCALHOST:8000/", "127.0.0.1")
    nobody = AddressRules(allow_private=False, own_netloc=None)
    assert nobody.parse("https://photos.example/").host == "photos.example"


@pytest.mark.parametrize(
    ("url", "netloc", "path"),
    [
        ("https://Hooks.Example", "hooks.example", "/"),
        ("https://hooks.example.:443/a//b;c?d=e&f", "hooks.example", "/a//b;c?d=e&f"),
        ("https://hooks.example:8443?x=%20y", "hooks.example:8443", "/?x=%20y"),
        ("https://[2606:4700::1]/", "[2606:4700::1]", "/"),
        ("https://[2606:4700::1]:8443/", "[2606:4700::1]:8443", "/"),
        ("https://xn--hks-0qaa.example/", "xn--hks-0qaa.example", "/"),
        ("https://hooks.example:/", "hooks.example", "/"),
        ("https://my_hooks.example/" + "x" * 2023, "my_hooks.example", "/" + "x" * 2023),
    ],
)
def test_a_good_url_is_taken_apart_as_it_will_be_sent(url: str, netloc: str, path: str) -> None:
    target = RULES.parse(url)
    assert (target.netloc, target.path) == (netloc, path)
