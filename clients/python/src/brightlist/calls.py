"""The calls of the API, by resource. Generated from the OpenAPI document by generate_calls.py: do not edit."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from brightlist.models import (
    CallbackAnswer,
    CallbackSecretAnswer,
    CancelAnswer,
    CatalogAnswer,
    ClientTokenAnswer,
    ClientTokenRequest,
    ClientUploadRequest,
    ClockAnswer,
    ClockRequest,
    CreditAccount,
    DeliveryAnswer,
    DeliveryCount,
    DeliveryDetailsAnswer,
    DownloadAnswer,
    EventAnswer,
    EvidenceAnswer,
    FetchesAnswer,
    GroupsAnswer,
    GroupsRequest,
    JobAnswer,
    JobStatusAnswer,
    LedgerLineAnswer,
    ListedJobAnswer,
    MlsPackAnswer,
    MlsPackList,
    MlsPackRequest,
    OrderResult,
    PlaceOrder,
    PresetAnswer,
    PresetDeleted,
    PresetList,
    PresetRequest,
    PublicPageAnswer,
    PublicPageDeleted,
    PublicPageRequest,
    QualityAnswer,
    QuoteAnswer,
    QuoteRequest,
    RecipesAnswer,
    RedeliveryRequest,
    RegionsAnswer,
    RegionsRequest,
    RevisionAnswer,
    RevisionListAnswer,
    RevisionRequest,
    RuleAnswer,
    RuleList,
    SecretRequest,
    ShareLinkAnswer,
    ShareLinkList,
    ShareLinkRevoked,
    ShareRequest,
    TestCreditsAnswer,
    UploadRequest,
    UploadSessionAnswer,
    VariantListAnswer,
    VariantPictureAnswer,
    WebhookAnswer,
    WebhookChange,
    WebhookDeleted,
    WebhookDetailsAnswer,
    WebhookList,
    WebhookRequest,
    WithoutRequest,
)
from brightlist.resource import Listing, Resource
from brightlist.transport import Transport


class UploadsCalls(Resource):
    """Signed URLs to upload photos to, files fetched from yours, uploads from your pages, and which
    files are frames of one photo.
    """

    def create_upload_urls(self, body: UploadRequest, *, idempotency_key: str | None = None) -> UploadSessionAnswer:
        """Get signed URLs to upload photos to.

        PUT each photo's raw bytes to its `uploadUrl`, without a key: 200 with an ETag and no body. A second
        PUT before the order replaces the file. JPEG, PNG, WebP, HEIC or TIFF, judged by content (415), up
        to 50 MB (413, also when the files that your account uploaded and did not order use up its quota).
        403 for a forged URL, 410 for one past its time, 409 once the files are ordered. With `Content-MD5`
        or `x-amz-checksum-sha256`, the digest in base64, a file that comes damaged is not kept (400
        `checksum_mismatch`). Scripts of pages may PUT if the key lists the page's origin (CORS). `files`
        are fetched from their URLs instead, under the same limits; an order takes one once it has come, and
        a PUT to its `uploadUrl` takes its place. A URL that leads to another host answers as S3 does (403
        also past its time; of the checksums it takes `Content-MD5`), and the file is checked when it is
        ordered (400, naming the file). Needs a key with the scope `orders:write`.
        """
        return UploadSessionAnswer.read(
            self._transport.ask("POST", ("orders", "upload-urls"), body=body, idempotency_key=idempotency_key)
        )

    def create_client_token(
        self, body: ClientTokenRequest, *, idempotency_key: str | None = None
    ) -> ClientTokenAnswer:
        """Make a token for uploads from a page.

        For a page of yours, which uploads with it without knowing your key: our upload element, or a script
        of your own that sends it to `POST /uploads`. It can do nothing else, and ends with the key. Give it
        only to visitors who may upload, and remember which `uploadSessionId` is whose, so that nobody
        orders the files of others. The session is opened when the first file is uploaded. Needs a key with
        the scope `orders:write`.
        """
        return ClientTokenAnswer.read(
            self._transport.ask("POST", ("client-tokens",), body=body, idempotency_key=idempotency_key)
        )

    def create_client_uploads(
        self, body: ClientUploadRequest, *, idempotency_key: str | None = None
    ) -> UploadSessionAnswer:
        """Get upload URLs with a client token.

        With a client token in place of an API key, from a page whose origin the key of the token lists
        (CORS), or from a program. The URLs are those of upload-urls, all in the one session of the token:
        each request adds files to it, up to the token's `maxFiles`. Needs a client token.
        """
        return UploadSessionAnswer.read(
            self._transport.ask("POST", ("uploads",), body=body, idempotency_key=idempotency_key)
        )

    def list_fetches(self, upload_session_id: str, *, wait: int | None = None) -> FetchesAnswer:
        """Ask which files by URL have come.

        Each file is asked for with GET, without cookies, credentials or encodings, up to three times where
        its server fails (5xx, 408, 425, 429), cannot be reached, or does not send the whole file within 120
        seconds. At most 3 redirects are followed. A file is checked as one that is uploaded. It is left out
        here once another file was PUT in its place. With `wait` the answer comes as soon as no file is
        being fetched any longer, or when the time is over. Needs a key with the scope `orders:write`.
        """
        return FetchesAnswer.read(
            self._transport.ask("GET", ("orders", upload_session_id, "fetches"), query={"wait": wait})
        )

    def propose_groups(
        self, upload_session_id: str, body: GroupsRequest, *, idempotency_key: str | None = None
    ) -> GroupsAnswer:
        """Propose which uploaded files are frames of one photo.

        Exposures of one view, taken one after the other, with or without flash, are grouped; a file for
        which this is not sure stays a photo of its own. The lists are ready to be sent in the order.
        Nothing is charged or kept. 202 with `status` `pending` until every file was looked at. Needs a key
        with the scope `orders:write`.
        """
        return GroupsAnswer.read(
            self._transport.ask(
                "POST", ("orders", upload_session_id, "groups"), body=body, idempotency_key=idempotency_key
            )
        )


class CatalogCalls(Resource):
    """What can be ordered, at which price, and what is allowed."""

    def show_catalog(self) -> CatalogAnswer:
        """Read what can be ordered, at which price.

        It changes with releases, with settings, and when owners of the account choose another engine. Keep
        it, and send its `ETag` as `If-None-Match` to ask whether it is still the same. Quotes and orders
        are charged by the same catalog. Needs a key with the scope `orders:write`.
        """
        return CatalogAnswer.read(self._transport.ask("GET", ("catalog",)))


class OrdersCalls(Resource):
    """The price of an order, and the order itself: from uploads, or with its photos in one request."""

    def create_order_from_uploads(self, body: PlaceOrder, *, idempotency_key: str | None = None) -> OrderResult:
        """Create an order from uploaded photos.

        Needs a key with the scope `orders:write`.
        """
        return OrderResult.read(
            self._transport.ask("POST", ("orders", "from-uploads"), body=body, idempotency_key=idempotency_key)
        )

    def quote_order(self, body: QuoteRequest, *, idempotency_key: str | None = None) -> QuoteAnswer:
        """Price an order without placing it.

        Send the order itself, with `uploadSessionId` and files: each photo has a `forecast` of what its
        steps would do, and `possible` is the price without what would be declined. 202 while photos are
        still being looked at, which takes some seconds each. At most 100 photos of an account wait at a
        time: ask again for the others. Counts in place of files give the price alone. Nothing is charged.
        Needs a key with the scope `orders:write`.
        """
        return QuoteAnswer.read(
            self._transport.ask("POST", ("orders", "quote"), body=body, idempotency_key=idempotency_key)
        )


class RegionsCalls(Resource):
    """What is seen in a photo, and what each enhancement would do to it, before and after it is ordered."""

    def read_regions(
        self, upload_session_id: str, body: RegionsRequest, *, idempotency_key: str | None = None
    ) -> RegionsAnswer:
        """Ask what we see in an uploaded photo, and what an order would do to it.

        The body is an order with this one photo, and is checked like one. Nothing is charged. 202 with
        `status` `pending` until our workers looked at the photo, mostly some seconds. At most 100 photos of
        an account wait at a time; of a photo the newest 4 answers are kept. Needs a key with the scope
        `orders:write`.
        """
        return RegionsAnswer.read(
            self._transport.ask(
                "POST", ("orders", upload_session_id, "regions"), body=body, idempotency_key=idempotency_key
            )
        )

    def read_photo_regions(self, job_id: str, photo_id: str) -> RegionsAnswer:
        """Ask what we see in a photo of a job, and what its steps would do.

        The photos' ids are in the order's `assets` and in the quality report. The steps and hints are those
        of its present picture. 202 with `status` `pending` until our workers looked at the photo, mostly
        some seconds. At most 100 photos of an account wait at a time; of a photo the newest 4 answers are
        kept. Needs a key with the scope `jobs:read`.
        """
        return RegionsAnswer.read(self._transport.ask("GET", ("jobs", job_id, "photos", photo_id, "regions")))


class PresetsCalls(Resource):
    """Choices saved under a name for any order. Pages call a preset a house style."""

    def list_presets(self) -> PresetList:
        """List presets.

        Needs a key with the scope `orders:write`.
        """
        return PresetList.read(self._transport.ask("GET", ("presets",)))

    def create_preset(self, body: PresetRequest, *, idempotency_key: str | None = None) -> PresetAnswer:
        """Make a preset.

        An account may have 50 presets, each with a name of its own (409). Needs a key with the scope
        `orders:write`.
        """
        return PresetAnswer.read(
            self._transport.ask("POST", ("presets",), body=body, idempotency_key=idempotency_key)
        )

    def show_preset(self, preset_id: str) -> PresetAnswer:
        """Get a preset.

        Needs a key with the scope `orders:write`.
        """
        return PresetAnswer.read(self._transport.ask("GET", ("presets", preset_id)))

    def change_preset(self, preset_id: str, body: PresetRequest) -> PresetAnswer:
        """Change a preset.

        The whole preset is replaced. Orders placed with it stay as they are. Needs a key with the scope
        `orders:write`.
        """
        return PresetAnswer.read(self._transport.ask("PUT", ("presets", preset_id), body=body))

    def delete_preset(self, preset_id: str) -> PresetDeleted:
        """Delete a preset.

        Orders placed with it stay as they are. Needs a key with the scope `orders:write`.
        """
        return PresetDeleted.read(self._transport.ask("DELETE", ("presets", preset_id)))


class JobsCalls(Resource):
    """The work on an order: where it stands, what became of each photo, and what the checks found on it."""

    def show_job_status(self, job_id: str, *, wait: int | None = None) -> JobStatusAnswer:
        """Ask where a job stands (every 30 seconds is often enough).

        With `wait` the answer comes as soon as the job is approved, delivered, undeliverable or failed, or
        when the time is over, with the status of then; so a program can ask in a loop. It counts as one
        request. Your client should time out a few seconds later. While too many requests wait, the answer
        comes at once. Needs a key with the scope `jobs:read`.
        """
        return JobStatusAnswer.read(self._transport.ask("GET", ("jobs", job_id, "status"), query={"wait": wait}))

    def show_job_quality(self, job_id: str) -> QualityAnswer:
        """Read what the checks found on every photo of a job.

        Until the whole job is decided every verdict is `undecided`, without steps and figures. Reading the
        report delivers nothing. Needs a key with the scope `jobs:read`.
        """
        return QualityAnswer.read(self._transport.ask("GET", ("jobs", job_id, "quality")))

    def cancel_job(self, job_id: str, *, idempotency_key: str | None = None) -> CancelAnswer:
        """Cancel a job, as far as its photos were not begun.

        Takes no body. What is cancelled is refunded at once: of each photo the price of its enhancements;
        of the price per property outside what it falls by without these photos. Photos that are being
        worked on or done go on, and are settled as usual. A cancelled photo has the reason `cancelled` in
        the quality report. If no photo goes on, the job is `undeliverable`, and `undeliverable.code` is
        `cancelled`. A repeated request changes nothing. Needs a key with the scope `orders:write`.
        """
        return CancelAnswer.read(
            self._transport.ask("POST", ("jobs", job_id, "cancel"), idempotency_key=idempotency_key)
        )

    def list_jobs(
        self,
        *,
        limit: int | None = None,
        status: Sequence[str] | None = None,
        created_after: datetime | None = None,
        created_before: datetime | None = None,
        address: str | None = None,
        external_id: str | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> Listing[ListedJobAnswer]:
        """List jobs, the newest first.

        Jobs stay in the list after their photos and results were removed. Needs a key with the scope
        `jobs:read`.
        """
        return Listing(
            self._transport,
            ("jobs",),
            {
                "limit": limit,
                "status": status,
                "createdAfter": created_after,
                "createdBefore": created_before,
                "address": address,
                "externalId": external_id,
                "metadata": metadata,
            },
            "jobs",
            ListedJobAnswer,
        )

    def show_job(self, job_id: str) -> JobAnswer:
        """Read everything that is known of a job.

        Reading it delivers nothing. It stays after the photos and results were removed, without `photos`.
        Needs a key with the scope `jobs:read`.
        """
        return JobAnswer.read(self._transport.ask("GET", ("jobs", job_id)))


class DownloadsCalls(Resource):
    """The finished pictures."""

    def show_downloads(self, job_id: str) -> DownloadAnswer:
        """Get fresh download URLs for all approved images.

        Needs a key with the scope `jobs:read`.
        """
        return DownloadAnswer.read(self._transport.ask("GET", ("downloads", job_id)))


class PacksCalls(Resource):
    """All pictures of a job in one ZIP, as a listing service requires them."""

    def list_mls_packs(self, job_id: str) -> MlsPackList:
        """List a job's packs for listing services.

        Needs a key with the scope `jobs:read`.
        """
        return MlsPackList.read(self._transport.ask("GET", ("jobs", job_id, "packs")))

    def request_mls_pack(
        self, job_id: str, body: MlsPackRequest, *, idempotency_key: str | None = None
    ) -> MlsPackAnswer:
        """Ask for a job's pictures as a listing service takes them.

        Free of charge. A repeated request gets the same pack, or a new one in its place if anything that it
        is made from has changed. An answer with a `url` delivers the job, as the downloads do. Needs a key
        with the scope `orders:write`.
        """
        return MlsPackAnswer.read(
            self._transport.ask("POST", ("jobs", job_id, "packs"), body=body, idempotency_key=idempotency_key)
        )

    def show_mls_pack(self, job_id: str, pack_id: str) -> MlsPackAnswer:
        """Ask about a pack, and get a fresh URL once it is ready.

        A pack is replaced when it is requested with other choices, or after anything that it is made from
        changed; then the id of the previous pack is unknown. Needs a key with the scope `jobs:read`.
        """
        return MlsPackAnswer.read(self._transport.ask("GET", ("jobs", job_id, "packs", pack_id)))


class RevisionsCalls(Resource):
    """Results sent back because they are not right, round by round."""

    def list_revisions(self, job_id: str, image_id: str) -> RevisionListAnswer:
        """List the rounds in which a result was sent back, with fresh URLs.

        Like the downloads, asking for them the first time delivers the job. Needs a key with the scope
        `jobs:read`.
        """
        return RevisionListAnswer.read(
            self._transport.ask("GET", ("jobs", job_id, "images", image_id, "revisions"))
        )

    def request_revision(
        self, job_id: str, image_id: str, body: RevisionRequest, *, idempotency_key: str | None = None
    ) -> RevisionAnswer:
        """Send back a result that is not right.

        Free of charge. A result can be sent back as long as it is kept, at most 14 days, and up to 5 times.
        The photo is made again, or a person looks at it; `photo.revised` reports the end. The picture in
        its place is under the same `imageId` in the downloads. A rejected result of a job with others that
        are usable can be sent back too, as `no_result`: its price stays refunded, and the picture that a
        person has made of it, if any, is free. 409 has `details.reason`: `round_open`, `too_many_rounds`,
        `refunded`; 410: too late. Needs a key with the scope `orders:write`.
        """
        return RevisionAnswer.read(
            self._transport.ask(
                "POST",
                ("jobs", job_id, "images", image_id, "revisions"),
                body=body,
                idempotency_key=idempotency_key,
            )
        )

    def show_revision(self, job_id: str, image_id: str, revision_id: str) -> RevisionAnswer:
        """Get one round in which a result was sent back.

        Like the downloads, asking for it the first time delivers the job. Needs a key with the scope
        `jobs:read`.
        """
        return RevisionAnswer.read(
            self._transport.ask("GET", ("jobs", job_id, "images", image_id, "revisions", revision_id))
        )

    def withdraw_revision(self, job_id: str, image_id: str, revision_id: str) -> RevisionAnswer:
        """Take back a round that is not over.

        The picture stays as it is. The round is kept as `withdrawn`; it counts unless nothing was tried.
        409 with `details.reason` `round_done`: it is over. Needs a key with the scope `orders:write`.
        """
        return RevisionAnswer.read(
            self._transport.ask("DELETE", ("jobs", job_id, "images", image_id, "revisions", revision_id))
        )


class VariantsCalls(Resource):
    """Approved pictures without some of their steps, and the recipe that each picture was made by."""

    def list_variants(self, job_id: str, image_id: str) -> VariantListAnswer:
        """List the variants of an approved picture, with fresh URLs.

        Like the downloads, asking for them the first time delivers the job. Needs a key with the scope
        `jobs:read`.
        """
        return VariantListAnswer.read(self._transport.ask("GET", ("jobs", job_id, "images", image_id, "variants")))

    def request_variant(
        self, job_id: str, image_id: str, body: WithoutRequest, *, idempotency_key: str | None = None
    ) -> VariantPictureAnswer:
        """Ask for an approved picture without some of its steps.

        Free of charge, at most 8 of one picture. A repeated request gets the same variant. A picture made
        by another version of the engine, or by a generative server, is not made again: 409, with
        `details.reason`. Needs a key with the scope `orders:write`.
        """
        return VariantPictureAnswer.read(
            self._transport.ask(
                "POST", ("jobs", job_id, "images", image_id, "variants"), body=body, idempotency_key=idempotency_key
            )
        )

    def show_recipes(self, job_id: str) -> RecipesAnswer:
        """Get what a job's approved pictures were made from.

        They stay with the order when its pictures are gone. Needs a key with the scope `jobs:read`.
        """
        return RecipesAnswer.read(self._transport.ask("GET", ("jobs", job_id, "recipes")))


class SharesCalls(Resource):
    """Links by which clients see results without an account, and what they answered."""

    def list_shares(self, job_id: str) -> ShareLinkList:
        """List a job's share links with what clients answered.

        Links and answers go with the job's pictures. Needs a key with the scope `jobs:read`.
        """
        return ShareLinkList.read(self._transport.ask("GET", ("jobs", job_id, "shares")))

    def create_share(
        self, job_id: str, body: ShareRequest, *, idempotency_key: str | None = None
    ) -> ShareLinkAnswer:
        """Make a link by which a client sees a job's results.

        The client needs no account: they compare, choose favorites, comment, approve or ask for changes. A
        download by the client delivers the job, as the downloads do. At most 20 links of a job open at a
        time. Needs a key with the scope `orders:write`.
        """
        return ShareLinkAnswer.read(
            self._transport.ask("POST", ("jobs", job_id, "shares"), body=body, idempotency_key=idempotency_key)
        )

    def revoke_share(self, job_id: str, share_id: str) -> ShareLinkRevoked:
        """Revoke a share link.

        What the client answered stays in the list. Needs a key with the scope `orders:write`.
        """
        return ShareLinkRevoked.read(self._transport.ask("DELETE", ("jobs", job_id, "shares", share_id)))


class DisclosureCalls(Resource):
    """Rules on altered pictures, the public page of a job's originals, and the evidence of what was
    altered.
    """

    def list_all_rules(self) -> RuleList:
        """List what laws and listing services ask of altered pictures.

        Public: needs no key.
        """
        return RuleList.read(self._transport.ask("GET", ("rules",)))

    def show_rule(self, rule_id: str) -> RuleAnswer:
        """Read one rule.

        Public: needs no key.
        """
        return RuleAnswer.read(self._transport.ask("GET", ("rules", rule_id)))

    def show_public_page(self, job_id: str) -> PublicPageAnswer:
        """Ask where a job's originals are published.

        Needs a key with the scope `jobs:read`.
        """
        return PublicPageAnswer.read(self._transport.ask("GET", ("jobs", job_id, "public-page")))

    def publish_originals(
        self, job_id: str, body: PublicPageRequest, *, idempotency_key: str | None = None
    ) -> PublicPageAnswer:
        """Publish the originals of a job's altered pictures.

        A repeated request changes what is shown and for how long. The page outlives the job, but that of a
        test job ends with its pictures; it shows copies of the originals without metadata. Needs a key with
        the scope `orders:write`.
        """
        return PublicPageAnswer.read(
            self._transport.ask("POST", ("jobs", job_id, "public-page"), body=body, idempotency_key=idempotency_key)
        )

    def unpublish_originals(self, job_id: str) -> PublicPageDeleted:
        """Unpublish a job's originals.

        Needs a key with the scope `orders:write`.
        """
        return PublicPageDeleted.read(self._transport.ask("DELETE", ("jobs", job_id, "public-page")))

    def show_evidence(self, job_id: str) -> EvidenceAnswer:
        """Read the evidence of a job, for anyone who must answer for an altered picture.

        Available as long as the order is kept, also after the pictures are deleted. Until the whole job is
        decided every verdict is `undecided`. Reading it delivers nothing. It is not legal advice. Needs a
        key with the scope `jobs:read`.
        """
        return EvidenceAnswer.read(self._transport.ask("GET", ("jobs", job_id, "evidence")))


class CreditsCalls(Resource):
    """The balance of the account, and its ledger."""

    def show_credits(self) -> CreditAccount:
        """Ask for the balance.

        Needs a key with the scope `credits:read`.
        """
        return CreditAccount.read(self._transport.ask("GET", ("user", "credits")))

    def list_ledger(
        self,
        *,
        limit: int | None = None,
        kind: str | None = None,
        job_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
    ) -> Listing[LedgerLineAnswer]:
        """List the movements of credits.

        `balanceAfter` of the newest line is the balance. Needs a key with the scope `credits:read`.
        """
        return Listing(
            self._transport,
            ("credits", "ledger"),
            {"limit": limit, "kind": kind, "jobId": job_id, "since": since, "until": until},
            "ledger",
            LedgerLineAnswer,
        )


class WebhooksCalls(Resource):
    """Your URLs that receive events instead of asking again and again, and the log of what was sent."""

    def list_webhooks(self) -> WebhookList:
        """List webhooks.

        Needs a key with the scope `webhooks:manage`.
        """
        return WebhookList.read(self._transport.ask("GET", ("webhooks",)))

    def create_webhook(self, body: WebhookRequest, *, idempotency_key: str | None = None) -> WebhookAnswer:
        """Register a webhook.

        The `secret` is shown only in this answer. An account may have 20 webhooks (409). Needs a key with
        the scope `webhooks:manage`.
        """
        return WebhookAnswer.read(
            self._transport.ask("POST", ("webhooks",), body=body, idempotency_key=idempotency_key)
        )

    def delete_webhook(self, *, id: str) -> WebhookDeleted:
        """Delete a webhook.

        Its waiting deliveries are not sent. Needs a key with the scope `webhooks:manage`.
        """
        return WebhookDeleted.read(self._transport.ask("DELETE", ("webhooks",), query={"id": id}))

    def show_webhook(self, webhook_id: str) -> WebhookDetailsAnswer:
        """Get a webhook and how it does.

        Needs a key with the scope `webhooks:manage`.
        """
        return WebhookDetailsAnswer.read(self._transport.ask("GET", ("webhooks", webhook_id)))

    def change_webhook(self, webhook_id: str, body: WebhookChange) -> WebhookAnswer:
        """Change a webhook, or switch it off or on.

        A field that is left out stays as it is. Needs a key with the scope `webhooks:manage`.
        """
        return WebhookAnswer.read(self._transport.ask("PATCH", ("webhooks", webhook_id), body=body))

    def rotate_webhook_secret(
        self, webhook_id: str, body: SecretRequest, *, idempotency_key: str | None = None
    ) -> WebhookAnswer:
        """Rotate a webhook's secret.

        The new `secret` is shown only in this answer. Until `newSecretFrom`, 24 hours later, or until the
        switch, X-Service-Signature is made with the old one and webhook-signature holds one of each. Needs
        a key with the scope `webhooks:manage`.
        """
        return WebhookAnswer.read(
            self._transport.ask(
                "POST", ("webhooks", webhook_id, "secret"), body=body, idempotency_key=idempotency_key
            )
        )

    def switch_webhook_secret(self, webhook_id: str, *, idempotency_key: str | None = None) -> WebhookAnswer:
        """Switch to a webhook's new secret now.

        From now on it alone signs. Needs a key with the scope `webhooks:manage`.
        """
        return WebhookAnswer.read(
            self._transport.ask(
                "POST", ("webhooks", webhook_id, "secret", "switch"), idempotency_key=idempotency_key
            )
        )

    def send_test_event(self, webhook_id: str, *, idempotency_key: str | None = None) -> DeliveryAnswer:
        """Send a test event.

        Whichever events the webhook receives. While a new secret is pending, that one signs it. Needs a key
        with the scope `webhooks:manage`.
        """
        return DeliveryAnswer.read(
            self._transport.ask("POST", ("webhooks", webhook_id, "test"), idempotency_key=idempotency_key)
        )

    def list_deliveries(
        self,
        webhook_id: str,
        *,
        limit: int | None = None,
        status: str | None = None,
        event: str | None = None,
        job_id: str | None = None,
        since: datetime | None = None,
    ) -> Listing[DeliveryAnswer]:
        """List the deliveries to a webhook.

        They are kept for 7 days. With `event`, a page may have few rows, or none, and still a `nextCursor`.
        Needs a key with the scope `webhooks:manage`.
        """
        return Listing(
            self._transport,
            ("webhooks", webhook_id, "deliveries"),
            {"limit": limit, "status": status, "event": event, "jobId": job_id, "since": since},
            "deliveries",
            DeliveryAnswer,
        )

    def show_delivery(self, delivery_id: str) -> DeliveryDetailsAnswer:
        """Get a delivery with its attempts.

        The delivery's id is in the header X-Service-Delivery of each attempt. Needs a key with the scope
        `webhooks:manage`.
        """
        return DeliveryDetailsAnswer.read(self._transport.ask("GET", ("deliveries", delivery_id)))

    def redeliver_delivery(self, delivery_id: str, *, idempotency_key: str | None = None) -> DeliveryAnswer:
        """Send a delivery again.

        The same bytes under the same id, in one attempt. Refused (409) before it has succeeded or failed,
        and while the webhook is off. Needs a key with the scope `webhooks:manage`.
        """
        return DeliveryAnswer.read(
            self._transport.ask("POST", ("deliveries", delivery_id, "redeliver"), idempotency_key=idempotency_key)
        )

    def retry_delivery(self, delivery_id: str, *, idempotency_key: str | None = None) -> DeliveryAnswer:
        """Make the next attempt at a delivery now.

        Only while it waits for another attempt; the attempt counts like any other. Needs a key with the
        scope `webhooks:manage`.
        """
        return DeliveryAnswer.read(
            self._transport.ask("POST", ("deliveries", delivery_id, "retry"), idempotency_key=idempotency_key)
        )

    def redeliver_failed_deliveries(
        self, webhook_id: str, body: RedeliveryRequest, *, idempotency_key: str | None = None
    ) -> DeliveryCount:
        """Send a webhook's failed deliveries again.

        Each in one attempt. Switching the webhook off stops them. Needs a key with the scope
        `webhooks:manage`.
        """
        return DeliveryCount.read(
            self._transport.ask(
                "POST", ("webhooks", webhook_id, "redeliver"), body=body, idempotency_key=idempotency_key
            )
        )

    def release_held_deliveries(self, webhook_id: str, *, idempotency_key: str | None = None) -> DeliveryCount:
        """Send what was held while a webhook was off.

        Once it is on again. Needs a key with the scope `webhooks:manage`.
        """
        return DeliveryCount.read(
            self._transport.ask("POST", ("webhooks", webhook_id, "release"), idempotency_key=idempotency_key)
        )


class EventsCalls(Resource):
    """What happened, in its order, for programs that read it themselves."""

    def list_events(
        self, *, limit: int | None = None, after: str | None = None, type: str | None = None
    ) -> Listing[EventAnswer]:
        """Read what happened since an event.

        The cure for lost webhooks, and works without any. Keep the `id` of the last event that you have
        dealt with, and ask for those `after` it: none is ever skipped, also where several happen at once.
        Events are kept for 30 days, in test mode for 7; an `after` that is older is answered 400.
        `credits.low` is only for keys that have the scope `credits:read` too. Needs a key with the scope
        `jobs:read`.
        """
        return Listing(
            self._transport, ("events",), {"limit": limit, "after": after, "type": type}, "events", EventAnswer
        )


class CallbacksCalls(Resource):
    """The URLs that orders name as `callbackUrl` for their own events. Their log is that of webhooks."""

    def list_callbacks(self, *, limit: int | None = None) -> Listing[CallbackAnswer]:
        """List the callback URLs of orders.

        Needs a key with the scope `webhooks:manage`.
        """
        return Listing(self._transport, ("callbacks",), {"limit": limit}, "callbacks", CallbackAnswer)

    def show_callback_secret(self) -> CallbackSecretAnswer:
        """See whether a callback secret exists, and whether a new one is pending.

        Needs a key with the scope `webhooks:manage`.
        """
        return CallbackSecretAnswer.read(self._transport.ask("GET", ("callbacks", "secret")))

    def create_callback_secret(
        self, body: SecretRequest, *, idempotency_key: str | None = None
    ) -> CallbackSecretAnswer:
        """Create or rotate the callback secret.

        It signs the deliveries to the `callbackUrl` of every order like a webhook's own secret; without it,
        orders with a `callbackUrl` are refused. A second call rotates it like a webhook's secret. Needs a
        key with the scope `webhooks:manage`.
        """
        return CallbackSecretAnswer.read(
            self._transport.ask("POST", ("callbacks", "secret"), body=body, idempotency_key=idempotency_key)
        )

    def switch_callback_secret(self, *, idempotency_key: str | None = None) -> CallbackSecretAnswer:
        """Switch to the new callback secret now.

        From now on it alone signs. Needs a key with the scope `webhooks:manage`.
        """
        return CallbackSecretAnswer.read(
            self._transport.ask("POST", ("callbacks", "secret", "switch"), idempotency_key=idempotency_key)
        )


class TestModeCalls(Resource):
    """What test keys alone can do: move the clock of a test job, and refill the test credits."""

    def move_clock(self, job_id: str, body: ClockRequest, *, idempotency_key: str | None = None) -> ClockAnswer:
        """Move the clock of a test job.

        Only with a test key (else 404). Moves the dates of this job alone, so that you need not wait; 409
        where the job does not come to this moment. Needs a key with the scope `orders:write`.
        """
        return ClockAnswer.read(
            self._transport.ask(
                "POST", ("test", "jobs", job_id, "clock"), body=body, idempotency_key=idempotency_key
            )
        )

    def refill_test_credits(self, *, idempotency_key: str | None = None) -> TestCreditsAnswer:
        """Refill the test credits.

        Only with a test key (else 404). Takes no body, and brings the balance back to 1000. Needs a key
        with the scope `orders:write`.
        """
        return TestCreditsAnswer.read(
            self._transport.ask("POST", ("test", "credits"), idempotency_key=idempotency_key)
        )


class Resources:
    """Every resource of the API."""

    def __init__(self, transport: Transport) -> None:
        self.uploads = UploadsCalls(transport)
        self.catalog = CatalogCalls(transport)
        self.orders = OrdersCalls(transport)
        self.regions = RegionsCalls(transport)
        self.presets = PresetsCalls(transport)
        self.jobs = JobsCalls(transport)
        self.downloads = DownloadsCalls(transport)
        self.packs = PacksCalls(transport)
        self.revisions = RevisionsCalls(transport)
        self.variants = VariantsCalls(transport)
        self.shares = SharesCalls(transport)
        self.disclosure = DisclosureCalls(transport)
        self.credits = CreditsCalls(transport)
        self.webhooks = WebhooksCalls(transport)
        self.events = EventsCalls(transport)
        self.callbacks = CallbacksCalls(transport)
        self.test_mode = TestModeCalls(transport)
