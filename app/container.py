"""The one place that chooses an implementation for every port (app/domain/ports.py)."""

import logging
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from urllib.parse import urlsplit

from app import metrics
from app.adapters.client_tokens import ClientTokens
from app.adapters.engine_process import ChildEngine
from app.adapters.generative_http import ImagesEditServer
from app.adapters.generative_limits import LimitedServer
from app.adapters.imagery_folder import ImageryFolder
from app.adapters.imagery_sources import FirstFound
from app.adapters.imagery_street_view import StreetView
from app.adapters.list_cursors import ListCursors
from app.adapters.mail_files import MailFiles
from app.adapters.mail_smtp import SmtpMailer
from app.adapters.payments_demo import DemoPayments
from app.adapters.payments_stripe import StripePayments
from app.adapters.queue_rq import RqQueue
from app.adapters.redis_connection import CircuitBreaker
from app.adapters.signed_urls import SignedUrls
from app.adapters.source_http import HttpSource
from app.adapters.storage_local import LocalStorage
from app.adapters.vault import FernetVault
from app.adapters.webhook_http import HttpTransport
from app.connections import WEB, ConnectionUse
from app.database import Database
from app.domain.content_credentials import ContentCredentials
from app.domain.disclosure.rule_files import all_rules
from app.domain.engines import EngineRelease
from app.domain.fetches import FileSource
from app.domain.payments import Payments
from app.domain.ports import (
    Engine,
    Imagery,
    ListingPictureMaker,
    LogoEncoder,
    OutlookReader,
    PreviewMaker,
    Queue,
    QueueName,
    QueueUnavailableError,
    Storage,
)
from app.domain.sending import Mailer, Vault, WebhookTransport
from app.preload import load
from app.secret_key import secret_keys
from app.services.billing.payment_service import PaymentService
from app.services.idempotency.renewals import Renewals
from app.services.mail.outbox import MailWorker
from app.services.photos.pictures import CallLimits
from app.services.retention.sweep import Sweep
from app.services.uploads.bucket_uploads import BucketIntake
from app.services.uploads.fetch_worker import FetchWorker
from app.services.uploads.quotas import UploadQuota
from app.services.webhooks.dispatch import Dispatch
from app.settings import Settings, plain_environment
from app.signing import make_credentials

log = logging.getLogger(__name__)

LEASE_BEYOND_DEADLINE = timedelta(seconds=20)
"""A delivery attempt that has no result this long after its deadline counts as cut off: its sender has died."""


