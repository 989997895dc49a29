"""The operator's commands for the store, on real servers: what is set up, and what a check finds lacking."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result
from flask import Flask

from app.container import Container
from tests import apps, s3_servers
from tests.fakes import FakeClock
from tests.s3_servers import BUCKET, KEY_ID, ORIGIN, SECRET, S3Server

Run = Callable[..., Result]


@pytest.fixture(scope="module", params=s3_servers.KINDS)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    with s3_servers.KINDS[request.param](tmp_path_factory.mktemp(request.param) / "data") as server:
        yield server


@pytest.fixture
def with_settings(container: Container, server: S3Server, clock: FakeClock) -> Callable[..., Run]:
    """with_settings(**others) -> a way to run commands over the server's bucket."""
    server.empty()

    def start(**others: object) -> Run:
        given = {
            "storage_url": f"s3://{BUCKET}/of/ours",
            "s3_endpoint": server.url,
            "s3_access_key_id": KEY_ID,
            "s3_secret_access_key": SECRET,
            "base_url": ORIGIN,
            **others,
        }
        # Made anew: what a copy is told is not judged.
        values = {**container.settings.model_dump(exclude_none=True), **given}
        app = apps.over(Container(type(container.settings)(**values), clock))
        return lambda *words: app.test_cli_runner().invoke(args=["storage", *words])

    return start


def lines(done: Result) -> dict[str, str]:
    """What each line says is well, or not, by what was tried."""
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return {line[6:].partition(":")[0]: line[:5].strip() for line in done.output.splitlines()}


def test_a_set_up_bucket_passes_every_check_its_server_can(
    with_settings: Callable[..., Run], server: S3Server
) -> None:
    run = with_settings(storage_direct=True)
    made = run("setup")
    done = run("check")
    told = lines(done)
    if server.name == "rclone":
        assert made.exit_code == 1
        assert made.output.count("this server does not know it (BucketAlreadyExists)") == 2
        lacking = {"clear away what was left unfinished (lifecycle)"}
    else:
        assert made.exit_code == 0, made.output
        lacking = set()
    assert {tried for tried, told in told.items() if told == "fails"} == lacking, done.output
    assert (len(told), done.exit_code) == (9, 1 if lacking else 0)
    assert server.names() == []


def test_what_is_set_up_leaves_others_rules_and_stays_one_rule(
    with_settings: Callable[..., Run], server: S3Server
) -> None:
    if server.name == "rclone":
        assert with_settings()("setup").exit_code == 1, "rclone knows no rules"
        return
    other = {"AllowedOrigins": ["https://other.example"], "AllowedMethods": ["GET"]}
    server.client.put_bucket_cors(Bucket=BUCKET, CORSConfiguration={"CORSRules": [other]})
    run = with_settings()
    assert [run("setup").exit_code for _ in range(2)] == [0, 0]
    rules = server.client.get_bucket_cors(Bucket=BUCKET)["CORSRules"]
    assert [rule["AllowedOrigins"] for rule in rules] == [["https://other.example"], [ORIGIN]]
    assert sorted(rules[1]["AllowedMethods"]) == ["GET", "HEAD", "PUT"]
    assert (rules[1]["AllowedHeaders"], rules[1]["ExposeHeaders"]) == (["content-type"], ["ETag"])
    kept = server.client.get_bucket_lifecycle_configuration(Bucket=BUCKET)["Rules"]
    told = {rule["ID"]: (rule["Filter"]["Prefix"], rule.get("Expiration")) for rule in kept}
    assert told == {
        "brightlist-incoming": ("of/ours/incoming/", {"Days": 8}),
        "brightlist-parts": ("of/ours/", None),
    }
    server.client.delete_bucket_cors(Bucket=BUCKET)


