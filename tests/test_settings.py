"""Settings: what is accepted, what is refused and how, and the secret that is kept."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from app.secret_key import secret_key
from app.settings import QcMode, Settings, SettingsError, child_environment, load_settings
from tests.waiting import PATIENCE_SECONDS

CHECKOUT = Path(__file__).parents[1]
SECRET = "0123456789abcdef"


def faults(**environ: str) -> list[str]:
    with pytest.raises(SettingsError) as refusal:
        load_settings(environ)
    return str(refusal.value).splitlines()


def test_nothing_set_gives_a_service_that_needs_no_other(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    settings = load_settings({})
    assert (settings.host, settings.port, settings.base_url) == ("127.0.0.1", 8000, "http://localhost:8000")
    assert settings.data_dir == tmp_path / "var"
    assert settings.database_url == f"sqlite:///{tmp_path}/var/brightlist.db"
    assert settings.redis_url.startswith("unix:///")
    assert settings.storage_path == tmp_path / "var" / "storage"
    assert (settings.qc_mode, settings.workers) == (QcMode.AUTO, 2)
    assert (settings.upload_url_seconds, settings.download_url_seconds) == (3600, 86400)
    assert (settings.job_timeout_seconds, settings.retention_seconds) == (7200, 604800)
    assert settings.demo
    assert not (tmp_path / "var").exists()


@pytest.mark.parametrize("mode", ["auto", "auto+review", "manual"])
def test_a_mode_of_review_is_read_and_handed_on_to_children(mode: str) -> None:
    settings = load_settings({"SECRET_KEY": SECRET, "QC_MODE": mode})
    assert settings.qc_mode == mode
    assert child_environment(settings, SECRET)["QC_MODE"] == mode


def test_an_empty_variable_counts_as_absent():
    assert load_settings({"PORT": "", "SECRET_KEY": "", "DATABASE_URL": ""}) == load_settings({})


def test_the_environment_of_the_process_is_read_by_default(monkeypatch):
    monkeypatch.setenv("PORT", "8123")
    assert load_settings().port == 8123
    assert Settings().port == 8000


def test_the_default_address_follows_the_port_and_a_given_one_loses_its_last_slash():
    assert load_settings({"PORT": "9000"}).base_url == "http://localhost:9000"
    assert load_settings({"BASE_URL": "https://brightlist.example/"}).base_url == "https://brightlist.example"


def test_postgresql_is_spoken_through_psycopg_whichever_way_it_is_written():
    for scheme in ("postgresql", "postgresql+psycopg"):
        settings = load_settings({"DATABASE_URL": f"{scheme}://me:pw@db/brightlist", "SECRET_KEY": SECRET})
        assert settings.database_url == "postgresql+psycopg://me:pw@db/brightlist"
        assert not settings.embedded_database
        assert settings.embedded_redis


def test_a_given_redis_replaces_the_embedded_one():
    settings = load_settings({"REDIS_URL": "redis://cache:6379/3"})
    assert not settings.embedded_redis
    assert not settings.demo


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PORT", "0"),
        ("PORT", "65536"),
        ("PORT", "http"),
        ("HOST", "two words"),
        ("BASE_URL", "brightlist.example"),
        ("BASE_URL", "ftp://brightlist.example"),
        ("BASE_URL", "https://brightlist.example/?a=b"),
        ("BASE_URL", "https://brightlist.example:port"),
        ("BASE_URL", "https://["),
        ("DATA_DIR", "/tmp/with#mark"),
        ("DATA_DIR", "/dev/null"),
        ("SECRET_KEY", "fifteen letters"),
        ("DATABASE_URL", "mysql://db/brightlist"),
        ("DATABASE_URL", "sqlite://"),
        ("DATABASE_URL", "sqlite:///:memory:"),
        ("REDIS_URL", "http://cache"),
        ("REDIS_URL", "redis://"),
        ("SUPPORT_EMAIL", "help@"),
        ("STORAGE_URL", "gs://bucket"),
        ("STORAGE_URL", "s3://Bucket_"),
        ("STORAGE_URL", "s3://bucket/../x"),
        ("S3_ENDPOINT", "store.example.com"),
        ("S3_REGION", "here & there"),
        ("S3_SECRET_ACCESS_KEY", "secret"),
        ("QC_MODE", "sometimes"),
        ("QC_MODE", "review+auto"),
        ("UPLOAD_URL_SECONDS", "0"),
        ("DOWNLOAD_URL_SECONDS", "-1"),
        ("JOB_TIMEOUT_SECONDS", "1.5"),
        ("RETENTION_SECONDS", "0"),
        ("WORKERS", "0"),
        ("WORKERS", "65"),
        ("PROGRAMS", "web,work"),
        ("PROGRAMS", "web,"),
    ],
)
def test_nonsense_is_refused_with_the_variables_name_and_what_it_accepts(variable, value):
    environ = {"SECRET_KEY": SECRET, variable: value}
    [line] = faults(**environ)
    assert re.match(rf"{variable}: .+; accepted: .+", line)


def test_a_bucket_is_named_by_the_storage_url_with_its_prefix() -> None:
    keys = {"S3_ACCESS_KEY_ID": "id", "S3_SECRET_ACCESS_KEY": "hidden", "S3_ENDPOINT": "http://store:9000/"}
    settings = load_settings({"STORAGE_URL": "s3://photos/of/ours/", **keys})
    assert settings.storage_bucket == ("photos", "of/ours")
    assert settings.bucket_access["endpoint"] == "http://store:9000"
    assert settings.bucket_access["secret_access_key"] == "hidden"
    assert "hidden" not in repr(settings)
    assert child_environment(settings, SECRET)["S3_SECRET_ACCESS_KEY"] == "hidden"
    assert load_settings({}).storage_bucket is None


def test_what_only_a_bucket_needs_is_refused_beside_a_folder() -> None:
    for name, value in (("S3_ENDPOINT", "http://store:9000"), ("STORAGE_DIRECT", "1")):
        [line] = faults(**{name: value})
        assert line.startswith(f"STORAGE_URL: it must name a bucket where {name} is set")
    assert not load_settings({"STORAGE_DIRECT": "0"}).storage_direct
    assert load_settings({"STORAGE_DIRECT": "true", "STORAGE_URL": "s3://photos"}).storage_direct


def test_every_fault_is_told_at_once_one_to_a_line():
    lines = faults(PORT="x", DATABASE_URL="mysql://db", WORKERS="0", QC_MODE="no")
    assert [line.partition(":")[0] for line in lines] == [
        *("PORT", "DATABASE_URL", "QC_MODE", "WORKERS", "SECRET_KEY"),
    ]


def test_a_refused_address_is_not_repeated_because_it_may_hold_a_password():
    text = "\n".join(faults(DATABASE_URL="mysql://me:hunter2@db", SECRET_KEY="hunter2"))
    assert "hunter2" not in text


def test_an_own_database_demands_an_own_secret():
    [line] = faults(DATABASE_URL="postgresql://db/brightlist")
    assert line.startswith("SECRET_KEY: it is required when DATABASE_URL is set")


def test_settings_cannot_change_and_do_not_show_the_secret():
    settings = load_settings({"SECRET_KEY": SECRET})
    with pytest.raises(ValueError, match="frozen"):
        settings.port = 1
    assert SECRET not in repr(settings)
    assert secret_key(settings) == SECRET


def test_a_secret_is_made_once_kept_and_readable_by_its_owner_alone(tmp_path):
    settings = Settings(data_dir=tmp_path / "var")
    made = secret_key(settings)
    assert len(made) >= 16
    assert secret_key(settings) == made
    assert stat.S_IMODE((tmp_path / "var" / "secret_key").stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "var").iterdir()] == ["secret_key"]


@pytest.mark.long
def test_processes_that_start_together_agree_on_one_secret(tmp_path):
    program = (
        "from app.secret_key import *; from app.settings import *;"
        "print('ready', flush=True); input(); print(secret_key(load_settings()))"
    )
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=CHECKOUT,
            env={**os.environ, "DATA_DIR": str(tmp_path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    assert [racer.stdout.readline() for racer in racers] == ["ready\n"] * 4
    for racer in racers:
        racer.stdin.write("\n")
        racer.stdin.flush()
    printed = {racer.communicate(timeout=PATIENCE_SECONDS)[0] for racer in racers}
    assert printed == {(tmp_path / "secret_key").read_text() + "\n"}


def test_a_kept_secret_that_is_too_short_is_refused(tmp_path):
    (tmp_path / "secret_key").write_text("short")
    with pytest.raises(SettingsError, match=r"SECRET_KEY: .*remove that file"):
        secret_key(Settings(data_dir=tmp_path))


def test_a_child_comes_to_the_same_settings_in_another_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PORT", "9999")
    settings = Settings(data_dir=Path("here"), port=8001, qc_mode=QcMode.MANUAL)
    environment = child_environment(settings, secret_key(settings))
    monkeypatch.chdir("/")
    seen = load_settings(environment)
    assert seen.model_dump(exclude={"secret_key"}) == settings.model_dump(exclude={"secret_key"})
    assert secret_key(seen) == secret_key(settings)
    assert seen.demo


def test_stripe_needs_its_key_and_its_webhook_secret_together():
    assert faults(STRIPE_SECRET_KEY="sk_test_1")[0].startswith("STRIPE_WEBHOOK_SECRET: STRIPE_SECRET_KEY and")
    assert faults(STRIPE_WEBHOOK_SECRET="whsec_1")[0].startswith("STRIPE_WEBHOOK_SECRET: STRIPE_SECRET_KEY and")
    both = load_settings({"STRIPE_SECRET_KEY": "sk_test_1", "STRIPE_WEBHOOK_SECRET": "whsec_1"})
    assert not both.takes_demo_payments


def test_demo_payments_cannot_be_switched_on_beside_a_stripe_key():
    stripe = {"STRIPE_SECRET_KEY": "sk_test_1", "STRIPE_WEBHOOK_SECRET": "whsec_1"}
    assert faults(**stripe, DEMO_PAYMENTS="1") == [
        "DEMO_PAYMENTS: it must not be on beside STRIPE_SECRET_KEY; accepted: 1 or 0: a payment page that moves no "
        "money, never together with STRIPE_SECRET_KEY"
    ]
    assert not load_settings({**stripe, "DEMO_PAYMENTS": "0"}).takes_demo_payments


def test_demo_payments_are_on_by_themselves_only_where_nothing_outside_is_used():
    assert load_settings({}).takes_demo_payments
    assert not load_settings({"DEMO_PAYMENTS": "0"}).takes_demo_payments
    outside = {"DATABASE_URL": "postgresql://db/brightlist", "SECRET_KEY": SECRET}
    assert not load_settings(outside).takes_demo_payments
    assert load_settings({**outside, "DEMO_PAYMENTS": "1"}).takes_demo_payments


def test_the_seller_is_written_in_lines():
    assert load_settings({"SELLER": "Brightlist Ltd | 1 Main St| Springfield"}).seller_lines == (
        "Brightlist Ltd",
        "1 Main St",
        "Springfield",
    )