@dataclass
class Container:
    """Everything that a process of the service needs, each part made on first use."""

    settings: Settings
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    connections: ConnectionUse = WEB
    """The limits of this process at the database; they can be changed until `database` is first used."""

    def __post_init__(self) -> None:
        """Read the disclosure rules, so that no process starts with faulty ones. Raises RuleFileError."""
        all_rules()

    @cached_property
    def database(self) -> Database:
        """The database; it, not the queue, is authoritative for all work. Creates DATA_DIR."""
        self.settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        pooled = self.settings.database_pooled
        return Database(self.settings.database_url, self._notify, self.connections, pooled=pooled)

    @cached_property
    def urls(self) -> SignedUrls:
        """Makes and checks signed URLs to files that our own web processes send and receive."""
        return SignedUrls(self.settings.base_url, secret_keys(self.settings), self.clock)

    @cached_property
    def client_tokens(self) -> ClientTokens:
        """Makes and checks the tokens by which pages of customers' own sites upload."""
        return ClientTokens(secret_keys(self.settings))

    @cached_property
    def cursors(self) -> ListCursors:
        """Makes and checks the cursors of lists."""
        return ListCursors(*secret_keys(self.settings))

    @cached_property
    def storage(self) -> Storage:
        """The store of files: a folder, or an S3 bucket."""
        if self.settings.storage_bucket is None:
            return LocalStorage(self.settings.storage_path, self.urls)
        bucket, prefix = self.settings.storage_bucket
        # Imported only here: the S3 client takes 12 MB in every process, and most installations use a folder.
        s3 = load("app.adapters.storage_s3")
        access = s3.Access(bucket, **self.settings.bucket_access)
        made: Storage = s3.S3Storage(access, prefix, self.urls, direct=self.settings.storage_direct)
        return made

    @cached_property
    def redis_breaker(self) -> CircuitBreaker:
        """Shared by all users of Redis in this process: after one of them found it unreachable, the others fail at
        once for a while instead of waiting for it too.
        """
        return CircuitBreaker(self.clock)

    @cached_property
    def queue(self) -> Queue:
        """The queue that notifies workers of due work."""
        return RqQueue(self.settings.redis_url, self.redis_breaker)

    @cached_property
    def engine(self) -> Engine:
        """The picture engine. Imported only here, like everything that works on pictures: it is large, and web
        processes never need it.
        """
        make = load("engine.pipeline").PictureEngine
        made: Engine = make(self.generative, self.settings.generative_timeout_seconds, observe=_observe_step)
        return made

    def open_release(self, release: EngineRelease) -> AbstractContextManager[Engine]:
        """The engine of an earlier release, in a process that ends with the context."""
        seconds = self.settings.generative_timeout_seconds
        return closing(ChildEngine(release, plain_environment(), self.generative, seconds, _observe_step))

    @cached_property
    def previews(self) -> PreviewMaker:
        """Makes the small pictures of files."""
        made: PreviewMaker = load("engine.preview").PicturePreviews()
        return made

    @cached_property
    def outlooks(self) -> OutlookReader:
        """Says what photos show and what steps would do; used only by workers."""
        has_server = self.settings.generative_url is not None
        made: OutlookReader = load("engine.outlook.reading").PhotoOutlooks(by_server=has_server)
        return made

    @cached_property
    def listing_pictures(self) -> ListingPictureMaker:
        """Makes the pictures of packs in the form that listing services accept."""
        made: ListingPictureMaker = load("engine.listing_picture").JpegListingPictures()
        return made

    @cached_property
    def encode_logo(self) -> LogoEncoder:
        """Makes logos from the files that customers send; used only by workers."""
        made: LogoEncoder = load("engine.logo").encode_logo
        return made

    @cached_property
    def credentials(self) -> ContentCredentials | None:
        """Signs results with content credentials; None if the settings ask for none.

        Raises SettingsError if the settings ask for credentials but nothing can be signed.
        """
        return make_credentials(self.settings, self.clock())

    @cached_property
    def generative(self) -> LimitedServer | None:
        """The server that edits pictures by a prompt; None if GENERATIVE_URL is not set."""
        if self.settings.generative_url is None:
            return None
        key = self.settings.generative_key
        bearer = key.get_secret_value() if key else None
        server = ImagesEditServer(self.settings.generative_url, bearer, self.settings.generative_model)
        return LimitedServer(server, self.settings.redis_url, self.settings.generative_concurrency)

    @cached_property
    def call_limits(self) -> CallLimits:
        """How many calls to the generative server are allowed per job and per day."""
        chosen = self.settings.generative_calls_per_job, self.settings.generative_calls_per_day
        return CallLimits(*chosen, self.generative.check) if self.generative else CallLimits(*chosen)

    @cached_property
    def vault(self) -> Vault:
        """Encrypts secrets before they are stored in the database, and decrypts them."""
        return FernetVault(*secret_keys(self.settings))

    @cached_property
    def transport(self) -> WebhookTransport:
        """Sends webhooks to customers' receivers."""
        return HttpTransport(
            self.settings.webhook_deadline_seconds,
            allow_private=self.settings.allow_private_webhooks,
            own_netloc=urlsplit(self.settings.base_url).netloc,
            user_agent=f"Brightlist-Webhooks/1 (+{self.settings.base_url}/docs)",
        )

    @cached_property
    def file_source(self) -> FileSource:
        """Reads files from customers' URLs."""
        return HttpSource(
            allow_private=self.settings.allow_private_webhooks,
            own_netloc=urlsplit(self.settings.base_url).netloc,
            user_agent=f"Brightlist-Uploads/1 (+{self.settings.base_url}/docs)",
        )

    @cached_property
    def fetch_worker(self) -> FetchWorker:
        """Fetches one file at a time from a customer's URL."""
        return FetchWorker(self.database, self.storage, self.file_source, self.upload_quota, self.clock)

    @cached_property
    def dispatch(self) -> Dispatch:
        """Works on one webhook delivery at a time."""
        settings = self.settings
        lease = timedelta(seconds=settings.webhook_deadline_seconds) + LEASE_BEYOND_DEADLINE
        return Dispatch(self.database, self.transport, self.vault, self.clock, settings.webhook_delays, lease)

    @cached_property
    def mailer(self) -> Mailer:
        """Sends mail: by the mail server of MAIL_URL, or, where that is not set, into files in DATA_DIR/mail."""
        settings = self.settings
        if settings.mail_url is None:
            return MailFiles(settings.data_dir / "mail", settings.mail_from, self.clock)
        return SmtpMailer(settings.mail_url.get_secret_value(), settings.mail_from, self.clock)

    @cached_property
    def mail_worker(self) -> MailWorker:
        """Works on one outgoing mail at a time."""
        return MailWorker(self.database, self.mailer, self.clock, self.settings.base_url, self.storage)

    @cached_property
    def payments(self) -> Payments | None:
        """The payment provider: Stripe, or the demo, which moves no money; None if neither is configured."""
        settings, url = self.settings, self.settings.stripe_url
        key, webhook_secret = settings.stripe_secret_key, settings.stripe_webhook_secret
        if key is not None and webhook_secret is not None:
            secrets = (key.get_secret_value(), webhook_secret.get_secret_value())
            return StripePayments(*secrets, url, settings.stripe_checkout_url)
        if settings.takes_demo_payments:
            return DemoPayments(settings.data_dir / "demo-payments", *secret_keys(settings))
        return None

    @cached_property
    def payment_service(self) -> PaymentService | None:
        """Handles purchases of credits; None if there is no payment provider."""
        if self.payments is None:
            return None
        return PaymentService(self.database, self.payments, self.clock, "\n".join(self.settings.seller_lines))

    @cached_property
    def sweep(self) -> Sweep:
        """The tasks that run at regular intervals."""
        kept_for = timedelta(seconds=self.settings.retention_seconds)
        parts = (self.database, self.storage, self.queue, self.clock, kept_for)
        return Sweep(*parts, self.keep_quota, self.bucket_intake, self.payment_service)

    @property
    def bucket_intake(self) -> BucketIntake:
        """Processes files that customers upload to the bucket directly."""
        return BucketIntake(self.database, self.storage, self.upload_quota)

    @cached_property
    def imagery(self) -> Imagery | None:
        """The source of public imagery: the operator's folder, then Street View; None if neither is configured."""
        sources: list[Imagery] = []
        if self.settings.imagery_folder is not None:
            sources.append(ImageryFolder(self.settings.imagery_folder))
        if self.settings.street_view_key is not None:
            key = self.settings.street_view_key.get_secret_value()
            sources.append(StreetView(self.settings.street_view_url, key))
        return FirstFound(sources) if sources else None

    @cached_property
    def renewals(self) -> Renewals:
        """Renews the leases of the Idempotency-Keys of all requests that this process is answering."""
        return Renewals(self.database, self.clock)

    @property
    def upload_quota(self) -> UploadQuota:
        """How much one account may have uploaded without having ordered it."""
        settings = self.settings
        return UploadQuota(settings.upload_quota_sessions, settings.upload_quota_megabytes * 1024**2)

    @property
    def keep_quota(self) -> int:
        """How many bytes of finished orders one account may keep longer than others are kept."""
        return self.settings.keep_quota_megabytes * 1_000_000

    @property
    def time_limit(self) -> timedelta:
        """How long a job may take until its deadline."""
        return timedelta(seconds=self.settings.job_timeout_seconds)

    def _notify(self, queue_name: QueueName, ids: Sequence[str]) -> None:
        try:
            self.queue.notify(queue_name, ids)
        except QueueUnavailableError as error:
            log.warning("no worker can be notified, the sweep will find the work: %s", error)


def _observe_step(step: str, seconds: float) -> None:
    metrics.STEP_SECONDS.labels(step).observe(seconds)