def test_pages_of_customers_may_put_where_the_setup_names_them(
    with_settings: Callable[..., Run], server: S3Server
) -> None:
    if server.name == "rclone":
        assert with_settings()("setup", "--upload-origin", "https://app.example").exit_code == 1
        return
    run = with_settings()
    assert run("setup", "--upload-origin", "https://old.example").exit_code == 0
    named = ("--upload-origin", "HTTPS://app.example:443/", "--upload-origin", "http://localhost:3000")
    assert [run("setup", *named).exit_code, run("setup").exit_code] == [0, 0]
    rules = server.client.get_bucket_cors(Bucket=BUCKET)["CORSRules"]
    allowed = {tuple(rule["AllowedOrigins"]): (rule["AllowedMethods"], rule["AllowedHeaders"]) for rule in rules}
    assert allowed.pop((ORIGIN,))
    assert allowed == {("https://app.example", "http://localhost:3000"): (["PUT"], ["content-type", "content-md5"])}
    refused = run("setup", "--upload-origin", "*")
    assert (refused.exit_code, "“*” is not an origin" in refused.output) == (2, True)
    server.client.delete_bucket_cors(Bucket=BUCKET)


def test_a_lifecycle_that_is_quicker_than_we_are_is_named(
    with_settings: Callable[..., Run], server: S3Server
) -> None:
    if server.name == "rclone":
        assert lines(with_settings()("check"))["keep no versions of removed files"] == "ok"
        return
    hasty = {"ID": "all-gone", "Status": "Enabled", "Filter": {"Prefix": ""}, "Expiration": {"Days": 1}}
    server.client.put_bucket_lifecycle_configuration(Bucket=BUCKET, LifecycleConfiguration={"Rules": [hasty]})
    versions = {"Status": "Enabled"}
    server.client.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration=versions)
    done = with_settings()("check")
    assert done.exit_code == 1
    assert "remove files before we do: all-gone" in done.output
    assert "suspend versioning" in done.output
    server.client.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Suspended"})
    server.client.delete_bucket_lifecycle(Bucket=BUCKET)


def test_without_direct_traffic_what_customers_need_is_tried_only_when_asked(
    with_settings: Callable[..., Run],
) -> None:
    run = with_settings()
    assert "let our pages reach it (CORS)" not in lines(run("check"))
    assert lines(run("check", "--direct"))["let our pages reach it (CORS)"] == "ok"


def test_an_origin_that_the_server_does_not_let_in_is_told_with_what_to_do(
    with_settings: Callable[..., Run], server: S3Server
) -> None:
    done = with_settings(base_url="http://elsewhere.example")("check", "--direct")
    expected = "fails" if server.name == "rclone" else "ok"  # ministack lets every page in
    assert lines(done)["let our pages reach it (CORS)"] == expected
    assert ("a browser on http://elsewhere.example would be refused" in done.output) == (expected == "fails")


def test_each_fault_says_what_to_do(with_settings: Callable[..., Run], server: S3Server) -> None:
    done = with_settings(storage_url="s3://nowhere")("check")
    assert done.exit_code == 1
    assert "there is no such bucket: make it" in done.output
    if server.name == "rclone":
        done = with_settings(s3_secret_access_key="another")("check")
        assert done.exit_code == 1
        assert "is not the secret of S3_ACCESS_KEY_ID" in done.output


def test_a_folder_needs_no_setting_up(app: Flask, container: Container, tmp_path: Path) -> None:
    runner = app.test_cli_runner()
    refused = runner.invoke(args=["storage", "setup"])
    assert (refused.exit_code, refused.output.count("\n")) == (1, 1)
    assert "STORAGE_URL names a folder" in refused.output
    assert runner.invoke(args=["storage", "check"]).output == "ok    write, read and delete files in the folder\n"
    container.storage._root.parent.mkdir(exist_ok=True)
    container.storage._root.rename(tmp_path / "moved")
    container.storage._root.write_text("no folder")
    assert runner.invoke(args=["storage", "check"]).exit_code == 1
    container.storage._root.unlink()
