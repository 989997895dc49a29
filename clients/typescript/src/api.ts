// Made by generate.mjs from the OpenAPI document of the service; never edited by hand.

export interface paths {
    "/orders/upload-urls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get signed URLs to upload photos to
         * @description PUT each photo's raw bytes to its `uploadUrl`, without a key: 200 with an ETag and no body. A second PUT
         *     before the order replaces the file. JPEG, PNG, WebP, HEIC or TIFF, judged by content (415), up to 50 MB
         *     (413, also when the files that your account uploaded and did not order use up its quota). 403 for a forged
         *     URL, 410 for one past its time, 409 once the files are ordered. With `Content-MD5` or `x-amz-checksum-sha256`, the
         *     digest in base64, a file that comes damaged is not kept (400 `checksum_mismatch`). Scripts of pages may PUT if the
         *     key lists the page's origin (CORS). `files` are fetched from their URLs instead, under the same limits; an order
         *     takes one once it has come, and a PUT to its `uploadUrl` takes its place. A URL that leads to another host
         *     answers as S3 does (403 also past its time; of the checksums it takes `Content-MD5`), and the file is checked when
         *     it is ordered (400, naming the file). Needs a key with the scope `orders:write`.
         */
        post: operations["create_upload_urls"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/client-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a token for uploads from a page
         * @description For a page of yours, which uploads with it without knowing your key: our upload element, or a script of
         *     your own that sends it to `POST /uploads`. It can do nothing else, and ends with the key. Give it only to visitors
         *     who may upload, and remember which `uploadSessionId` is whose, so that nobody orders the files of others. The
         *     session is opened when the first file is uploaded. Needs a key with the scope `orders:write`.
         */
        post: operations["create_client_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get upload URLs with a client token
         * @description With a client token in place of an API key, from a page whose origin the key of the token lists (CORS),
         *     or from a program. The URLs are those of upload-urls, all in the one session of the token: each request adds files
         *     to it, up to the token's `maxFiles`. Needs a client token.
         */
        post: operations["create_client_uploads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/{uploadSessionId}/fetches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask which files by URL have come
         * @description Each file is asked for with GET, without cookies, credentials or encodings, up to three times where its
         *     server fails (5xx, 408, 425, 429), cannot be reached, or does not send the whole file within 120
         *     seconds. At most 3 redirects are followed. A file is checked as one that is uploaded. It is left out
         *     here once another file was PUT in its place. With `wait` the answer comes as soon as no file is being fetched any
         *     longer, or when the time is over. Needs a key with the scope `orders:write`.
         */
        get: operations["list_fetches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/{uploadSessionId}/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Propose which uploaded files are frames of one photo
         * @description Exposures of one view, taken one after the other, with or without flash, are grouped; a file for which this is not sure stays a photo of its own. The lists are ready to be sent in the order. Nothing is charged or kept. 202 with `status` `pending` until every file was looked at. Needs a key with the scope `orders:write`.
         */
        post: operations["propose_groups"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what can be ordered, at which price
         * @description It changes with releases, with settings, and when owners of the account choose another engine. Keep it, and send its `ETag` as `If-None-Match` to ask whether it is still the same. Quotes and orders are charged by the same catalog. Needs a key with the scope `orders:write`.
         */
        get: operations["show_catalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/from-uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an order from uploaded photos
         * @description Needs a key with the scope `orders:write`.
         */
        post: operations["create_order_from_uploads"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an order with its photos in one request
         * @description Needs a key with the scope `orders:write`.
         */
        post: operations["create_order"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Price an order without placing it
         * @description Send the order itself, with `uploadSessionId` and files: each photo has a `forecast` of what its steps would do, and `possible` is the price without what would be declined. 202 while photos are still being looked at, which takes some seconds each. At most 100 photos of an account wait at a time: ask again for the others. Counts in place of files give the price alone. Nothing is charged. Needs a key with the scope `orders:write`.
         */
        post: operations["quote_order"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/orders/{uploadSessionId}/regions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask what we see in an uploaded photo, and what an order would do to it
         * @description The body is an order with this one photo, and is checked like one. Nothing is charged. 202 with `status` `pending` until our workers looked at the photo, mostly some seconds. At most 100 photos of an account wait at a time; of a photo the newest 4 answers are kept. Needs a key with the scope `orders:write`.
         */
        post: operations["read_regions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/photos/{photoId}/regions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask what we see in a photo of a job, and what its steps would do
         * @description The photos' ids are in the order's `assets` and in the quality report. The steps and hints are those of its present picture. 202 with `status` `pending` until our workers looked at the photo, mostly some seconds. At most 100 photos of an account wait at a time; of a photo the newest 4 answers are kept. Needs a key with the scope `jobs:read`.
         */
        get: operations["read_photo_regions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/presets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List presets
         * @description Needs a key with the scope `orders:write`.
         */
        get: operations["list_presets"];
        put?: never;
        /**
         * Make a preset
         * @description An account may have 50 presets, each with a name of its own (409). Needs a key with the scope `orders:write`.
         */
        post: operations["create_preset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/presets/{presetId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a preset
         * @description Needs a key with the scope `orders:write`.
         */
        get: operations["show_preset"];
        /**
         * Change a preset
         * @description The whole preset is replaced. Orders placed with it stay as they are. Needs a key with the scope `orders:write`.
         */
        put: operations["change_preset"];
        post?: never;
        /**
         * Delete a preset
         * @description Orders placed with it stay as they are. Needs a key with the scope `orders:write`.
         */
        delete: operations["delete_preset"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask where a job stands (every 30 seconds is often enough)
         * @description With `wait` the answer comes as soon as the job is approved, delivered, undeliverable or failed, or when the time is over, with the status of then; so a program can ask in a loop. It counts as one request. Your client should time out a few seconds later. While too many requests wait, the answer comes at once. Needs a key with the scope `jobs:read`.
         */
        get: operations["show_job_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/quality": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the checks found on every photo of a job
         * @description Until the whole job is decided every verdict is `undecided`, without steps and figures. Reading the report delivers nothing. Needs a key with the scope `jobs:read`.
         */
        get: operations["show_job_quality"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job, as far as its photos were not begun
         * @description Takes no body. What is cancelled is refunded at once: of each photo the price of its enhancements; of the price per property outside what it falls by without these photos. Photos that are being worked on or done go on, and are settled as usual. A cancelled photo has the reason `cancelled` in the quality report. If no photo goes on, the job is `undeliverable`, and `undeliverable.code` is `cancelled`. A repeated request changes nothing. Needs a key with the scope `orders:write`.
         */
        post: operations["cancel_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List jobs, the newest first
         * @description Jobs stay in the list after their photos and results were removed. Needs a key with the scope `jobs:read`.
         */
        get: operations["list_jobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read everything that is known of a job
         * @description Reading it delivers nothing. It stays after the photos and results were removed, without `photos`. Needs a key with the scope `jobs:read`.
         */
        get: operations["show_job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/downloads/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get fresh download URLs for all approved images
         * @description Needs a key with the scope `jobs:read`.
         */
        get: operations["show_downloads"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/packs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a job's packs for listing services
         * @description Needs a key with the scope `jobs:read`.
         */
        get: operations["list_mls_packs"];
        put?: never;
        /**
         * Ask for a job's pictures as a listing service takes them
         * @description Free of charge. A repeated request gets the same pack, or a new one in its place if anything that it is made from has changed. An answer with a `url` delivers the job, as the downloads do. Needs a key with the scope `orders:write`.
         */
        post: operations["request_mls_pack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/packs/{packId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask about a pack, and get a fresh URL once it is ready
         * @description A pack is replaced when it is requested with other choices, or after anything that it is made from changed; then the id of the previous pack is unknown. Needs a key with the scope `jobs:read`.
         */
        get: operations["show_mls_pack"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/images/{imageId}/revisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rounds in which a result was sent back, with fresh URLs
         * @description Like the downloads, asking for them the first time delivers the job. Needs a key with the scope `jobs:read`.
         */
        get: operations["list_revisions"];
        put?: never;
        /**
         * Send back a result that is not right
         * @description Free of charge. A result can be sent back as long as it is kept, at most 14 days, and up to 5 times. The photo is made again, or a person looks at it; `photo.revised` reports the end. The picture in its place is under the same `imageId` in the downloads. A rejected result of a job with others that are usable can be sent back too, as `no_result`: its price stays refunded, and the picture that a person has made of it, if any, is free. 409 has `details.reason`: `round_open`, `too_many_rounds`, `refunded`; 410: too late. Needs a key with the scope `orders:write`.
         */
        post: operations["request_revision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/images/{imageId}/revisions/{revisionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one round in which a result was sent back
         * @description Like the downloads, asking for it the first time delivers the job. Needs a key with the scope `jobs:read`.
         */
        get: operations["show_revision"];
        put?: never;
        post?: never;
        /**
         * Take back a round that is not over
         * @description The picture stays as it is. The round is kept as `withdrawn`; it counts unless nothing was tried. 409 with `details.reason` `round_done`: it is over. Needs a key with the scope `orders:write`.
         */
        delete: operations["withdraw_revision"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/images/{imageId}/variants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the variants of an approved picture, with fresh URLs
         * @description Like the downloads, asking for them the first time delivers the job. Needs a key with the scope `jobs:read`.
         */
        get: operations["list_variants"];
        put?: never;
        /**
         * Ask for an approved picture without some of its steps
         * @description Free of charge, at most 8 of one picture. A repeated request gets the same variant. A picture made by another version of the engine, or by a generative server, is not made again: 409, with `details.reason`. Needs a key with the scope `orders:write`.
         */
        post: operations["request_variant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/recipes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what a job's approved pictures were made from
         * @description They stay with the order when its pictures are gone. Needs a key with the scope `jobs:read`.
         */
        get: operations["show_recipes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a job's share links with what clients answered
         * @description Links and answers go with the job's pictures. Needs a key with the scope `jobs:read`.
         */
        get: operations["list_shares"];
        put?: never;
        /**
         * Make a link by which a client sees a job's results
         * @description The client needs no account: they compare, choose favorites, comment, approve or ask for changes. A download by the client delivers the job, as the downloads do. At most 20 links of a job open at a time. Needs a key with the scope `orders:write`.
         */
        post: operations["create_share"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/shares/{shareId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a share link
         * @description What the client answered stays in the list. Needs a key with the scope `orders:write`.
         */
        delete: operations["revoke_share"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what laws and listing services ask of altered pictures
         * @description Public: needs no key.
         */
        get: operations["list_all_rules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rules/{ruleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read one rule
         * @description Public: needs no key.
         */
        get: operations["show_rule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/public-page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask where a job's originals are published
         * @description Needs a key with the scope `jobs:read`.
         */
        get: operations["show_public_page"];
        put?: never;
        /**
         * Publish the originals of a job's altered pictures
         * @description A repeated request changes what is shown and for how long. The page outlives the job, but that of a test job ends with its pictures; it shows copies of the originals without metadata. Needs a key with the scope `orders:write`.
         */
        post: operations["publish_originals"];
        /**
         * Unpublish a job's originals
         * @description Needs a key with the scope `orders:write`.
         */
        delete: operations["unpublish_originals"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{jobId}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the evidence of a job, for anyone who must answer for an altered picture
         * @description Available as long as the order is kept, also after the pictures are deleted. Until the whole job is decided every verdict is `undecided`. Reading it delivers nothing. It is not legal advice. Needs a key with the scope `jobs:read`.
         */
        get: operations["show_evidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/user/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask for the balance
         * @description Needs a key with the scope `credits:read`.
         */
        get: operations["show_credits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credits/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the movements of credits
         * @description `balanceAfter` of the newest line is the balance. Needs a key with the scope `credits:read`.
         */
        get: operations["list_ledger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Needs a key with the scope `webhooks:manage`.
         */
        get: operations["list_webhooks"];
        put?: never;
        /**
         * Register a webhook
         * @description The `secret` is shown only in this answer. An account may have 20 webhooks (409). Needs a key with the scope `webhooks:manage`.
         */
        post: operations["create_webhook"];
        /**
         * Delete a webhook
         * @description Its waiting deliveries are not sent. Needs a key with the scope `webhooks:manage`.
         */
        delete: operations["delete_webhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook and how it does
         * @description Needs a key with the scope `webhooks:manage`.
         */
        get: operations["show_webhook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a webhook, or switch it off or on
         * @description A field that is left out stays as it is. Needs a key with the scope `webhooks:manage`.
         */
        patch: operations["change_webhook"];
        trace?: never;
    };
    "/webhooks/{webhookId}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a webhook's secret
         * @description The new `secret` is shown only in this answer. Until `newSecretFrom`, 24 hours later, or until the switch, X-Service-Signature is made with the old one and webhook-signature holds one of each. Needs a key with the scope `webhooks:manage`.
         */
        post: operations["rotate_webhook_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}/secret/switch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch to a webhook's new secret now
         * @description From now on it alone signs. Needs a key with the scope `webhooks:manage`.
         */
        post: operations["switch_webhook_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Whichever events the webhook receives. While a new secret is pending, that one signs it. Needs a key with the scope `webhooks:manage`.
         */
        post: operations["send_test_event"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries to a webhook
         * @description They are kept for 7 days. With `event`, a page may have few rows, or none, and still a `nextCursor`. Needs a key with the scope `webhooks:manage`.
         */
        get: operations["list_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery with its attempts
         * @description The delivery's id is in the header X-Service-Delivery of each attempt. Needs a key with the scope `webhooks:manage`.
         */
        get: operations["show_delivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again
         * @description The same bytes under the same id, in one attempt. Refused (409) before it has succeeded or failed, and while the webhook is off. Needs a key with the scope `webhooks:manage`.
         */
        post: operations["redeliver_delivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries/{deliveryId}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the next attempt at a delivery now
         * @description Only while it waits for another attempt; the attempt counts like any other. Needs a key with the scope `webhooks:manage`.
         */
        post: operations["retry_delivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a webhook's failed deliveries again
         * @description Each in one attempt. Switching the webhook off stops them. Needs a key with the scope `webhooks:manage`.
         */
        post: operations["redeliver_failed_deliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{webhookId}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send what was held while a webhook was off
         * @description Once it is on again. Needs a key with the scope `webhooks:manage`.
         */
        post: operations["release_held_deliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what happened since an event
         * @description The cure for lost webhooks, and works without any. Keep the `id` of the last event that you have dealt with, and ask for those `after` it: none is ever skipped, also where several happen at once. Events are kept for 30 days, in test mode for 7; an `after` that is older is answered 400. `credits.low` is only for keys that have the scope `credits:read` too. Needs a key with the scope `jobs:read`.
         */
        get: operations["list_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/callbacks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the callback URLs of orders
         * @description Needs a key with the scope `webhooks:manage`.
         */
        get: operations["list_callbacks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/callbacks/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See whether a callback secret exists, and whether a new one is pending
         * @description Needs a key with the scope `webhooks:manage`.
         */
        get: operations["show_callback_secret"];
        put?: never;
        /**
         * Create or rotate the callback secret
         * @description It signs the deliveries to the `callbackUrl` of every order like a webhook's own secret; without it, orders with a `callbackUrl` are refused. A second call rotates it like a webhook's secret. Needs a key with the scope `webhooks:manage`.
         */
        post: operations["create_callback_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/callbacks/secret/switch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch to the new callback secret now
         * @description From now on it alone signs. Needs a key with the scope `webhooks:manage`.
         */
        post: operations["switch_callback_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/test/jobs/{jobId}/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move the clock of a test job
         * @description Only with a test key (else 404). Moves the dates of this job alone, so that you need not wait; 409 where the job does not come to this moment. Needs a key with the scope `orders:write`.
         */
        post: operations["move_clock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/test/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refill the test credits
         * @description Only with a test key (else 404). Takes no body, and brings the balance back to 1000. Needs a key with the scope `orders:write`.
         */
        post: operations["refill_test_credits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * AcceptedAnswer
         * @description A barred enhancement that was ordered knowingly.
         */
        AcceptedAnswer: {
            rule: string;
            /** @description Of the rule whose words were shown. */
            version: number;
            enhancement: components["schemas"]["KnownEnhancement"];
            /** Format: date-time */
            acceptedAt: string;
        };
        /**
         * AppearanceAnswer
         * @description What the photos of the order share: white points as factors of red, green and blue, the median luma (0-1),
         *     the side of the sun (-1 left, 1 right). A value is absent where no photo shows it.
         */
        AppearanceAnswer: {
            castOutdoors?: number[];
            castIndoors?: number[];
            brightnessIndoors?: number;
            sunSide?: number;
        };
        /**
         * Asset
         * @description One photo of a job.
         */
        Asset: {
            /** @description Names the photo. */
            id: string;
            /** @description Your own name of it, or one of ours. */
            fileName: string;
            type: components["schemas"]["KnownPhotoType"];
            /** @description Its place among those of its type, from 0. */
            index: number;
            /** @description What must be disclosed about it, if everything is done as ordered. */
            disclosures: components["schemas"]["DisclosureAnswer"][];
            /** @description The files that it is made of; absent where it is one. */
            frames?: components["schemas"]["FrameAnswer"][];
        };
        /**
         * AttemptAnswer
         * @description One attempt at a delivery.
         */
        AttemptAnswer: {
            /** @description From 1. */
            number: number;
            /** @description Whether somebody asked for it by hand. */
            redelivery: boolean;
            outcome: components["schemas"]["AttemptOutcome"];
            /** @description What happened, for people. */
            message: string;
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            endedAt?: string;
            responseStatus?: number;
            responseHeaders: {
                [key: string]: string;
            };
            /** @description Its first 2000 characters. */
            responseBody: string;
        };
        /**
         * AttemptOutcome
         * @description The outcome of one attempt. Values may be added: treat one that you do not know as such.
         */
        AttemptOutcome: "started" | "succeeded" | "rejected" | "timeout" | "address_not_allowed" | "not_connected" | "tls_failed" | "broken_answer" | "cut_off" | (string & Record<never, never>);
        /**
         * BalanceData
         * @description The account whose balance is low.
         */
        BalanceData: {
            /** @description The account. */
            profileId: string;
            /** @description The balance right after the event. */
            credits: number;
            /** @description The limit below which it fell. */
            threshold: number;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
        };
        /**
         * BalanceEventBody
         * @description What is sent to a webhook for `credits.low`, the only event that is not about a job.
         */
        BalanceEventBody: {
            /** @description What happened. */
            event: components["schemas"]["KnownEventName"];
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description To which account. */
            data: components["schemas"]["BalanceData"];
        };
        /**
         * BeforeAnswer
         * @description The picture that was sent back.
         */
        BeforeAnswer: {
            /** @description For a time; Range and HEAD work. Not in the answer to POST, nor after credits were refunded for steps that the new picture does not have. */
            url?: string;
            /** @description In pixels. */
            width: number;
            /** @description In pixels. */
            height: number;
            /** @description The size of the file. */
            bytes: number;
            /** @description The steps that are in it. */
            enhancements: components["schemas"]["KnownEnhancement"][];
            /** @description Of the file. */
            sha256?: string;
            /** @description The C2PA content credentials that we wrote into it. */
            contentCredentials?: components["schemas"]["CredentialKind"];
            engineVersion?: string;
        };
        /**
         * Brightness
         * @description How light a room becomes.
         * @enum {string}
         */
        Brightness: "darker" | "as_is" | "brighter";
        /**
         * BudgetAnswer
         * @description What an API key may spend in a calendar month, in UTC.
         */
        BudgetAnswer: {
            /** @description So many in each month. */
            credits: number;
            /** @description Of this month's, without what was refunded. */
            spent: number;
            /** @description How many it may still spend this month. */
            left: number;
            /**
             * Format: date-time
             * @description When the next month begins, with nothing spent.
             */
            resetsAt: string;
        };
        /**
         * CallbackAnswer
         * @description A URL that orders named as their callback, as long as one of these orders is kept.
         */
        CallbackAnswer: {
            /** @description Names it in the operations on webhooks: its deliveries, a test, on and off. */
            id: string;
            url: string;
            /** @description False once it is switched off: deliveries are held. */
            active: boolean;
            /** @description Why it is off, for people. */
            offReason?: string;
            /** Format: date-time */
            createdAt: string;
        };
        /**
         * CallbackList
         * @description Callback URLs of the account's orders.
         */
        CallbackList: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description Sent as `cursor`, it gives the next page, with the same filters; null at the end. */
            nextCursor: string | null;
            /** @description The newest first. */
            callbacks: components["schemas"]["CallbackAnswer"][];
        };
        /**
         * CallbackSecretAnswer
         * @description The secret that signs the deliveries to all callback URLs of the account.
         */
        CallbackSecretAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description Keep it; only the answer that creates it has it. */
            secret?: string;
            /**
             * Format: date-time
             * @description When the account got its first one.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description While a new secret is pending: when it alone signs.
             */
            newSecretFrom?: string;
        };
        /**
         * CameraAnswer
         * @description The camera of a room's photo; angles are in degrees.
         */
        CameraAnswer: {
            /** @description The focal length, in widths of the picture. */
            focal: number;
            /** @description Where the lens's axis meets the picture, 0 to 1. */
            center: number[];
            /** @description To the right of the room's main direction. */
            yaw: number;
            /** @description Downwards. */
            pitch: number;
            /** @description Clockwise. */
            roll: number;
            /** @description In meters over the floor. */
            height: number;
            /** @description In meters over the floor; absent if it is not seen. */
            ceiling?: number;
            /** @description What gave the meters: `hint`, `door`, `counter`, `ceiling` or `usual`. */
            scaleSource: string;
            /** @description 0 to 1. */
            certainty: number;
        };
        /**
         * CancelAnswer
         * @description The outcome of the cancellation of a job.
         */
        CancelAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            jobId: string;
            /** @description `cancelled`: no photo had been begun, all is refunded; `cancelling`: some photos had been begun and go on, the others are refunded; `already_done`: nothing was left to cancel. */
            outcome: components["schemas"]["CancelOutcome"];
            /** @description Where the job stands now. */
            status: components["schemas"]["Status"];
            /** @description All that was refunded of the job so far. */
            creditsRefunded: number;
            /**
             * Format: date-time
             * @description Absent where nothing was cancelled.
             */
            cancelledAt?: string;
        };
        /**
         * CancelOutcome
         * @description The outcome of a request to cancel a job: the whole job was cancelled; some photos were cancelled while work
         *     on the others continues; or nothing was left to cancel. Values may be added: treat one that you do not know as such.
         */
        CancelOutcome: "cancelled" | "cancelling" | "already_done" | (string & Record<never, never>);
        /**
         * CatalogAnswer
         * @description Everything that can be ordered.
         */
        CatalogAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description In the order in which they are applied. */
            enhancements: components["schemas"]["EnhancementAnswer"][];
            exteriorPrice: components["schemas"]["ExteriorPriceAnswer"];
            serviceTypes: components["schemas"]["KnownServiceType"][];
            /** @description Combinations that work well. */
            suggested: components["schemas"]["KnownEnhancement"][][];
            /** @description Of these a photo shows one: the last applied. */
            exclusive: components["schemas"]["KnownEnhancement"][];
            /** @description Of virtual staging. */
            styles: components["schemas"]["KnownStyle"][];
            /** @description Of virtual staging. */
            roomTypes: components["schemas"]["KnownRoomType"][];
            /** @description Of virtual renovation. */
            changeTypes: components["schemas"]["KnownChangeType"][];
            limits: components["schemas"]["LimitsAnswer"];
            engine: components["schemas"]["EngineAnswer"];
        };
        /**
         * CauseCode
         * @description What a ledger line is for, more exactly than its kind. Values may be added: treat one that you do not know as such.
         */
        CauseCode: "purchase" | "purchase_reversed" | "adjustment" | "welcome" | "test_credits" | "order" | "job_refund" | "property_refund" | "photo_refund" | "step_refund" | "change_refund" | (string & Record<never, never>);
        /**
         * ChangeAnswer
         * @description The outcome of one change of a renovation.
         */
        ChangeAnswer: {
            /** @description Its place among the photo's renovation entries, from 0. */
            index: number;
            type: components["schemas"]["KnownChangeType"];
            /** @description False where it was declined; what it cost was refunded. */
            applied: boolean;
            /** @description Why it was declined, for programs; only then. */
            reason?: components["schemas"]["Reason"];
            /** @description Why it was declined, or what of it was left out, for people. */
            message?: string;
        };
        /**
         * ChangeForecastAnswer
         * @description The forecast for one change of a renovation.
         */
        ChangeForecastAnswer: {
            /** @description Its place among the photo's renovation entries, from 0. */
            index: number;
            type: components["schemas"]["KnownChangeType"];
            prospect: components["schemas"]["Prospect"];
            /** @description The part of hints that helps. */
            hint?: components["schemas"]["HintPart"];
            /** @description Why it would be declined, for programs. */
            reason?: components["schemas"]["Reason"];
            /** @description The same for people. */
            message?: string;
        };
        /**
         * ChangeType
         * @description The part of a room or house that a change of a renovation replaces.
         * @enum {string}
         */
        ChangeType: "floor" | "walls" | "cabinets" | "countertops" | "fixtures" | "lighting" | "backsplash" | "appliances" | "exterior" | "other";
        /**
         * ClientTokenAnswer
         * @description A token for one upload session.
         */
        ClientTokenAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description For your page. Not stored by us. */
            token: string;
            /** @description The session that the page's files are in, for the order. */
            uploadSessionId: string;
            /** Format: date-time */
            expiresAt: string;
            /** @description The most files of the session. */
            maxFiles: number;
            /** @description The pages that may use it: those that the key lists, now or later. */
            origins: string[];
        };
        /**
         * ClientTokenRequest
         * @description How long a token is valid, and for how many files.
         */
        ClientTokenRequest: {
            /** @description Seconds for which it is valid. Default: `900`. */
            expiresIn?: number;
            /** @description The most files of its upload session. Default: `100`. */
            maxFiles?: number;
            /** @description A session to go on with, where an earlier token has expired; without it, a new one. */
            uploadSessionId?: string | null;
        };
        /**
         * ClientUploadRequest
         * @description How many files a page is about to upload.
         */
        ClientUploadRequest: {
            /** @description How many interior photos. At least one of both kinds. Default: `0`. */
            interiorCount?: number;
            /** @description How many exterior photos. Default: `0`. */
            exteriorCount?: number;
        };
        /**
         * ClockAnswer
         * @description The state of the job after its clock was moved.
         */
        ClockAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            jobId: string;
            /** @description Where the job stands now. */
            status: components["schemas"]["Status"];
            /**
             * Format: date-time
             * @description When its photos and results were removed; absent while they are kept.
             */
            expiredAt?: string;
        };
        /**
         * ClockMoment
         * @description A moment in the life of an order.
         *
         *     REVIEW_END: a slow review is over. DEADLINE: the job has taken too long. NEXT_ATTEMPTS: deliveries that wait for
         *     another attempt are due. RETENTION_END: photos and results are no longer kept.
         * @enum {string}
         */
        ClockMoment: "review_end" | "deadline" | "next_attempts" | "retention_end";
        /**
         * ClockRequest
         * @description The moment to which the clock of a job is moved.
         */
        ClockRequest: {
            /** @description `review_end`: a slow review ends; `deadline`: the job fails because it took too long; `next_attempts`: deliveries that wait for another attempt are sent; `retention_end`: photos and results are removed, and links to them end. */
            to: components["schemas"]["ClockMoment"];
        };
        /**
         * CredentialKind
         * @description Whether files carry content credentials, and by whose certificate: the demo's own, which nobody trusts, or
         *     the operator's. Values may be added: treat one that you do not know as such.
         */
        CredentialKind: "none" | "demo" | "certificate" | (string & Record<never, never>);
        /**
         * CreditAccount
         * @description An account's balance, and the budget of the key that asks.
         */
        CreditAccount: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description The balance; halves occur. */
            credits: number;
            /** @description Whose it is. */
            profile: components["schemas"]["Profile"];
            /** @description Of this key; absent where it has none. */
            budget?: components["schemas"]["BudgetAnswer"];
        };
        /**
         * DecidedBy
         * @description Who approved or rejected a picture: a reviewer, or the automatic checks alone. Values may be added: treat one that you do not know as such.
         */
        DecidedBy: "reviewer" | "automatic" | (string & Record<never, never>);
        /**
         * DeliveryAnswer
         * @description The delivery of one event to one receiver.
         */
        DeliveryAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode?: boolean;
            /** @description As in X-Service-Delivery. */
            id: string;
            webhookId: string;
            event: components["schemas"]["KnownEventName"];
            /** @description Absent where the event is about no job. */
            jobId?: string;
            /** @description `held`: the webhook is off; `failed`: given up. */
            status: components["schemas"]["DeliveryState"];
            attemptsMade: number;
            /** @description The last response's, if one came. */
            responseStatus?: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastAttemptAt?: string;
            /**
             * Format: date-time
             * @description While it waits for an attempt.
             */
            nextAttemptAt?: string;
        };
        /**
         * DeliveryCount
         * @description The count of deliveries that will be sent.
         */
        DeliveryCount: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            count: number;
        };
        /**
         * DeliveryDetailsAnswer
         * @description One delivery with its payload and every attempt.
         */
        DeliveryDetailsAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description As in X-Service-Delivery. */
            id: string;
            webhookId: string;
            event: components["schemas"]["KnownEventName"];
            /** @description Absent where the event is about no job. */
            jobId?: string;
            /** @description `held`: the webhook is off; `failed`: given up. */
            status: components["schemas"]["DeliveryState"];
            attemptsMade: number;
            /** @description The last response's, if one came. */
            responseStatus?: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastAttemptAt?: string;
            /**
             * Format: date-time
             * @description While it waits for an attempt.
             */
            nextAttemptAt?: string;
            /** @description The body that every attempt sends. */
            payload: {
                [key: string]: unknown;
            };
            /** @description The newest first, at most 50. */
            attempts: components["schemas"]["AttemptAnswer"][];
        };
        /**
         * DeliveryList
         * @description Deliveries to one receiver.
         */
        DeliveryList: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description Sent as `cursor`, it gives the next page, with the same filters; null at the end. */
            nextCursor: string | null;
            /** @description The newest first. */
            deliveries: components["schemas"]["DeliveryAnswer"][];
        };
        /**
         * DeliveryState
         * @description The state of a delivery. HELD: the webhook is switched off; the delivery is sent once somebody releases
         *     it. Values may be added: treat one that you do not know as such.
         */
        DeliveryState: "waiting" | "sending" | "succeeded" | "failed" | "held" | (string & Record<never, never>);
        /**
         * Demand
         * @description Whether a rule requires, allows or forbids something. Values may be added: treat one that you do not know as such.
         */
        Demand: "required" | "allowed" | "forbidden" | (string & Record<never, never>);
        /**
         * Disclosure
         * @description The disclosures of pictures that do not show the property as it is; the rules have the words. Values may be added: treat one that you do not know as such.
         */
        Disclosure: "virtually_staged" | "virtually_renovated" | "digitally_altered" | (string & Record<never, never>);
        /**
         * DisclosureAnswer
         * @description One alteration of a picture that a rule requires to be disclosed, or bars.
         */
        DisclosureAnswer: {
            /** @description What kind of alteration it is. */
            disclosure: components["schemas"]["Disclosure"];
            /** @description Whether it must be disclosed, or is barred altogether. */
            treatment: components["schemas"]["Treatment"];
            /** @description What the listing says, in the rule's words. */
            words: string;
            /** @description The rule, see GET /rules. */
            rule: string;
            /** @description Where it was read; absent where the rule is our own. */
            source?: string;
        };
        /**
         * DownloadAnswer
         * @description Every approved picture of a job.
         */
        DownloadAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            jobId: string;
            /** @description Of the property, as ordered. */
            address: string;
            /** @description How many pictures there are. */
            imageCount: number;
            listing: components["schemas"]["ListingAnswer"];
            /** @description The approved ones. */
            images: components["schemas"]["ImageAnswer"][];
            /** @description The photos without a usable result; they were refunded. */
            rejected: components["schemas"]["RejectedPhotoAnswer"][];
            /** @description Your own id of the order; absent where you gave none. */
            externalId?: string;
            /** @description Your own pairs, as ordered; absent where you gave none. */
            metadata?: {
                [key: string]: string;
            };
        };
        /**
         * DuskKind
         * @description How far the dusk has come.
         * @enum {string}
         */
        DuskKind: "early" | "deep";
        /**
         * EditEvidenceAnswer
         * @description One enhancement that was ordered.
         */
        EditEvidenceAnswer: {
            enhancement: components["schemas"]["KnownEnhancement"];
            /** @description Whether it was done; false while undecided. */
            applied: boolean;
            style?: components["schemas"]["KnownStyle"];
            roomType?: components["schemas"]["KnownRoomType"];
            /** @description Of a renovation, each as `type: description`. */
            changes: string[];
            /** @description What was chosen of its options. */
            options?: components["schemas"]["OptionsAnswer"];
            /** @description Of virtual staging that our worker made: the pieces that it added, with sizes. */
            furniture?: components["schemas"]["FurnitureAnswer"][];
        };
        /**
         * EffectRuleAnswer
         * @description How a rule treats one enhancement.
         */
        EffectRuleAnswer: {
            treatment: components["schemas"]["Treatment"];
            /** @description In the rule's words, where it has some. */
            words?: string;
            /** @description How we know. */
            certainty: components["schemas"]["RuleCertainty"];
        };
        /**
         * EngineAnswer
         * @description The engine that makes the account's pictures.
         */
        EngineAnswer: {
            /** @description `latest`: each release as it comes. `stable`: another one only after owners of the account were told by mail. */
            channel: components["schemas"]["EngineChannel"];
            /** @description Of the pictures of an order that is placed now. */
            version: string;
            /** @description Absent where none is announced. */
            next?: components["schemas"]["NextEngineAnswer"];
        };
        /**
         * EngineChannel
         * @description Which release of the engine makes an account's pictures. Values may be added: treat one that you do not know as such.
         */
        EngineChannel: "latest" | "stable" | (string & Record<never, never>);
        /**
         * Enhancement
         * @description The identifiers of the interface.
         * @enum {string}
         */
        Enhancement: "grass_enhancement" | "sky_enhancement" | "golden_hour" | "twilight_conversion" | "hdr_enhancement" | "flambient_enhancement" | "declutter" | "furniture_removal" | "virtual_staging" | "virtual_renovation";
        /**
         * EnhancementAnswer
         * @description An enhancement as it is sold.
         */
        EnhancementAnswer: {
            /** @description As orders name it. */
            id: components["schemas"]["KnownEnhancement"];
            /** @description The photos that it is for. */
            group: components["schemas"]["KnownPhotoType"];
            /** @description For people. */
            label: string;
            /** @description What it does, for people. */
            description: string;
            /** @description 0 for those whose price is in `exteriorPrice`; a renovation costs it for each change. */
            creditsPerPhoto: number;
            /** @description Added once to `exteriorPrice`, however many photos get it. */
            extraCreditsPerProperty: number;
            /** @description Those that choose its look. */
            options: components["schemas"]["OptionAnswer"][];
            /** @description What to know before paying, for people; absent where there is nothing. */
            warning?: string;
        };
        /**
         * ErrorAnswer
         * @description The body of every refusal.
         */
        ErrorAnswer: {
            /** @description A short phrase, for people. */
            error: string;
            /** @description Stable: decide by it. */
            code: "budget_exceeded" | "budget_required" | "checksum_mismatch" | "client_token_expired" | "conflict" | "expired" | "forbidden" | "idempotency_mismatch" | "insufficient_credits" | "internal_error" | "invalid_request" | "method_not_allowed" | "not_found" | "origin_not_allowed" | "price_too_high" | "rate_limited" | "retention_ended" | "timeout" | "too_large" | "too_many_files" | "unauthorized" | "unsupported_media_type" | (string & Record<never, never>);
            /** @description What to do about it, for people. */
            message: string;
            /** @description The page of the documentation about the code. */
            docUrl: string;
            /** @description Give it to us when you ask for help. */
            requestId: string;
            /** @description By the path of each field in your request, its fault; with 402 the amounts. */
            details?: {
                [key: string]: string | number;
            };
            /** @description Where the job stands, when that is why. */
            status?: string;
            /** @description The order that the upload session became, when that is why. */
            jobId?: string;
        };
        /**
         * EventAnswer
         * @description An event as it is sent to webhooks, with its id.
         */
        EventAnswer: {
            /** @description Names the event; deliveries have it in `X-Service-Event-Id`. */
            id: string;
            /** @description What happened. */
            event: components["schemas"]["KnownEventName"];
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description To which job; of `credits.low`: to which account. */
            data: components["schemas"]["EventData"] | components["schemas"]["BalanceData"];
        };
        /**
         * EventBody
         * @description What is sent to a webhook.
         */
        EventBody: {
            /** @description What happened. */
            event: components["schemas"]["KnownEventName"];
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description To which job. */
            data: components["schemas"]["EventData"];
        };
        /**
         * EventData
         * @description The job of an event, in its state right after the event.
         */
        EventData: {
            jobId: string;
            /** @description Where the job stood right after the event. */
            status: components["schemas"]["Status"];
            /** @description The account. */
            profileId: string;
            /** @description Of the property, as ordered. */
            address: string;
            /** @description What was charged, in credits. */
            creditCost: number;
            photoCount: components["schemas"]["PhotoCount"];
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description Of the picture that the event is about; of other events, the engine for the job's pictures. */
            engineVersion: string;
            /** @description Your own id of the order; absent where you gave none. */
            externalId?: string;
            /** @description Your own pairs, as ordered; absent where you gave none. */
            metadata?: {
                [key: string]: string;
            };
            /** @description `job.cancelled` alone: how many photos were cancelled. */
            photosCancelled?: number;
            /** @description `job.cancelled` alone: what was refunded for them. */
            creditsRefunded?: number;
            /** @description The result that was sent back, is done, or has the variant; as in the downloads. */
            imageId?: string;
            /** @description `photo.completed` alone: an asset of the order. */
            photoId?: string;
            /** @description `photo.completed` alone. */
            photoType?: components["schemas"]["KnownPhotoType"];
            /** @description `photo.completed` alone: from 0, within the type. */
            photoIndex?: number;
            /** @description `photo.completed` alone: false where nothing usable came out. */
            hasPicture?: boolean;
            /** @description `variant.ready` alone: the steps that are in the variant. */
            enhancements?: components["schemas"]["KnownEnhancement"][];
            /** @description `pack.ready` alone. */
            packId?: string;
            /** @description `pack.ready` alone: the listing service. */
            mls?: string;
            /** @description `photo.revised` alone: names the round. */
            revisionId?: string;
            /** @description `photo.revised` alone: which round it was, from 1. */
            round?: number;
            /** @description `photo.revised` alone: how the round ended. */
            outcome?: components["schemas"]["RevisionOutcome"];
        };
        /**
         * EventListAnswer
         * @description Events of the account.
         */
        EventListAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description Sent as `cursor`, it gives the next page, with the same filters; null at the end. */
            nextCursor: string | null;
            /** @description In the order in which they happened, the oldest first. */
            events: components["schemas"]["EventAnswer"][];
        };
        /**
         * EventName
         * @description The events that webhooks receive, and the test event, which a customer sends by hand.
         * @enum {string}
         */
        EventName: "job.created" | "job.processing" | "job.completed" | "job.approved" | "job.delivered" | "job.undeliverable" | "job.failed" | "job.cancelled" | "photo.completed" | "photo.revised" | "variant.ready" | "pack.ready" | "credits.low" | "webhook.test";
        /**
         * EvidenceAnswer
         * @description The evidence of one order. It is not legal advice.
         */
        EvidenceAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            jobId: string;
            /** @description The name of the person who ordered, else of the owner of the account. */
            orderedBy: string;
            /** Format: date-time */
            orderedAt: string;
            address: string;
            status: components["schemas"]["Status"];
            /** Format: date-time */
            settledAt?: string;
            /**
             * Format: date-time
             * @description When the pictures and their records were removed.
             */
            expiredAt?: string;
            rules: components["schemas"]["HeldRuleAnswer"][];
            acceptedBarred: components["schemas"]["AcceptedAnswer"][];
            /** @description False for orders that expired before evidence was kept. */
            complete: boolean;
            pictures: components["schemas"]["PictureEvidenceAnswer"][];
            publicPages: components["schemas"]["PublicPageEvidenceAnswer"][];
            note: string;
        };
        /**
         * EvidenceFigure
         * @description One measured value.
         */
        EvidenceFigure: {
            /** @description What was measured, as in the quality report. */
            code: string;
            /** @description What was measured, in words. */
            label: string;
            value: number;
            minimum?: number;
            maximum?: number;
            passed: boolean;
        };
        /**
         * ExteriorPriceAnswer
         * @description The price of exterior enhancements: once for all exterior photos of an order.
         */
        ExteriorPriceAnswer: {
            /** @description In credits, of one enhancement. */
            one: number;
            /** @description In credits, of two or more distinct ones. */
            twoOrMore: number;
        };
        /**
         * FetchFault
         * @description Why a file could not be fetched. Values may be added: treat one that you do not know as such.
         */
        FetchFault: "address_not_allowed" | "too_many_redirects" | "unreachable" | "timeout" | "refused" | "source_failed" | "encoded" | "too_large" | "unsupported_media" | "quota_exceeded" | "interrupted" | "account_suspended" | (string & Record<never, never>);
        /**
         * FetchStatus
         * @description The status of a file that is fetched. Values may be added: treat one that you do not know as such.
         */
        FetchStatus: "fetching" | "stored" | "failed" | (string & Record<never, never>);
        /**
         * FetchedFileAnswer
         * @description A file that is fetched.
         */
        FetchedFileAnswer: {
            filePath: string;
            /** @description An order takes files that are `stored`. */
            status: components["schemas"]["FetchStatus"];
            /** @description Why it `failed`, for programs. */
            code?: components["schemas"]["FetchFault"];
            /** @description The same for people. */
            message?: string;
            /** @description Of the last answer of its server, where the file `failed` by it. */
            httpStatus?: number;
        };
        /**
         * FetchesAnswer
         * @description The files of an upload session that are fetched.
         */
        FetchesAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            uploadSessionId: string;
            files: components["schemas"]["FetchedFileAnswer"][];
        };
        /**
         * FigureAnswer
         * @description One measured value, with its limits if it has any.
         */
        FigureAnswer: {
            /** @description What was measured, for programs. New figures may come. */
            code: string;
            /** @description What was measured, for people. */
            label: string;
            /** @description What the value counts: a share is 0 to 1, yes is 1. */
            unit?: components["schemas"]["Unit"];
            /** @description The edit by a generative server that was measured; absent for the whole. */
            edit?: string;
            value: number;
            /** @description The value may not be below it. */
            minimum?: number;
            /** @description The value may not be above it. */
            maximum?: number;
            /** @description Whether the value keeps its limits. */
            passed: boolean;
            /** @description Why the result is rejected when a limit is broken. */
            fault?: components["schemas"]["Reason"];
        };
        /**
         * FileRef
         * @description A file uploaded before. An entry of the upload session may be sent back whole.
         */
        FileRef: {
            /** @description As given with the upload URL. */
            filePath: string;
            /** @description Your own name of the photo, kept for the download. */
            fileName?: string | null;
            /** @description Entries of one type with the same one are frames of one photo, at most 9: exposures, or frames with and without flash. */
            group?: string | null;
            uploadUrl?: unknown;
            index?: unknown;
            type?: unknown;
            photo?: unknown;
            frame?: unknown;
            file?: unknown;
        };
        /**
         * Flaw
         * @description What is wrong. The values are stored; LABELS has the words for customers.
         * @enum {string}
         */
        Flaw: "too_dark" | "too_bright" | "sky_on_wall" | "old_sky_left" | "wire_cut" | "twig_erased" | "lawn_on_ground" | "lawn_on_bush" | "lit_wrong" | "pane_dark" | "day_shadows" | "darkened_wrong" | "left_over" | "smeared" | "melted" | "painted_wrong" | "furniture_scale" | "furniture_place" | "floating" | "cast" | "noise" | "blob" | "halo" | "nothing_done" | "step_declined" | "no_result" | "other";
        /**
         * FrameAnswer
         * @description One of the files that a photo is made of.
         */
        FrameAnswer: {
            /** @description As given with the upload URL. */
            filePath: string;
            /** @description Your own name of it, or one of ours. */
            fileName: string;
            /** @description Its place among the photo's files, from 0. */
            frame: number;
        };
        /**
         * FurnitureAnswer
         * @description Pieces of furniture of one kind and size, with what stands on a piece.
         */
        FurnitureAnswer: {
            /** @description The kind, for programs. New kinds may come. */
            piece: string;
            /** @description The kind, for people. */
            label: string;
            count: number;
            /** @description In meters, like depth and height. */
            width: number;
            depth: number;
            height: number;
        };
        /**
         * GroupProblemAnswer
         * @description Why files were not put into one group, or which frame a group lacks.
         */
        GroupProblemAnswer: {
            /** @description For programs. New codes may come. */
            code: components["schemas"]["GroupProblemCode"];
            /** @description For people. */
            message: string;
            filePaths: string[];
        };
        /**
         * GroupProblemCode
         * @description The reasons why files that seem to belong together are not in one group, and what a group lacks. Values may be added: treat one that you do not know as such.
         */
        GroupProblemCode: "missing_exposure" | "equal_exposures" | "camera_moved" | "other_view" | "sizes_differ" | "unreadable" | (string & Record<never, never>);
        /**
         * GroupedFileAnswer
         * @description One file as the order names it.
         */
        GroupedFileAnswer: {
            filePath: string;
            fileName?: string;
            /** @description What the frames of one photo have in common. */
            group?: string;
        };
        /**
         * GroupsAnswer
         * @description The files of an upload session as photos.
         */
        GroupsAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description `pending`: ask again in some seconds; until then there are no lists. */
            status: components["schemas"]["GroupsStatus"];
            /** @description How many files were not looked at yet. */
            pendingCount?: number;
            /** @description For the order as they are; the frames of a photo follow each other. */
            interiorFiles?: components["schemas"]["GroupedFileAnswer"][];
            /** @description The same outside. */
            exteriorFiles?: components["schemas"]["GroupedFileAnswer"][];
            problems?: components["schemas"]["GroupProblemAnswer"][];
        };
        /**
         * GroupsRequest
         * @description Which files of an upload session to group; without any, all that were uploaded.
         */
        GroupsRequest: {
            /** @description Interior files; their own names help where cameras note no time. */
            interiorFiles?: components["schemas"]["FileRef"][];
            /** @description Exterior files. */
            exteriorFiles?: components["schemas"]["FileRef"][];
        };
        /**
         * GroupsStatus
         * @description Whether all files were analyzed. Values may be added: treat one that you do not know as such.
         */
        GroupsStatus: "pending" | "ready" | (string & Record<never, never>);
        /**
         * HeldRuleAnswer
         * @description A rule on altered pictures that applies to the order.
         */
        HeldRuleAnswer: {
            id: string;
            kind: components["schemas"]["RuleKind"];
            name: string;
            /** @description On the day of the order. */
            version?: number;
            /** @description The present version. */
            versionNow: number;
            /**
             * Format: date
             * @description When it was last compared with its source.
             */
            checked: string;
            /**
             * Format: date
             * @description From which day it holds; absent where we know none.
             */
            inForce?: string;
            /** @description Where it was read. */
            source?: string;
        };
        /**
         * HintPart
         * @description The part of hints that helps a step. Values may be added: treat one that you do not know as such.
         */
        HintPart: "room" | "things" | "placements" | "surfaces.floor" | "surfaces.wall" | "surfaces.cabinet" | "surfaces.worktop" | "surfaces.backsplash" | "surfaces.sky" | "surfaces.lawn" | "surfaces.pane" | "private" | (string & Record<never, never>);
        /**
         * HintedSurface
         * @description The surfaces that hints can name. OTHER is never changed: stairs, radiators, curtains. Values may be added: treat one that you do not know as such.
         */
        HintedSurface: "floor" | "wall" | "ceiling" | "window" | "door" | "passage" | "cabinet" | "worktop" | "backsplash" | "other" | "sky" | "lawn" | "pane" | (string & Record<never, never>);
        /**
         * ImageAnswer
         * @description One approved picture.
         */
        ImageAnswer: {
            /** @description Names the picture. */
            id: string;
            /** @description The photo it was made from, as in the order's `assets`. */
            photoId: string;
            /** @description The photo's place among those of its type, from 0. */
            index: number;
            /** @description The name that the download has: unique in the job, at most 200 bytes of UTF-8. */
            fileName: string;
            /** @description What was enhanced. */
            type: "generated_exterior" | "generated_interior" | (string & Record<never, never>);
            /** @description The picture, for a time; Range and HEAD work. */
            url: string;
            /** @description The photo it was made from, for a time; of several frames the one exposed best. */
            originalUrl: string;
            /** @description All frames it was made from, for a time, in the order of its recipe's `frameSha256s`; absent for a photo of one file. */
            frameUrls?: string[];
            /** @description In pixels. */
            width: number;
            /** @description In pixels. */
            height: number;
            /** @description The size of the file. */
            bytes: number;
            /** @description What was really done, in this order. */
            enhancements: components["schemas"]["KnownEnhancement"][];
            /** @description What the listing says of it; absent where it need say nothing. */
            caption?: string;
            /** @description The same as RESO's Data Dictionary has it. */
            mediaAlteration: components["schemas"]["MediaAlteration"][];
            /** @description What each rule requires to disclose, or bars. */
            disclosures: components["schemas"]["DisclosureAnswer"][];
            /** @description Every file of it. `base` has only the steps that need no disclosure: the original where there are none, the altered file where there are no others, else made some seconds after the approval. */
            variants: components["schemas"]["VariantAnswer"][];
            /** @description The engine that made it: with the same one the same recipe gives the same bytes. Absent for old results, made before this was recorded. */
            engineVersion?: string;
            /** @description The C2PA content credentials in the file: none, of the demo, which nobody trusts, or by the certificate of the operator of this service. */
            contentCredentials: components["schemas"]["CredentialKind"];
        };
        /**
         * JobAnswer
         * @description One job with everything that is known about it.
         */
        JobAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            jobId: string;
            /** @description Where the job stands now. */
            status: components["schemas"]["Status"];
            progress: components["schemas"]["ProgressAnswer"];
            /** @description Of the property, as ordered. */
            address: string;
            serviceType: components["schemas"]["KnownServiceType"];
            photoCount: components["schemas"]["PhotoCount"];
            /** @description What was charged, in credits. */
            creditCost: number;
            /** @description What of it was refunded. */
            creditsRefunded: number;
            /**
             * Format: date-time
             * @description When the order was placed.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When you cancelled it or photos of it; absent where you did not.
             */
            cancelledAt?: string;
            /**
             * Format: date-time
             * @description When its photos and results were removed; absent while they are kept.
             */
            expiredAt?: string;
            /** @description Why it failed; only then. */
            error?: string;
            /** @description Why nothing usable came out; only then. */
            undeliverable?: components["schemas"]["UndeliverableAnswer"];
            /** @description Your own id of the order; absent where you gave none. */
            externalId?: string;
            /** @description Your own pairs, as ordered; absent where you gave none. */
            metadata?: {
                [key: string]: string;
            };
            listing: components["schemas"]["ListingAnswer"];
            /** @description What must be disclosed about its photos where it is advertised. */
            disclosures: components["schemas"]["JobDisclosureAnswer"][];
            /**
             * Format: date-time
             * @description When all its photos are usually processed, by similar orders; absent once they are, and where it is not known.
             */
            estimatedReadyAt?: string;
            /** @description How many jobs wait that were ordered before it, at most 1000; absent once it is processed. Accounts take turns, so it may begin before them. */
            queuePosition?: number;
            /** @description How `creditCost` came about; absent once the photos are removed, and where prices have changed since the order. */
            lines?: components["schemas"]["QuoteLineAnswer"][];
            /** @description The oldest first. */
            refunds: components["schemas"]["RefundAnswer"][];
            /** @description Every photo, at most 100: exterior first; none once they are removed. */
            photos: components["schemas"]["JobPhotoAnswer"][];
            links: components["schemas"]["JobLinksAnswer"];
        };
        /**
         * JobDisclosureAnswer
         * @description One alteration of some photos of a job that a rule requires to be disclosed, or bars.
         */
        JobDisclosureAnswer: {
            disclosure: components["schemas"]["Disclosure"];
            treatment: components["schemas"]["Treatment"];
            /** @description What the listing says, in the rule's words. */
            words: string;
            /** @description The rule, see GET /rules. */
            rule: string;
            /** @description Of these, once all is done as ordered. */
            photos: components["schemas"]["PhotoPlaceAnswer"][];
        };
        /**
         * JobLinksAnswer
         * @description Addresses with more about a job. All except `page` need a key.
         */
        JobLinksAnswer: {
            status: string;
            downloads: string;
            quality: string;
            recipes: string;
            evidence: string;
            shares: string;
            packs: string;
            /** @description For people who are signed in. */
            page: string;
        };
        /**
         * JobListAnswer
         * @description Jobs of the account.
         */
        JobListAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description Sent as `cursor`, it gives the next page, with the same filters; null at the end. */
            nextCursor: string | null;
            /** @description The newest first. A page with a `nextCursor` may have fewer than `limit`, even none. */
            jobs: components["schemas"]["ListedJobAnswer"][];
        };
        /**
         * JobPhotoAnswer
         * @description One photo of a job.
         */
        JobPhotoAnswer: {
            photoId: string;
            type: components["schemas"]["KnownPhotoType"];
            /** @description Its place among those of its type, from 0. */
            index: number;
            /** @description Your own name of it, or one of ours. */
            fileName: string;
            /** @description Until the whole job is decided `waiting`, `working` or `processed`; then `approved`, `rejected`, or `stopped` where the job ended before. `cancelled`, at once, where you cancelled it. */
            state: components["schemas"]["PhotoOutcome"];
            /** @description The result, as in the downloads; absent until the job is decided. */
            imageId?: string;
            /** @description Why it was rejected, for programs; only then. */
            reason?: components["schemas"]["Reason"];
            /** @description Why it was rejected, for people; only then. */
            message?: string;
            /** @description Its price, without that per property. */
            creditCost: number;
            /** @description What was refunded for this photo alone. */
            creditsRefunded: number;
            /** @description The ordered enhancements, in the sequence of the work. */
            steps: components["schemas"]["JobStepAnswer"][];
        };
        /**
         * JobStatusAnswer
         * @description The status of a job.
         */
        JobStatusAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            jobId: string;
            /** @description Where the job stands now. */
            status: components["schemas"]["Status"];
            progress: components["schemas"]["ProgressAnswer"];
            /**
             * Format: date-time
             * @description When the order was placed.
             */
            createdAt: string;
            /** @description Why it failed; only then. */
            error?: string;
            /** @description Why nothing usable came out; only then. */
            undeliverable?: components["schemas"]["UndeliverableAnswer"];
            /** @description What must be disclosed about its photos where it is advertised; absent where nothing must. */
            disclosures?: components["schemas"]["JobDisclosureAnswer"][];
            /** @description Refunded, in credits; absent while nothing has. */
            creditsRefunded?: number;
            /**
             * Format: date-time
             * @description When you cancelled it or photos of it; absent where you did not.
             */
            cancelledAt?: string;
            /** @description Your own id of the order; absent where you gave none. */
            externalId?: string;
            /** @description Your own pairs, as ordered; absent where you gave none. */
            metadata?: {
                [key: string]: string;
            };
        };
        /**
         * JobStepAnswer
         * @description The outcome of one ordered enhancement of a photo.
         */
        JobStepAnswer: {
            enhancement: components["schemas"]["KnownEnhancement"];
            /** @description `partly_done`: some changes of a renovation were declined, see the quality report; `declined`: it could not be done, `reason` says why; `left_out`: the picture was made again without it; `rejected`: the photo's whole result was; `failed`: its processing broke; `cancelled`: you cancelled the photo; `stopped`: the job ended before. */
            state: components["schemas"]["StepState"];
            /** @description Why it was not done, for programs; only then. */
            reason?: components["schemas"]["Reason"];
            /** @description Why it was not done, or what it left undone, for people. */
            message?: string;
            /** @description Its price for this photo alone; outside, what is in the price per property is 0. Absent where prices have changed since the order. */
            creditCost?: number;
            /** @description What was refunded for this step of this photo alone. */
            creditsRefunded: number;
        };
        /**
         * KnownBrightness
         * @description How light a room becomes. Values may be added: treat one that you do not know as such.
         */
        KnownBrightness: "darker" | "as_is" | "brighter" | (string & Record<never, never>);
        /**
         * KnownChangeType
         * @description The part of a room or house that a change of a renovation replaces. Values may be added: treat one that you do not know as such.
         */
        KnownChangeType: "floor" | "walls" | "cabinets" | "countertops" | "fixtures" | "lighting" | "backsplash" | "appliances" | "exterior" | "other" | (string & Record<never, never>);
        /**
         * KnownDuskKind
         * @description How far the dusk has come. Values may be added: treat one that you do not know as such.
         */
        KnownDuskKind: "early" | "deep" | (string & Record<never, never>);
        /**
         * KnownEnhancement
         * @description The identifiers of the interface. Values may be added: treat one that you do not know as such.
         */
        KnownEnhancement: "grass_enhancement" | "sky_enhancement" | "golden_hour" | "twilight_conversion" | "hdr_enhancement" | "flambient_enhancement" | "declutter" | "furniture_removal" | "virtual_staging" | "virtual_renovation" | (string & Record<never, never>);
        /**
         * KnownEventName
         * @description The events that webhooks receive, and the test event, which a customer sends by hand. Values may be added: treat one that you do not know as such.
         */
        KnownEventName: "job.created" | "job.processing" | "job.completed" | "job.approved" | "job.delivered" | "job.undeliverable" | "job.failed" | "job.cancelled" | "photo.completed" | "photo.revised" | "variant.ready" | "pack.ready" | "credits.low" | "webhook.test" | (string & Record<never, never>);
        /**
         * KnownFlaw
         * @description What is wrong. The values are stored; LABELS has the words for customers. Values may be added: treat one that you do not know as such.
         */
        KnownFlaw: "too_dark" | "too_bright" | "sky_on_wall" | "old_sky_left" | "wire_cut" | "twig_erased" | "lawn_on_ground" | "lawn_on_bush" | "lit_wrong" | "pane_dark" | "day_shadows" | "darkened_wrong" | "left_over" | "smeared" | "melted" | "painted_wrong" | "furniture_scale" | "furniture_place" | "floating" | "cast" | "noise" | "blob" | "halo" | "nothing_done" | "step_declined" | "no_result" | "other" | (string & Record<never, never>);
        /**
         * KnownLawnLook
         * @description How green a lawn becomes. Values may be added: treat one that you do not know as such.
         */
        KnownLawnLook: "subtle" | "natural" | "lush" | (string & Record<never, never>);
        /**
         * KnownPhotoType
         * @description The content of a photo: a house or a room; also the group to which an enhancement belongs. Values may be added: treat one that you do not know as such.
         */
        KnownPhotoType: "exterior" | "interior" | (string & Record<never, never>);
        /**
         * KnownPrivacy
         * @description Whether faces and number plates can be recognized. Values may be added: treat one that you do not know as such.
         */
        KnownPrivacy: "as_shot" | "blurred" | (string & Record<never, never>);
        /**
         * KnownRoomType
         * @description Rooms that can be staged. Values may be added: treat one that you do not know as such.
         */
        KnownRoomType: "living_room" | "dining_room" | "kitchen" | "bedroom" | "bathroom" | "office" | "basement" | "outdoor_space" | "other" | (string & Record<never, never>);
        /**
         * KnownServiceType
         * @description What an order covers. Values may be added: treat one that you do not know as such.
         */
        KnownServiceType: "exterior" | "interior" | "both" | (string & Record<never, never>);
        /**
         * KnownSkyKind
         * @description The sky that replaces an overcast one. Values may be added: treat one that you do not know as such.
         */
        KnownSkyKind: "clear" | "light_clouds" | "warm" | (string & Record<never, never>);
        /**
         * KnownStyle
         * @description Furnishing styles for virtual staging. Values may be added: treat one that you do not know as such.
         */
        KnownStyle: "modern" | "contemporary" | "minimalist" | "farmhouse" | "scandinavian" | "coastal" | "mid_century_modern" | "traditional" | (string & Record<never, never>);
        /**
         * KnownVerticals
         * @description Whether a picture is turned so that walls stand upright. Values may be added: treat one that you do not know as such.
         */
        KnownVerticals: "as_shot" | "straight" | (string & Record<never, never>);
        /**
         * LabelRuleAnswer
         * @description Where an altered picture is labeled, and the words of the label.
         */
        LabelRuleAnswer: {
            /** @description Words written into the picture. */
            picture: components["schemas"]["Demand"];
            /** @description Words in the description beside it. */
            caption: components["schemas"]["Demand"];
            /** @description By the kind of alteration. */
            words: {
                [key: string]: string;
            };
            /** @description The words with which the listing's remarks must begin. */
            remarks?: string;
            /** @description A link to the public original beside it. */
            originalLink: components["schemas"]["Demand"];
        };
        /**
         * LabelsAnswer
         * @description What each pixel shows.
         */
        LabelsAnswer: {
            /** @description What the numbers of the image stand for; the first is everything else. */
            names: string[];
            /** @description A PNG with a palette, in base64; of the photo's shape, at most 512 pixels. */
            image: string;
        };
        /**
         * LawnLook
         * @description How green a lawn becomes.
         * @enum {string}
         */
        LawnLook: "subtle" | "natural" | "lush";
        /**
         * LayoutAnswer
         * @description One way to furnish the room.
         */
        LayoutAnswer: {
            pieces: components["schemas"]["PlannedPieceAnswer"][];
        };
        /**
         * LedgerAnswer
         * @description Lines of the ledger.
         */
        LedgerAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description Sent as `cursor`, it gives the next page, with the same filters; null at the end. */
            nextCursor: string | null;
            /** @description The newest first. */
            ledger: components["schemas"]["LedgerLineAnswer"][];
        };
        /**
         * LedgerKind
         * @description What a ledger line records. Values may be added: treat one that you do not know as such.
         */
        LedgerKind: "purchase" | "order" | "refund" | "adjustment" | "reversal" | (string & Record<never, never>);
        /**
         * LedgerLineAnswer
         * @description One movement of credits. A line never changes.
         */
        LedgerLineAnswer: {
            /** @description Names the line; lines are in the order in which they were written. */
            id: string;
            /** @description Added to the balance; negative: taken from it. */
            amount: number;
            /** @description The balance with this line. */
            balanceAfter: number;
            kind: components["schemas"]["LedgerKind"];
            /** @description What it is for. Refunds: `job_refund` of all that was left of a job, `property_refund` of the price per property, `photo_refund`, `step_refund` of one enhancement of a photo, `change_refund` of one change of a renovation. */
            cause: components["schemas"]["CauseCode"];
            /** @description The same for people. */
            reason: string;
            /** @description Of an order and its refunds. */
            jobId?: string;
            /** @description Where the refund is for one photo. */
            photoId?: string;
            /** @description Where the refund is for one of its steps. */
            enhancement?: components["schemas"]["KnownEnhancement"];
            /** @description Where credits were bought. */
            purchaseId?: string;
            /** Format: date-time */
            createdAt: string;
        };
        /**
         * LimitsAnswer
         * @description Limits: the most that is allowed, where a field does not say otherwise.
         */
        LimitsAnswer: {
            /** @description Interior or exterior photos of one order. */
            photosPerType: number;
            /** @description Files that are merged into one photo. */
            framesPerPhoto: number;
            bytesPerFile: number;
            /** @description Characters, at least. */
            minChangeDescription: number;
            /** @description Of the account. */
            presets: number;
            /** @description Of the account. */
            webhooks: number;
            /** @description How long upload URLs are valid. */
            uploadUrlSeconds: number;
            /** @description How long download URLs are valid. */
            downloadUrlSeconds: number;
            /** @description How long pictures are kept after their job is settled. */
            retentionSeconds: number;
            /** @description GET requests with one key. */
            readsPerMinute: number;
            /** @description Other requests with one key. */
            writesPerMinute: number;
        };
        /**
         * ListedJobAnswer
         * @description One job in a list.
         */
        ListedJobAnswer: {
            jobId: string;
            /** @description Where the job stands now. */
            status: components["schemas"]["Status"];
            progress: components["schemas"]["ProgressAnswer"];
            /** @description Of the property, as ordered. */
            address: string;
            serviceType: components["schemas"]["KnownServiceType"];
            photoCount: components["schemas"]["PhotoCount"];
            /** @description What was charged, in credits. */
            creditCost: number;
            /** @description What of it was refunded. */
            creditsRefunded: number;
            /**
             * Format: date-time
             * @description When the order was placed.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When you cancelled it or photos of it; absent where you did not.
             */
            cancelledAt?: string;
            /**
             * Format: date-time
             * @description When its photos and results were removed; absent while they are kept.
             */
            expiredAt?: string;
            /** @description Why it failed; only then. */
            error?: string;
            /** @description Why nothing usable came out; only then. */
            undeliverable?: components["schemas"]["UndeliverableAnswer"];
            /** @description Your own id of the order; absent where you gave none. */
            externalId?: string;
            /** @description Your own pairs, as ordered; absent where you gave none. */
            metadata?: {
                [key: string]: string;
            };
        };
        /**
         * ListingAnswer
         * @description Where a property is advertised, which decides the rules that apply.
         */
        ListingAnswer: {
            /** @description The law of which place, see GET /rules. */
            jurisdiction: string;
            /** @description The listing service; absent where none was given. */
            mls?: string;
        };
        /**
         * ListingRequest
         * @description Where the property is advertised: whose rules on altered pictures hold. GET /rules has the ids.
         */
        ListingRequest: {
            /** @description The place whose law applies; left out: the state of the address. */
            jurisdiction?: string | null;
            /** @description The listing service, if there is one. */
            mls?: string | null;
            /** @description Order barred enhancements all the same; this is kept with the order. Default: `false`. */
            acceptsBarred?: boolean;
        };
        /**
         * Maker
         * @description The maker of a step's picture: the worker itself, or a generative server that it asked. Values may be added: treat one that you do not know as such.
         */
        Maker: "worker" | "generative_server" | (string & Record<never, never>);
        /**
         * MediaAlteration
         * @description The values of `MediaAlteration` in RESO's Data Dictionary, as listing services exchange them. Values may be added: treat one that you do not know as such.
         */
        MediaAlteration: "None" | "DeclutteredItemRemoved" | "TwilightConversion" | "VirtualEnhancements" | "VirtualRenovation" | "VirtualStagingItemAddition" | (string & Record<never, never>);
        /**
         * MlsPackAnswer
         * @description A pack of a job's pictures for a listing service.
         */
        MlsPackAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode?: boolean;
            id: string;
            /** @description The listing service, see GET /rules. */
            mls: string;
            /** @description The version of its rule that the pack was made by. */
            ruleVersion: number;
            labeled: boolean;
            /** @description Ask again every few seconds while it is being made. */
            status: components["schemas"]["PackStatus"];
            /** Format: date-time */
            createdAt: string;
            /** @description How many pictures are in it; once it is ready. */
            pictureCount?: number;
            /** @description Of the ZIP; once it is ready. */
            bytes?: number;
            /** @description Whether a picture in it was replaced since it was made: ask for the pack again. */
            outdated: boolean;
            /** @description What to know before it is used; once it is ready. */
            warnings: components["schemas"]["PackWarningAnswer"][];
            /** @description Why it could not be made, for people; only then. */
            error?: string;
            /** @description The ZIP, for 24 hours; once it is ready, and not in the list of packs. */
            url?: string;
        };
        /**
         * MlsPackList
         * @description All packs of a job.
         */
        MlsPackList: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description The newest first, at most one for each listing service. */
            packs: components["schemas"]["MlsPackAnswer"][];
        };
        /**
         * MlsPackRequest
         * @description The listing service that the pack is for.
         */
        MlsPackRequest: {
            /** @description The listing service, see GET /rules. */
            mls: string;
            /** @description Draw the label into altered pictures where the rule leaves that open. Default: `false`. */
            labeled?: boolean;
        };
        /**
         * MultipartOrder
         * @description The fields of a form. Photos are files named `exteriorPhoto0`, `exteriorPhoto1` and so on, and
         *     `interiorPhoto0`, `interiorPhoto1` and so on; a file with another name is one that `referenceImages` names.
         */
        MultipartOrder: {
            /** @description Of the property. */
            address: string;
            /** @description Which photos come with the order. */
            serviceType: components["schemas"]["ServiceType"];
            /** @description JSON text: what `exteriorEnhancements` is in POST /orders/from-uploads. */
            exteriorEnhancements?: string;
            /** @description JSON text: what `interiorEnhancements` is in POST /orders/from-uploads. */
            interiorEnhancements?: string;
            /** @description JSON text: what `photoConfigs` is in POST /orders/from-uploads. */
            photoConfigs?: string;
            /** @description JSON text: what `renovations` is in POST /orders/from-uploads. */
            renovations?: string;
            /** @description JSON text: what `virtualStaging` is in POST /orders/from-uploads. */
            virtualStaging?: string;
            /** @description JSON text: what `listing` is in POST /orders/from-uploads. */
            listing?: string;
            /** @description JSON text: lists of the numbers of photo fields that are frames of one photo. */
            exteriorGroups?: string;
            /** @description JSON text: lists of the numbers of photo fields that are frames of one photo. */
            interiorGroups?: string;
            /** @description JSON text: what `options` is in POST /orders/from-uploads. */
            options?: string;
            /** @description A preset of yours, see GET /presets. */
            presetId?: string;
            /** @description Your own id of the order. */
            externalId?: string;
            /** @description Where this order's events are sent. */
            callbackUrl?: string;
            /** @description JSON text: what `metadata` is in POST /orders/from-uploads. */
            metadata?: string;
            /**
             * Format: binary
             * @description The first exterior photo; the next is `exteriorPhoto1`.
             */
            exteriorPhoto0?: Blob;
            /**
             * Format: binary
             * @description The first interior photo; the next is `interiorPhoto1`.
             */
            interiorPhoto0?: Blob;
        } & {
            [key: string]: Blob;
        };
        /**
         * NextEngineAnswer
         * @description The engine that is announced as the next one.
         */
        NextEngineAnswer: {
            version: string;
            /**
             * Format: date-time
             * @description Orders placed from then on get it.
             */
            startsAt: string;
        };
        /**
         * OptionAnswer
         * @description An option of enhancements.
         */
        OptionAnswer: {
            /** @description Its field in `options`. */
            name: string;
            /** @description For people. */
            label: string;
            default: string;
            /** @description All that are allowed. */
            values: components["schemas"]["OptionValueAnswer"][];
        };
        /**
         * OptionValueAnswer
         * @description A value of an option.
         */
        OptionValueAnswer: {
            /** @description As orders name it. */
            value: string;
            /** @description For people. */
            label: string;
            /** @description What it does, for people. */
            description: string;
        };
        /**
         * OptionsAnswer
         * @description The options that were chosen; absent ones keep the usual look.
         */
        OptionsAnswer: {
            /** @description For sky_enhancement. */
            sky?: components["schemas"]["KnownSkyKind"];
            /** @description For twilight_conversion. */
            dusk?: components["schemas"]["KnownDuskKind"];
            /** @description For grass_enhancement. */
            lawn?: components["schemas"]["KnownLawnLook"];
            /** @description For hdr_enhancement and flambient_enhancement. */
            brightness?: components["schemas"]["KnownBrightness"];
            /** @description For every enhancement. */
            verticals?: components["schemas"]["KnownVerticals"];
            /** @description For every enhancement. */
            privacy?: components["schemas"]["KnownPrivacy"];
        };
        /**
         * OptionsRequest
         * @description The options of effects. An option that is left out has the value for all photos, or else its default.
         */
        OptionsRequest: {
            /** @description For sky_enhancement; left out: light_clouds. */
            sky?: components["schemas"]["SkyKind"] | null;
            /** @description For twilight_conversion; left out: early. */
            dusk?: components["schemas"]["DuskKind"] | null;
            /** @description For grass_enhancement; left out: natural. */
            lawn?: components["schemas"]["LawnLook"] | null;
            /** @description For hdr_enhancement and flambient_enhancement; left out: as_is. */
            brightness?: components["schemas"]["Brightness"] | null;
            /** @description For every enhancement; left out: as_shot. */
            verticals?: components["schemas"]["Verticals"] | null;
            /** @description For every enhancement; left out: as_shot. */
            privacy?: components["schemas"]["Privacy"] | null;
        };
        /**
         * OrderResult
         * @description The job that an order became.
         */
        OrderResult: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description Always true: a refused order has another status. */
            success: boolean;
            /** @description Ask for the job by it. */
            jobId: string;
            /** @description Where the job stood at that moment. */
            status: components["schemas"]["Status"];
            /** @description What was charged, in credits. */
            creditCost: number;
            /** @description How many photos came with the order. */
            photosUploaded: number;
            /** @description Those photos. */
            assets: components["schemas"]["Asset"][];
            /** @description What to do next, for people. */
            message: string;
            listing: components["schemas"]["ListingAnswer"];
            /** @description Refunded since, in credits; absent while nothing has. */
            creditsRefunded?: number;
            /** @description Your own id of the order; absent where you gave none. */
            externalId?: string;
            /** @description Your own pairs, as ordered; absent where you gave none. */
            metadata?: {
                [key: string]: string;
            };
        };
        /**
         * OriginalPlace
         * @description Where the original of an altered picture is shown. Values may be added: treat one that you do not know as such.
         */
        OriginalPlace: "not_asked" | "in_set" | "before_or_after" | "after" | (string & Record<never, never>);
        /**
         * PackStatus
         * @description The state of a pack. Values may be added: treat one that you do not know as such.
         */
        PackStatus: "making" | "ready" | "failed" | (string & Record<never, never>);
        /**
         * PackWarningAnswer
         * @description A way in which the pack differs from the order, or something that is left to do.
         */
        PackWarningAnswer: {
            /** @description What it is, for programs. */
            code: components["schemas"]["PackWarningCode"];
            /** @description The same for people. */
            message: string;
            /** @description Which photos it is about: their places in the order, from 1. */
            photos: number[];
            /** @description What is barred; only where something is. */
            enhancements: components["schemas"]["KnownEnhancement"][];
        };
        /**
         * PackWarningCode
         * @description How the pack differs from the order, or what the customer still has to do. Values may be added: treat one that you do not know as such.
         */
        PackWarningCode: "barred_steps_left_out" | "barred_so_original" | "no_exterior" | "original_is_first" | "over_count" | "originals_not_published" | "label_forbidden" | "original_lost" | (string & Record<never, never>);
        /**
         * PersonalDetail
         * @description Kinds of personal details that a photo's file may have besides the picture. Values may be added: treat one that you do not know as such.
         */
        PersonalDetail: "place" | "names" | "serial_numbers" | "captions" | (string & Record<never, never>);
        /**
         * PhotoConfig
         * @description Own enhancements or options for one photo, in place of the global ones.
         */
        PhotoConfig: {
            photoType: components["schemas"]["PhotoType"];
            /** @description These alone, in place of the list for all photos. Required without `options` and `hints`. */
            enhancements?: components["schemas"]["Enhancement"][] | null;
            /** @description Which photo of the type, from 0. Without it the n-th entry of a type is for its n-th photo. */
            photoIndex?: number | null;
            /** @description For this photo, option by option in place of those for all; each for an effect that it gets. */
            options?: components["schemas"]["OptionsRequest"] | null;
            /** @description What the photo shows, where we might not see it. What is given is believed. */
            hints?: {
                /** @description The photo that they are for; with any other they are refused. */
                photo?: {
                    /** @description The SHA-256 of its file, in hex. */
                    sha256: string;
                };
                /** @description Its camera and walls. */
                room?: {
                    /** @description Edges in two directions or more. */
                    lines?: {
                        /** @enum {string} */
                        direction: "up" | "along" | "across";
                        /** @description x and y, 0 to 1 of the upright picture, from its upper left corner. */
                        start: number[];
                        /** @description x and y, 0 to 1 of the upright picture, from its upper left corner. */
                        end: number[];
                    }[];
                    /** @description A length that is known. */
                    length?: {
                        meters: number;
                        /** @description x and y, 0 to 1 of the upright picture, from its upper left corner. */
                        start: number[];
                        /** @description x and y, 0 to 1 of the upright picture, from its upper left corner. */
                        end: number[];
                    };
                    /** @description Corners of the floor from left to right: where walls meet, and the two ends of their visible foot. None, or two and more; three and more need no lines. */
                    corners?: number[][];
                };
                /** @description By surface all that is visible of it; no outline says that the photo shows none. */
                surfaces?: {
                    [key: string]: number[][][] | {
                        /** @description A PNG file of at most 24 KB, 64-1024 pixels a side, gray or with a palette, 1 or 8 bits, not interlaced: all but black is the surface. */
                        mask: string;
                    };
                };
                /** @description All that is to be removed. */
                things?: {
                    /** @enum {string} */
                    kind: "furniture" | "clutter";
                    /** @description An outline. */
                    polygon: number[][];
                }[];
                /** @description Main pieces for virtual_staging. */
                placements?: {
                    /** @enum {string} */
                    piece: "sofa" | "bed" | "dining_table" | "desk";
                    /** @description The middle of its foot on the floor. */
                    at: number[];
                    /** @description A point that it faces. */
                    faces?: number[];
                }[];
                /** @description Parts of the floor that stay free. */
                clear?: number[][][];
                /** @description Parts that are blurred for good. */
                private?: number[][][];
            } | null;
        };
        /**
         * PhotoCount
         * @description How many photos a job has.
         */
        PhotoCount: {
            interior: number;
            exterior: number;
        };
        /**
         * PhotoForecastAnswer
         * @description What each step would do to one photo.
         */
        PhotoForecastAnswer: {
            /** @description `pending`: ask again in some seconds; `failed`: nothing is known, `message` says why. */
            status: components["schemas"]["RegionsStatus"];
            /** @description For people; only with `failed`. */
            message?: string;
            /** @description In the order in which they are done; only with `ready`. */
            steps?: components["schemas"]["StepForecastAnswer"][];
        };
        /**
         * PhotoOutcome
         * @description The state of a photo. CANCELLED: the customer cancelled it. STOPPED: its job ended before it was decided. Values may be added: treat one that you do not know as such.
         */
        PhotoOutcome: "waiting" | "working" | "processed" | "approved" | "rejected" | "cancelled" | "stopped" | (string & Record<never, never>);
        /**
         * PhotoPlaceAnswer
         * @description The place of a photo in an order.
         */
        PhotoPlaceAnswer: {
            type: components["schemas"]["KnownPhotoType"];
            /** @description Its place among those of its type, from 0. */
            index: number;
        };
        /**
         * PhotoQualityAnswer
         * @description The result of the checks of the picture made of one photo.
         */
        PhotoQualityAnswer: {
            /** @description The photo, as in the order result's assets. */
            id: string;
            /** @description Your own name of it, or one of ours. */
            fileName: string;
            type: components["schemas"]["KnownPhotoType"];
            /** @description Its place among those of its type, from 0. */
            index: number;
            /** @description Only what is `approved` can be downloaded. */
            verdict: components["schemas"]["Verdict"];
            /** @description The result, as in the downloads; absent until the job is decided. */
            imageId?: string;
            /** @description Why it was rejected, for programs; only then. */
            reason?: components["schemas"]["Reason"];
            /** @description Why it was rejected, for people; only then. */
            message?: string;
            /** @description The part of `hints` with which what was not done may be done when ordered again. */
            hint?: components["schemas"]["HintPart"];
            /** @description What became of each enhancement, in the order of the work. */
            steps: components["schemas"]["StepAnswer"][];
            /** @description What was measured. */
            figures: components["schemas"]["FigureAnswer"][];
            /** @description Whether hints said what the photo shows. */
            hinted: boolean;
        };
        /**
         * PhotoType
         * @description The content of a photo: a house or a room; also the group to which an enhancement belongs.
         * @enum {string}
         */
        PhotoType: "exterior" | "interior";
        /**
         * PictureEvidenceAnswer
         * @description The evidence about one photo.
         */
        PictureEvidenceAnswer: {
            /** @description Its place in the order, from 1; the number on its public page. */
            number: number;
            type: components["schemas"]["KnownPhotoType"];
            fileName: string;
            /** @description Absent while it has no result. */
            imageId?: string;
            edits: components["schemas"]["EditEvidenceAnswer"][];
            /** @description The caption that the listing must have for it. */
            caption?: string;
            /** @description The words in its labeled copy. */
            label?: string;
            verdict: components["schemas"]["Verdict"];
            /** @description Why no picture of it was delivered, `cancelled` for instance; only then. */
            reason?: components["schemas"]["Reason"];
            /** @description A reviewer, or the measures alone; absent where it was cancelled. */
            decidedBy?: components["schemas"]["DecidedBy"];
            /**
             * Format: date-time
             * @description When a reviewer decided.
             */
            decidedAt?: string;
            /** @description Of the original file. */
            originalSha256?: string;
            /** @description Of all files that became the photo; absent where it was one. */
            frameSha256s?: string[];
            /** @description Of the altered file. */
            alteredSha256?: string;
            /** @description Of the engine that made it. */
            engineVersion?: string;
            figures: components["schemas"]["EvidenceFigure"][];
            /** @description The rounds in which it was sent back. */
            revisions: components["schemas"]["RevisionEvidenceAnswer"][];
        };
        /**
         * PictureLimitsAnswer
         * @description The limits of a listing service; an absent limit is not stated, or we do not know it.
         */
        PictureLimitsAnswer: {
            /** @description A file has fewer bytes. */
            maxBytes?: number;
            maxCount?: number;
            /** @description The ideal width in pixels. */
            width?: number;
            /** @description The ideal height in pixels. */
            height?: number;
        };
        /**
         * PlaceOrder
         * @description An order for uploaded photos. Public imagery replaces exterior photos where there are none.
         */
        PlaceOrder: {
            /** @description Which photos come with the order. */
            serviceType: components["schemas"]["ServiceType"];
            /** @description For all exterior photos. */
            exteriorEnhancements?: components["schemas"]["Enhancement"][];
            /** @description For all interior photos. */
            interiorEnhancements?: components["schemas"]["Enhancement"][];
            /** @description For single photos, in place of those lists. */
            photoConfigs?: components["schemas"]["PhotoConfig"][];
            /** @description For virtual renovation: by the photo's place among the interior ones, from 0, its changes. */
            renovations?: {
                [key: string]: components["schemas"]["RenovationEntry"][];
            };
            /** @description For virtual staging: by the photo's place among the interior ones, from 0, how to furnish it. */
            virtualStaging?: {
                [key: string]: components["schemas"]["StagingWish"];
            };
            /** @description Where the property is advertised; left out: by the law of the address's state. */
            listing?: components["schemas"]["ListingRequest"] | null;
            /** @description Of single effects, for all photos that get them. */
            options?: components["schemas"]["OptionsRequest"] | null;
            /** @description A preset of yours, see GET /presets. It supplies the lists, options and staging style that this request leaves out. */
            presetId?: string | null;
            /** @description Your own id of the order; several orders may have the same. */
            externalId?: string | null;
            /** @description Pairs of your own. Answers and events repeat them; we use them for nothing. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description The interior photos; their order is the photo index, of frames that of the first. */
            interiorFiles?: components["schemas"]["FileRef"][];
            /** @description The exterior photos. None: public imagery of the address, where a source is configured. */
            exteriorFiles?: components["schemas"]["FileRef"][];
            /** @description Of the property: street, city, state, ZIP; at least one letter and one digit. */
            address: string;
            /** @description From step 1. */
            uploadSessionId: string;
            /** @description Gets the events of this order, beside your webhooks, like a webhook without `events`; signed with the account's callback secret. */
            callbackUrl?: string | null;
        };
        /**
         * PlanAnswer
         * @description A room from above, in meters: x to the right and y away from the camera, along the room's main directions.
         */
        PlanAnswer: {
            /** @description The spot below the lens. */
            camera: number[];
            /** @description Outlines of the floor that the photo shows. */
            floor: number[][][];
            /** @description Outlines of its parts that furniture keeps free. */
            clear: number[][][];
            /** @description Both ends of the foot of each wall in view. */
            walls: number[][][];
            /** @description The 3 x 3 matrix from (x, y, 1) to the point of the picture, 0 to 1, times a third number. */
            toPicture: number[][];
            /** @description Up to three, ours first: send the main pieces of one as `placements` and we make it. With `placements` in the request theirs alone; empty where we would not furnish the room. */
            layouts: components["schemas"]["LayoutAnswer"][];
        };
        /**
         * PlannedPieceAnswer
         * @description A piece of furniture in a floor plan; lengths in meters.
         */
        PlannedPieceAnswer: {
            /** @description As in `placements` of hints if it is a main piece, else its name. */
            piece: string;
            /** @description Whether `placements` of hints can place it. */
            main: boolean;
            /** @description The middle of the floor that it covers. */
            x: number;
            /** @description The same. */
            y: number;
            /** @description In degrees, counterclockwise from above; at 0 its front looks along -y. */
            turn: number;
            width: number;
            depth: number;
            height: number;
            /** @description Height of its foot over the floor. */
            raised: number;
            /** @description Whether it lies under others, as rugs do. */
            flat: boolean;
            /** @description In the picture, for `placements`; only of main pieces. */
            at?: number[];
            /** @description The same. */
            faces?: number[];
        };
        /**
         * PossibleAnswer
         * @description The price of the part of an order that can be done, as far as forecasts are known.
         */
        PossibleAnswer: {
            /** @description In credits. */
            creditCost: number;
            /** @description How that comes about. */
            lines: components["schemas"]["QuoteLineAnswer"][];
        };
        /**
         * PresetAnswer
         * @description Choices that are kept under a name.
         */
        PresetAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode?: boolean;
            /** @description Names the preset in orders. */
            id: string;
            name: string;
            /** @description For all exterior photos. */
            exteriorEnhancements: components["schemas"]["KnownEnhancement"][];
            /** @description For all interior photos. */
            interiorEnhancements: components["schemas"]["KnownEnhancement"][];
            /** @description Absent where none was chosen. */
            options?: components["schemas"]["OptionsAnswer"];
            /** @description Absent where none was chosen. */
            stagingStyle?: components["schemas"]["KnownStyle"];
            /** @description Whether new orders of the portal begin with it. */
            isDefault: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /**
         * PresetDeleted
         * @description The answer to the deletion of a preset.
         */
        PresetDeleted: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            success: boolean;
            /** @description The deleted preset. */
            id: string;
        };
        /**
         * PresetList
         * @description All presets of the account.
         */
        PresetList: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description The default one first, then by name. */
            presets: components["schemas"]["PresetAnswer"][];
        };
        /**
         * PresetRequest
         * @description Choices to be kept under a name. The preset says nothing about fields that are left out.
         */
        PresetRequest: {
            /** @description What it is called; no two presets of an account have the same name. */
            name: string;
            /** @description For all exterior photos. */
            exteriorEnhancements?: components["schemas"]["Enhancement"][];
            /** @description For all interior photos. */
            interiorEnhancements?: components["schemas"]["Enhancement"][];
            /** @description Of single effects, for all photos that get them. */
            options?: components["schemas"]["OptionsRequest"] | null;
            /** @description The style of staged rooms for which the order names none. */
            stagingStyle?: components["schemas"]["Style"] | null;
            /** @description Whether new orders of the portal begin with it; it is the only one then. Default: `false`. */
            isDefault?: boolean;
        };
        /**
         * PrimaryPhoto
         * @description What the first picture of a listing must be. Values may be added: treat one that you do not know as such.
         */
        PrimaryPhoto: "any" | "exterior" | "unaltered_exterior" | (string & Record<never, never>);
        /**
         * Privacy
         * @description Whether faces and number plates can be recognized.
         * @enum {string}
         */
        Privacy: "as_shot" | "blurred";
        /**
         * Profile
         * @description The owner of the account.
         */
        Profile: {
            name: string;
            email: string;
        };
        /**
         * ProgressAnswer
         * @description The progress of a job.
         */
        ProgressAnswer: {
            /** @description How many pictures will come out. */
            total: number;
            /** @description How many are finished. */
            completed: number;
            /** @description A whole number, 0 to 100. */
            percentage: number;
        };
        /**
         * Prospect
         * @description The expected outcome of a step: it most likely works, works only with a hint, or does not work. Values may be added: treat one that you do not know as such.
         */
        Prospect: "likely" | "needs_hint" | "not_possible" | (string & Record<never, never>);
        /**
         * PublicPageAnswer
         * @description Where the originals are published.
         */
        PublicPageAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description The page: open to anybody, not indexed. */
            url: string;
            /** @description Its QR code, an SVG file. */
            qrUrl: string;
            /** @description Whether the address of the property is shown. */
            showsAddress: boolean;
            /**
             * Format: date-time
             * @description Until when; publish again for longer, the address stays.
             */
            expiresAt: string;
            pictures: components["schemas"]["PublicPictureAnswer"][];
        };
        /**
         * PublicPageDeleted
         * @description The answer to the deletion of a page.
         */
        PublicPageDeleted: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            success: boolean;
        };
        /**
         * PublicPageEvidenceAnswer
         * @description One public page of the originals.
         */
        PublicPageEvidenceAnswer: {
            url: string;
            /** Format: date-time */
            publishedAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            revokedAt?: string;
            showsAddress: boolean;
            /** @description The numbers of the pictures on it. */
            pictures: number[];
            /** @description Those whose original is missing from the store. */
            lostOriginals: number[];
        };
        /**
         * PublicPageRequest
         * @description What is published, and for how long.
         */
        PublicPageRequest: {
            /** @description Show the address of the property. Default: `false`. */
            showsAddress?: boolean;
            /** @description Default: `24`. */
            months?: number;
        };
        /**
         * PublicPictureAnswer
         * @description One altered picture on a public page.
         */
        PublicPictureAnswer: {
            /** @description The picture, as in the downloads. */
            imageId: string;
            /** @description The page of only this picture beside its original. */
            url: string;
            /** @description Personal details in the metadata of its file, which are not published. */
            withheld?: components["schemas"]["PersonalDetail"][];
        };
        /**
         * QualityAnswer
         * @description The quality report of a job.
         */
        QualityAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            jobId: string;
            /** @description Where the job stands now. */
            status: components["schemas"]["Status"];
            /** @description Every photo of the job, at most 100: exterior first. */
            photos: components["schemas"]["PhotoQualityAnswer"][];
        };
        /**
         * QuoteAnswer
         * @description What an order would cost.
         */
        QuoteAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description What the order would be charged. */
            creditCost: number;
            /** @description How that comes about. */
            lines: components["schemas"]["QuoteLineAnswer"][];
            /** @description Combinations that make little sense, and what is barred where it is advertised, for people. */
            warnings: string[];
            listing: components["schemas"]["ListingAnswer"];
            /** @description Each, exterior first. */
            photos: components["schemas"]["QuotedPhotoAnswer"][];
            /** @description With uploaded photos: the price without steps and changes whose `prospect` is not `likely`. Photos that are pending count with all their steps. */
            possible?: components["schemas"]["PossibleAnswer"];
        };
        /**
         * QuoteLineAnswer
         * @description One line of a price.
         */
        QuoteLineAnswer: {
            /** @description What it is for, for people. */
            label: string;
            /** @description What it is for; absent where it is for the property as a whole. */
            enhancement?: components["schemas"]["KnownEnhancement"];
            /** @description How often. */
            quantity: number;
            /** @description The price of one. */
            unitCredits: number;
            /** @description The price of all of them. */
            credits: number;
        };
        /**
         * QuoteRequest
         * @description An order to be priced; counts stand in for photos that are not uploaded.
         */
        QuoteRequest: {
            /** @description Which photos come with the order. */
            serviceType: components["schemas"]["ServiceType"];
            /** @description For all exterior photos. */
            exteriorEnhancements?: components["schemas"]["Enhancement"][];
            /** @description For all interior photos. */
            interiorEnhancements?: components["schemas"]["Enhancement"][];
            /** @description For single photos, in place of those lists. */
            photoConfigs?: components["schemas"]["PhotoConfig"][];
            /** @description For virtual renovation: by the photo's place among the interior ones, from 0, its changes. */
            renovations?: {
                [key: string]: components["schemas"]["RenovationEntry"][];
            };
            /** @description For virtual staging: by the photo's place among the interior ones, from 0, how to furnish it. */
            virtualStaging?: {
                [key: string]: components["schemas"]["StagingWish"];
            };
            /** @description Where the property is advertised; left out: by the law of the address's state. */
            listing?: components["schemas"]["ListingRequest"] | null;
            /** @description Of single effects, for all photos that get them. */
            options?: components["schemas"]["OptionsRequest"] | null;
            /** @description A preset of yours, see GET /presets. It supplies the lists, options and staging style that this request leaves out. */
            presetId?: string | null;
            /** @description Your own id of the order; several orders may have the same. */
            externalId?: string | null;
            /** @description Pairs of your own. Answers and events repeat them; we use them for nothing. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description The interior photos, as in the order. */
            interiorFiles?: components["schemas"]["FileRef"][];
            /** @description The exterior photos, as in the order. */
            exteriorFiles?: components["schemas"]["FileRef"][];
            /** @description Changes no price. */
            address?: string | null;
            /** @description From step 1; required with files. */
            uploadSessionId?: string | null;
            /** @description How many interior photos; in place of their files. Default: `0`. */
            interiorCount?: number;
            /** @description How many exterior photos; in place of their files. Default: `0`. */
            exteriorCount?: number;
        };
        /**
         * QuotedPhotoAnswer
         * @description One photo of a quote.
         */
        QuotedPhotoAnswer: {
            type: components["schemas"]["KnownPhotoType"];
            /** @description Its place among those of its type, from 0. */
            index: number;
            disclosures: components["schemas"]["DisclosureAnswer"][];
            /** @description For a photo that is uploaded. */
            forecast?: components["schemas"]["PhotoForecastAnswer"];
        };
        /**
         * Reason
         * @description The reasons why a picture is rejected or a step declines: stable names that programs may rely on. Values may be added: treat one that you do not know as such.
         */
        Reason: "no_imagery" | "undecodable" | "too_many_pixels" | "frames_unfit" | "other_photo" | "mask_unusable" | "all_steps_declined" | "processing_failed" | "size_changed" | "not_changed" | "blank" | "clipped" | "structure_changed" | "softened" | "noisy" | "color_cast" | "outside_changed" | "banded" | "halo" | "reviewer" | "cancelled" | "no_sky" | "no_lawn" | "not_exterior" | "not_interior" | "already_dark" | "low_sun" | "no_color" | "not_flat" | "turned" | "fog" | "not_available" | "server_unavailable" | "server_refused" | "answer_unusable" | "spend_limit" | "reference_unusable" | "drifted" | "opening_added" | "opening_moved" | "view_changed" | "floating" | "wrong_scale" | "melted" | "left_over" | "cut_off" | "too_much_changed" | "too_small" | "not_english" | "not_understood" | "contradictory" | "hides_defects" | "structural_change" | "room_unclear" | "no_free_place" | "already_furnished" | "surface_not_found" | "surface_unclear" | "nothing_to_remove" | "too_much_hidden" | "opening_hidden" | "sky_unclear" | "lawn_unclear" | "nothing_lit" | (string & Record<never, never>);
        /**
         * RecipeAnswer
         * @description What one picture was made from.
         */
        RecipeAnswer: {
            imageId: string;
            type: components["schemas"]["KnownPhotoType"];
            /** @description Its place among those of its type, from 0. */
            index: number;
            /** @description With the same one the bytes are the same. */
            engineVersion?: string;
            /** @description The random seed: it decides, for example, the clouds. */
            seed: string;
            /** @description A second random seed, for this picture alone: 0, or the number of another try. */
            photoSeed: number;
            /** @description The share of the change, less than 1 where steps that can do less were weakened. */
            strength: number;
            /** @description Of the photo as it was ordered. */
            originalSha256?: string;
            /** @description Of all files that became the photo; absent where it was one. */
            frameSha256s?: string[];
            /** @description Of the picture as it was encoded, before anything was signed into it. */
            pictureSha256?: string;
            steps: components["schemas"]["RecipeStepAnswer"][];
            appearance: components["schemas"]["AppearanceAnswer"];
            staging?: components["schemas"]["RecipeStagingAnswer"];
            changes: components["schemas"]["RecipeChangeAnswer"][];
            /** @description The chosen options; absent without any. */
            options?: components["schemas"]["OptionsAnswer"];
            /** @description The hints that the picture was made with. */
            hints?: {
                /** @description The photo that they are for; with any other they are refused. */
                photo?: {
                    /** @description The SHA-256 of its file, in hex. */
                    sha256: string;
                };
                /** @description Its camera and walls. */
                room?: {
                    /** @description Edges in two directions or more. */
                    lines?: {
                        /** @description Values may be added: treat one that you do not know as such. */
                        direction: "up" | "along" | "across" | (string & Record<never, never>);
                        /** @description x and y, 0 to 1 of the upright picture, from its upper left corner. */
                        start: number[];
                        /** @description x and y, 0 to 1 of the upright picture, from its upper left corner. */
                        end: number[];
                    }[];
                    /** @description A length that is known. */
                    length?: {
                        meters: number;
                        /** @description x and y, 0 to 1 of the upright picture, from its upper left corner. */
                        start: number[];
                        /** @description x and y, 0 to 1 of the upright picture, from its upper left corner. */
                        end: number[];
                    };
                    /** @description Corners of the floor from left to right: where walls meet, and the two ends of their visible foot. None, or two and more; three and more need no lines. */
                    corners?: number[][];
                };
                /** @description By surface all that is visible of it; no outline says that the photo shows none. */
                surfaces?: {
                    [key: string]: number[][][] | {
                        /** @description A PNG file of at most 24 KB, 64-1024 pixels a side, gray or with a palette, 1 or 8 bits, not interlaced: all but black is the surface. */
                        mask: string;
                    };
                };
                /** @description All that is to be removed. */
                things?: {
                    /** @description Values may be added: treat one that you do not know as such. */
                    kind: "furniture" | "clutter" | (string & Record<never, never>);
                    /** @description An outline. */
                    polygon: number[][];
                }[];
                /** @description Main pieces for virtual_staging. */
                placements?: {
                    /** @description Values may be added: treat one that you do not know as such. */
                    piece: "sofa" | "bed" | "dining_table" | "desk" | (string & Record<never, never>);
                    /** @description The middle of its foot on the floor. */
                    at: number[];
                    /** @description A point that it faces. */
                    faces?: number[];
                }[];
                /** @description Parts of the floor that stay free. */
                clear?: number[][][];
                /** @description Parts that are blurred for good. */
                private?: number[][][];
            };
        };
        /**
         * RecipeChangeAnswer
         * @description One change of a renovation, as it was ordered.
         */
        RecipeChangeAnswer: {
            changeType: components["schemas"]["KnownChangeType"];
            changeDescription: string;
            referenceText?: string;
            /** @default 0 */
            referenceImageCount: number;
        };
        /**
         * RecipeStagingAnswer
         * @description The style and the type of room that were ordered for virtual staging.
         */
        RecipeStagingAnswer: {
            style: components["schemas"]["KnownStyle"];
            roomType: components["schemas"]["KnownRoomType"];
        };
        /**
         * RecipeStepAnswer
         * @description One enhancement of the recipe.
         */
        RecipeStepAnswer: {
            enhancement: components["schemas"]["KnownEnhancement"];
            /** @description Whether it was done. */
            applied: boolean;
            /** @description Who made it; absent where it was not done. */
            madeBy?: components["schemas"]["Maker"];
        };
        /**
         * RecipesAnswer
         * @description The recipes of a job's approved pictures.
         */
        RecipesAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            jobId: string;
            recipes: components["schemas"]["RecipeAnswer"][];
        };
        /**
         * RedeliveryRequest
         * @description The time since which failed deliveries are sent again.
         */
        RedeliveryRequest: {
            /**
             * Format: date-time
             * @description Those that failed since then.
             */
            since: string;
        };
        /**
         * RefundAnswer
         * @description One refund of a job.
         */
        RefundAnswer: {
            /** @description In credits. */
            amount: number;
            /** @description What was refunded, as in the ledger. */
            cause: components["schemas"]["CauseCode"];
            /** @description Where it is for one photo. */
            photoId?: string;
            /** @description Where it is for one step of the photo. */
            enhancement?: components["schemas"]["KnownEnhancement"];
            /** @description Why, for people. */
            reason: string;
            /** Format: date-time */
            createdAt: string;
        };
        /**
         * RegionsAnswer
         * @description What a photo shows, and what each step would do to it.
         */
        RegionsAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description `pending`: ask again in some seconds; `failed`: there is no answer, `message` says why. */
            status: components["schemas"]["RegionsStatus"];
            /** @description For people; only with `failed`. */
            message?: string;
            /** @description Of the photo, upright, in pixels. */
            width?: number;
            /** @description The same. */
            height?: number;
            /** @description Whether the photo was taken outside. */
            outdoors?: boolean;
            /** @description Whether hints were given and believed. */
            hinted?: boolean;
            /** @description What is seen, in the form of hints: correct it and send it in an order, see there. */
            seen?: {
                [key: string]: unknown;
            };
            /** @description How sure each outline in `seen.surfaces` is, 0 to 1, in the same order. */
            certainties?: {
                [key: string]: number[];
            };
            /** @description Absent where the room cannot be measured. */
            camera?: components["schemas"]["CameraAnswer"];
            /** @description Why there is no camera of a room, for programs. */
            unclear?: string;
            /** @description What each pixel shows. */
            labels?: components["schemas"]["LabelsAnswer"];
            /** @description The whole photo in pieces on real edges, at most 110: join those that are a surface. */
            segments?: components["schemas"]["SegmentAnswer"][];
            /** @description The floor plan of a room that can be measured, if virtual staging is asked for. */
            plan?: components["schemas"]["PlanAnswer"];
            /** @description A small JPEG in base64: the room with the furniture that `placements` of the hints place. */
            layoutPreview?: string;
            /** @description In the order in which they are done. */
            steps?: components["schemas"]["StepForecastAnswer"][];
        };
        /**
         * RegionsRequest
         * @description One uploaded photo with what is to happen to it, in the fields of an order.
         */
        RegionsRequest: {
            /** @description Which photos come with the order. */
            serviceType: components["schemas"]["ServiceType"];
            /** @description For all exterior photos. */
            exteriorEnhancements?: components["schemas"]["Enhancement"][];
            /** @description For all interior photos. */
            interiorEnhancements?: components["schemas"]["Enhancement"][];
            /** @description For single photos, in place of those lists. */
            photoConfigs?: components["schemas"]["PhotoConfig"][];
            /** @description For virtual renovation: by the photo's place among the interior ones, from 0, its changes. */
            renovations?: {
                [key: string]: components["schemas"]["RenovationEntry"][];
            };
            /** @description For virtual staging: by the photo's place among the interior ones, from 0, how to furnish it. */
            virtualStaging?: {
                [key: string]: components["schemas"]["StagingWish"];
            };
            /** @description Where the property is advertised; left out: by the law of the address's state. */
            listing?: components["schemas"]["ListingRequest"] | null;
            /** @description Of single effects, for all photos that get them. */
            options?: components["schemas"]["OptionsRequest"] | null;
            /** @description A preset of yours, see GET /presets. It supplies the lists, options and staging style that this request leaves out. */
            presetId?: string | null;
            /** @description Your own id of the order; several orders may have the same. */
            externalId?: string | null;
            /** @description Pairs of your own. Answers and events repeat them; we use them for nothing. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description The photo, if it is an interior one; of frames the first is looked at. */
            interiorFiles?: components["schemas"]["FileRef"][];
            /** @description The photo, if it is an exterior one. */
            exteriorFiles?: components["schemas"]["FileRef"][];
        };
        /**
         * RegionsStatus
         * @description Whether the photo was looked at. Values may be added: treat one that you do not know as such.
         */
        RegionsStatus: "pending" | "ready" | "failed" | (string & Record<never, never>);
        /**
         * RejectedPhotoAnswer
         * @description One photo without a usable result.
         */
        RejectedPhotoAnswer: {
            /** @description As in the order's `assets`. */
            photoId: string;
            type: components["schemas"]["KnownPhotoType"];
            /** @description Its place among those of its type, from 0. */
            index: number;
            /** @description Your own name of it, or one of ours. */
            fileName: string;
            /** @description The result, to send it back as `no_result`. */
            imageId: string;
            /** @description Why, for programs. */
            code?: components["schemas"]["Reason"];
            /** @description Why, for people. */
            reason: string;
        };
        /**
         * RenovationEntry
         * @description One change wished for on one interior photo, with a reference in words or in pictures.
         */
        RenovationEntry: {
            /** @description What to replace. */
            changeType: components["schemas"]["ChangeType"];
            /** @description The new look, in your words. */
            changeDescription: string;
            /** @description May be left out: it follows from the reference. */
            referenceType?: ("text" | "image") | null;
            /** @description A reference in words. Either this or pictures. */
            referenceText?: string | null;
            /** @description References in pictures: filePaths of the same upload session, or names of file parts. */
            referenceImages?: string[] | null;
        };
        /**
         * RevisionAnswer
         * @description One round in which a result was sent back.
         */
        RevisionAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode?: boolean;
            /** @description Names the round. */
            id: string;
            /** @description The result. It stays the same, whatever picture it has. */
            imageId: string;
            /** @description Counted from 1. */
            round: number;
            /** @description What was said to be wrong. */
            reason: components["schemas"]["KnownFlaw"];
            message: string;
            /** @description The step that was to be left out. */
            without?: components["schemas"]["KnownEnhancement"];
            /** @description `making`; `in_review`: a person looks at it; `done`, then `outcome` says how it ended. */
            status: components["schemas"]["RevisionStatus"];
            /** @description `revised`: another picture is in its place; `kept`: it stays, `answer` says why; `refunded`: it stays, and its price was refunded; `declined`: it could not be made again, `code` says why; `withdrawn`: it was taken back. After `no_result`, `kept` says that there is still no picture. */
            outcome?: components["schemas"]["RevisionOutcome"];
            /** @description Why it is in review, or ended so. */
            code?: components["schemas"]["RevisionReason"];
            /** @description What the reviewer says of it, for people. */
            answer?: string;
            /** @description Absent while nothing was tried. */
            tried?: components["schemas"]["TriedAnswer"];
            /** @description Refunded with this round. */
            creditsRefunded: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            decidedAt?: string;
            /** @description Absent where there was no usable result. */
            before?: components["schemas"]["BeforeAnswer"];
        };
        /**
         * RevisionEvidenceAnswer
         * @description One round in which the result was sent back as not right.
         */
        RevisionEvidenceAnswer: {
            round: number;
            /** @description What its owner said was wrong. */
            flaw: components["schemas"]["KnownFlaw"];
            /** Format: date-time */
            sentBackAt: string;
            /** @description Absent while it is open. */
            outcome?: components["schemas"]["RevisionOutcome"];
            decidedBy?: components["schemas"]["DecidedBy"];
            /** Format: date-time */
            decidedAt?: string;
            /** @description Of the altered file that was sent back. */
            beforeSha256?: string;
        };
        /**
         * RevisionListAnswer
         * @description All rounds of a result.
         */
        RevisionListAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description The first first. */
            revisions: components["schemas"]["RevisionAnswer"][];
        };
        /**
         * RevisionOutcome
         * @description How a round ended: with another picture, with the unchanged picture, with a refund, without any change, or
         *     withdrawn by the person who began it. Values may be added: treat one that you do not know as such.
         */
        RevisionOutcome: "revised" | "kept" | "refunded" | "declined" | "withdrawn" | (string & Record<never, never>);
        /**
         * RevisionReason
         * @description Why a reviewer has to decide about a round, or why it ended as it did. Values may be added: treat one that you do not know as such.
         */
        RevisionReason: "no_remedy" | "same_picture" | "checks_unsure" | "checks_failed" | "step_declined" | "more_done" | "by_reviewer" | "downloaded" | "processing_failed" | "unusable" | "files_gone" | "unanswered" | "retention_ended" | (string & Record<never, never>);
        /**
         * RevisionRequest
         * @description The reasons why the result is not right.
         */
        RevisionRequest: {
            /** @description What is wrong; it must fit what was done to the picture. `no_result`, for a photo without a usable result and for no other, has a person look at it, unless `hints` are taken. */
            reason: components["schemas"]["Flaw"];
            /** @description Where in the picture, for example. */
            message?: string;
            /** @description The step to leave out, whose price is then refunded; if absent, we choose what to try. */
            without?: components["schemas"]["Enhancement"] | null;
            /** @description Looks to try in place of those in the picture. */
            options?: components["schemas"]["OptionsRequest"];
            /** @description What the photo shows, in place of the order's hints: the photo is made again with them, with the steps that are in the result, and outside with those that were not refunded because other photos got them. */
            hints?: {
                /** @description The photo that they are for; with any other they are refused. */
                photo?: {
                    /** @description The SHA-256 of its file, in hex. */
                    sha256: string;
                };
                /** @description Its camera and walls. */
                room?: {
                    /** @description Edges in two directions or more. */
                    lines?: {
                        /** @enum {string} */
                        direction: "up" | "along" | "across";
                        /** @description x and y, 0 to 1 of the upright picture, from its upper left corner. */
                        start: number[];
                        /** @description x and y, 0 to 1 of the upright picture, from its upper left corner. */
                        end: number[];
                    }[];
                    /** @description A length that is known. */
                    length?: {
                        meters: number;
                        /** @description x and y, 0 to 1 of the upright picture, from its upper left corner. */
                        start: number[];
                        /** @description x and y, 0 to 1 of the upright picture, from its upper left corner. */
                        end: number[];
                    };
                    /** @description Corners of the floor from left to right: where walls meet, and the two ends of their visible foot. None, or two and more; three and more need no lines. */
                    corners?: number[][];
                };
                /** @description By surface all that is visible of it; no outline says that the photo shows none. */
                surfaces?: {
                    [key: string]: number[][][] | {
                        /** @description A PNG file of at most 24 KB, 64-1024 pixels a side, gray or with a palette, 1 or 8 bits, not interlaced: all but black is the surface. */
                        mask: string;
                    };
                };
                /** @description All that is to be removed. */
                things?: {
                    /** @enum {string} */
                    kind: "furniture" | "clutter";
                    /** @description An outline. */
                    polygon: number[][];
                }[];
                /** @description Main pieces for virtual_staging. */
                placements?: {
                    /** @enum {string} */
                    piece: "sofa" | "bed" | "dining_table" | "desk";
                    /** @description The middle of its foot on the floor. */
                    at: number[];
                    /** @description A point that it faces. */
                    faces?: number[];
                }[];
                /** @description Parts of the floor that stay free. */
                clear?: number[][][];
                /** @description Parts that are blurred for good. */
                private?: number[][][];
            } | null;
        };
        /**
         * RevisionStatus
         * @description The status of a round. Values may be added: treat one that you do not know as such.
         */
        RevisionStatus: "making" | "in_review" | "done" | (string & Record<never, never>);
        /**
         * RoomType
         * @description Rooms that can be staged.
         * @enum {string}
         */
        RoomType: "living_room" | "dining_room" | "kitchen" | "bedroom" | "bathroom" | "office" | "basement" | "outdoor_space" | "other";
        /**
         * RuleAnswer
         * @description One rule on altered pictures. It was not written down by a lawyer.
         */
        RuleAnswer: {
            id: string;
            kind: components["schemas"]["RuleKind"];
            /** @description Grows with every change. */
            version: number;
            name: string;
            area: string;
            country?: string;
            /** @description The states where it holds, by their postal codes. */
            regions: string[];
            /**
             * Format: date
             * @description The day from which it applies; absent where not known.
             */
            inForce?: string;
            /** @description The stage of a bill that is not law yet. */
            bill?: string;
            /**
             * Format: date
             * @description When we last compared it with its sources.
             */
            checked: string;
            /** @description How we know the rule. */
            certainty: components["schemas"]["RuleCertainty"];
            /** @description What it requires, in plain words. */
            summary: string;
            sources: components["schemas"]["SourceAnswer"][];
            label: components["schemas"]["LabelRuleAnswer"];
            /** @description Where the original is shown. */
            original: components["schemas"]["OriginalPlace"];
            /** @description What the first picture must be. */
            primaryPhoto: components["schemas"]["PrimaryPhoto"];
            pictures: components["schemas"]["PictureLimitsAnswer"];
            /** @description How far it has come today, by UTC. A bill holds nowhere and no order can name it; an enacted one counts before its day, since a listing outlives its order. */
            stage: components["schemas"]["RuleStage"];
            /** @description Whether its own text is among the sources. */
            hasPrimarySource: boolean;
            /** @description What changes by itself, each on its day. */
            changes: components["schemas"]["RuleChangeAnswer"][];
            /** @description By enhancement. */
            effects: {
                [key: string]: components["schemas"]["EffectRuleAnswer"];
            };
        };
        /**
         * RuleCertainty
         * @description How we know a rule: we read its own text, others report it, or we infer it from a general text. Values may be added: treat one that you do not know as such.
         */
        RuleCertainty: "text_read" | "reported" | "inferred" | (string & Record<never, never>);
        /**
         * RuleChangeAnswer
         * @description A part of a rule that changes on its own day.
         */
        RuleChangeAnswer: {
            /** Format: date */
            begins: string;
            summary: string;
            source: components["schemas"]["SourceAnswer"];
            /** @description Whether that day has come, by UTC. */
            begun: boolean;
        };
        /**
         * RuleKind
         * @description Who made a rule: the law of a place, or a listing service (MLS). Values may be added: treat one that you do not know as such.
         */
        RuleKind: "jurisdiction" | "mls" | (string & Record<never, never>);
        /**
         * RuleList
         * @description All rules.
         */
        RuleList: {
            /** @description Laws first. */
            rules: components["schemas"]["RuleAnswer"][];
        };
        /**
         * RuleStage
         * @description The stage of a rule: a bill that is not law, enacted but not in force yet, or in force. Values may be added: treat one that you do not know as such.
         */
        RuleStage: "bill" | "enacted" | "in_force" | (string & Record<never, never>);
        /**
         * SecretRequest
         * @description Whether a secret that is pending already may be replaced.
         */
        SecretRequest: {
            /** @description Replace a new secret that is pending, which stops working; else that is refused (409). Default: `false`. */
            replacePending?: boolean;
        };
        /**
         * SegmentAnswer
         * @description A piece of the photo, bounded by edges in the picture.
         */
        SegmentAnswer: {
            /** @description Its outline, which hints accept. */
            polygon: number[][];
            /** @description What most of it shows: one of the names of `labels`. */
            seen: string;
            /** @description How sure that is, 0 to 1. */
            certainty: number;
        };
        /**
         * ServiceType
         * @description What an order covers.
         * @enum {string}
         */
        ServiceType: "exterior" | "interior" | "both";
        /**
         * ShareCommentAnswer
         * @description A client's answer about one picture.
         */
        ShareCommentAnswer: {
            /** @description The photo's place in the order, from 1. */
            photo: number;
            /** @description The picture, as in the downloads. */
            imageId: string;
            favorite: boolean;
            text: string;
            /** Format: date-time */
            saidAt: string;
        };
        /**
         * ShareLinkAnswer
         * @description A link by which a client sees a job's results, and what they answered.
         */
        ShareLinkAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode?: boolean;
            id: string;
            /** @description Anyone who has it sees the pictures; not indexed. */
            url?: string;
            title: string;
            mayDownload: boolean;
            /** @description Whether it opens: neither revoked nor over. */
            active: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /**
             * Format: date-time
             * @description Only once it is revoked.
             */
            revokedAt?: string;
            /**
             * Format: date-time
             * @description When a client last looked, if one did.
             */
            lastSeenAt?: string;
            /** @description Once the client answered. */
            response?: components["schemas"]["ShareResponseAnswer"];
            /** @description By photo. */
            comments: components["schemas"]["ShareCommentAnswer"][];
        };
        /**
         * ShareLinkList
         * @description All share links of a job.
         */
        ShareLinkList: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description The newest first, revoked ones among them. */
            shares: components["schemas"]["ShareLinkAnswer"][];
        };
        /**
         * ShareLinkRevoked
         * @description The answer to the revocation of a link.
         */
        ShareLinkRevoked: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            success: boolean;
            id: string;
        };
        /**
         * ShareRequest
         * @description What a link shows and permits, and for how long.
         */
        ShareRequest: {
            /** @description What the client reads above it. */
            title?: string;
            /** @description For how many days; never longer than the pictures. Default: `7`. */
            days?: number;
            /** @description Let the client download the pictures. Default: `true`. */
            mayDownload?: boolean;
        };
        /**
         * ShareResponseAnswer
         * @description A client's answer about all pictures.
         */
        ShareResponseAnswer: {
            verdict: components["schemas"]["ShareVerdict"];
            /** @description Who says so, as they wrote it; may be empty. */
            name: string;
            /** @description Where they can be reached, as they wrote it; may be empty. */
            email: string;
            message: string;
            /** Format: date-time */
            saidAt: string;
        };
        /**
         * ShareVerdict
         * @description What a client thinks of all pictures together. Values may be added: treat one that you do not know as such.
         */
        ShareVerdict: "approved" | "changes_requested" | (string & Record<never, never>);
        /**
         * SkyKind
         * @description The sky that replaces an overcast one.
         * @enum {string}
         */
        SkyKind: "clear" | "light_clouds" | "warm";
        /**
         * SourceAnswer
         * @description Where a rule was read.
         */
        SourceAnswer: {
            title: string;
            url: string;
            /** @description Whether it is the rule's own text. */
            primary: boolean;
        };
        /**
         * SourceFile
         * @description A file that the service fetches itself.
         */
        SourceFile: {
            type: components["schemas"]["PhotoType"];
            /** @description Where the file is: https, on the public internet, without credentials in it. */
            url: string;
        };
        /**
         * StagingWish
         * @description How one interior photo is to be furnished; each field has its own default.
         */
        StagingWish: {
            /** @description Default: `modern`. */
            style?: components["schemas"]["Style"];
            /** @description Default: `other`. */
            roomType?: components["schemas"]["RoomType"];
        };
        /**
         * Status
         * @description The status of a job. Values may be added: treat one that you do not know as such.
         */
        Status: "pending" | "processing" | "qc_review" | "approved" | "delivered" | "undeliverable" | "failed" | (string & Record<never, never>);
        /**
         * StepAnswer
         * @description The outcome of one enhancement of a photo.
         */
        StepAnswer: {
            enhancement: components["schemas"]["KnownEnhancement"];
            /** @description False where it declined; what it cost for this photo alone was refunded. */
            applied: boolean;
            /** @description Why it declined, for programs; only then. */
            reason?: components["schemas"]["Reason"];
            /** @description For people: why it declined, or what it left undone. */
            message?: string;
            /** @description Who made the picture: our worker by itself, or the operator's generative server. */
            maker?: components["schemas"]["Maker"];
            /** @description What became of each change of a renovation that was worked change by change. */
            changes?: components["schemas"]["ChangeAnswer"][];
            /** @description Of virtual staging that our worker made: the pieces that it added, with sizes. */
            furniture?: components["schemas"]["FurnitureAnswer"][];
        };
        /**
         * StepForecastAnswer
         * @description The forecast for one enhancement.
         */
        StepForecastAnswer: {
            enhancement: components["schemas"]["KnownEnhancement"];
            /** @description `likely`; `needs_hint`: it would be declined, but perhaps not if you said what the photo shows, see `hint`; `not_possible`: whatever is said of the photo. */
            prospect: components["schemas"]["Prospect"];
            /** @description With `likely`: what `reason` names may be misread, and the result wrong. Say what the photo shows, see `hint`, and it is sure. Absent where it is sure. */
            unsure?: boolean;
            /** @description The part of hints that helps; only with `needs_hint` or if `unsure`. */
            hint?: components["schemas"]["HintPart"];
            /** @description Why it would be declined, or is unsure, for programs. */
            reason?: components["schemas"]["Reason"];
            /** @description The same for people. */
            message?: string;
            /** @description What would become of each change of a renovation. */
            changes?: components["schemas"]["ChangeForecastAnswer"][];
        };
        /**
         * StepState
         * @description The outcome of an ordered step of a photo.
         *
         *     PARTLY_DONE: some changes of a renovation were declined. DECLINED: it could not be done. LEFT_OUT: the picture
         *     was made again without it. REJECTED: the photo's whole result was rejected; FAILED: its processing failed.
         *     STOPPED: the job ended before. Values may be added: treat one that you do not know as such.
         */
        StepState: "waiting" | "done" | "partly_done" | "declined" | "left_out" | "rejected" | "failed" | "cancelled" | "stopped" | (string & Record<never, never>);
        /**
         * Style
         * @description Furnishing styles for virtual staging.
         * @enum {string}
         */
        Style: "modern" | "contemporary" | "minimalist" | "farmhouse" | "scandinavian" | "coastal" | "mid_century_modern" | "traditional";
        /**
         * TestCreditsAnswer
         * @description The balance after a refill.
         */
        TestCreditsAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description The test credits. */
            credits: number;
        };
        /**
         * Treatment
         * @description How a rule treats an enhancement; each value is stricter than the one before it. Values may be added: treat one that you do not know as such.
         */
        Treatment: "exempt" | "required" | "barred" | (string & Record<never, never>);
        /**
         * TriedAnswer
         * @description The settings with which the picture was made again, or is being made again.
         */
        TriedAnswer: {
            /** @description 0, or the number of another try for steps that depend on chance. */
            photoSeed: number;
            /** @description 1, or a smaller share of the change, for steps that can be weaker. */
            strength: number;
            /** @description The steps that were left out. */
            without: components["schemas"]["KnownEnhancement"][];
            /** @description Looks in place of those ordered. */
            options?: components["schemas"]["OptionsAnswer"];
            /** @description Whether hints came with a result sent back, in place of the order's. */
            hinted: boolean;
        };
        /**
         * UndeliverableAnswer
         * @description Why the job has no usable result.
         */
        UndeliverableAnswer: {
            /** @description `cancelled` where you cancelled it; absent where no result was usable. */
            code?: components["schemas"]["UndeliverableCode"];
            /** @description For people. */
            reason: string;
            /** @description In credits: all that was charged. */
            creditsRefunded: number;
        };
        /**
         * UndeliverableCode
         * @description Why a job is undeliverable, if the reason is not the lack of usable results: its owner cancelled it before
         *     any photo was begun. Values may be added: treat one that you do not know as such.
         */
        UndeliverableCode: "cancelled" | (string & Record<never, never>);
        /**
         * Unit
         * @description The unit of a figure's value: a share is 0-1, a level is one of 255, yes is 1 and no is 0. Values may be added: treat one that you do not know as such.
         */
        Unit: "share" | "levels" | "cielab" | "ciede2000" | "meters" | "count" | "yes_no" | "degrees" | (string & Record<never, never>);
        /**
         * UploadRequest
         * @description How many upload URLs are requested, and which files are fetched.
         */
        UploadRequest: {
            /** @description How many URLs for interior photos. At least one of both kinds. Default: `0`. */
            interiorCount?: number;
            /** @description How many URLs for exterior photos. Default: `0`. */
            exteriorCount?: number;
            /** @description How many files each photo is made of; each file gets a URL. Default: `1`. */
            framesPerPhoto?: number;
            /** @description Files that we fetch; each gets a URL, too, after those that are counted. */
            files?: components["schemas"]["SourceFile"][];
        };
        /**
         * UploadSessionAnswer
         * @description Upload URLs for one order.
         */
        UploadSessionAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description Names the session in the order; it becomes one order. */
            uploadSessionId: string;
            /** @description One for each file of an interior photo asked for. */
            interiorUrls: components["schemas"]["UploadTarget"][];
            /** @description One for each file of an exterior photo asked for. */
            exteriorUrls: components["schemas"]["UploadTarget"][];
            /** @description Seconds for which the URLs hold. */
            expiresIn: number;
            /** @description What to do next, for people. */
            message: string;
        };
        /**
         * UploadTarget
         * @description The URL to which one file is PUT.
         */
        UploadTarget: {
            /** @description PUT the photo's raw bytes here; no key is needed. */
            uploadUrl: string;
            /** @description Names the photo in the order. */
            filePath: string;
            /** @description Its place among those of its type, from 0. */
            index: number;
            type: components["schemas"]["KnownPhotoType"];
            /** @description With framesPerPhoto: its photo, by the place among photos of its type, from 0. */
            photo?: number;
            /** @description Its place among the photo's files, from 0. */
            frame?: number;
            /** @description What the files of one photo have in common, for the order. */
            group?: string;
            /** @description Its place among `files` of the request: we fetch it. A PUT here takes its place. */
            file?: number;
        };
        /**
         * Variant
         * @description The file of a photo that a URL is for. Values may be added: treat one that you do not know as such.
         */
        Variant: "original" | "altered" | "labeled" | "base" | (string & Record<never, never>);
        /**
         * VariantAnswer
         * @description One file of a picture.
         */
        VariantAnswer: {
            variant: components["schemas"]["Variant"];
            /** @description The file, for a time; Range and HEAD work. */
            url: string;
            /** @description The C2PA content credentials that we wrote into it; not for original and base. */
            contentCredentials?: components["schemas"]["CredentialKind"];
        };
        /**
         * VariantListAnswer
         * @description All variants of a picture, including the base if it is a separate file.
         */
        VariantListAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            variants: components["schemas"]["VariantPictureAnswer"][];
        };
        /**
         * VariantObstacle
         * @description Why a variant with these steps is not made, or was tried and could not be made. Values may be added: treat one that you do not know as such.
         */
        VariantObstacle: "nothing_kept" | "nothing_left_out" | "engine_changed" | "made_by_server" | "files_gone" | "too_many" | "unusable" | "processing_failed" | (string & Record<never, never>);
        /**
         * VariantPictureAnswer
         * @description One variant of a picture, and its files once they are made.
         */
        VariantPictureAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode?: boolean;
            /** @description Names the variant. */
            id: string;
            /** @description `making`; `ready`; `original`: the other steps could not be made alone, so the original is the picture; `failed`, then `reason` says why. */
            status: components["schemas"]["VariantState"];
            reason?: components["schemas"]["VariantObstacle"];
            /** @description The steps that were left out. */
            without: components["schemas"]["KnownEnhancement"][];
            /** @description The steps that are in it, in this order. */
            enhancements: components["schemas"]["KnownEnhancement"][];
            /** Format: date-time */
            createdAt: string;
            /** @description The picture, for a time; Range and HEAD work. */
            url?: string;
            /** @description The labeled copy, once it is made. */
            labeledUrl?: string;
            /** @description In pixels. */
            width?: number;
            /** @description In pixels. */
            height?: number;
            /** @description The size of the file. */
            bytes?: number;
            /** @description Of the file. */
            sha256?: string;
            /** @description The C2PA content credentials that we wrote into it. */
            contentCredentials?: components["schemas"]["CredentialKind"];
            /** @description What the listing says of it; absent where it need say nothing. */
            caption?: string;
        };
        /**
         * VariantState
         * @description The state of a variant, as its owner sees it. Values may be added: treat one that you do not know as such.
         */
        VariantState: "making" | "ready" | "original" | "failed" | (string & Record<never, never>);
        /**
         * Verdict
         * @description The verdict of the quality review on a result; `undecided` waits for a reviewer. Values may be added: treat one that you do not know as such.
         */
        Verdict: "undecided" | "approved" | "rejected" | (string & Record<never, never>);
        /**
         * Verticals
         * @description Whether a picture is turned so that walls stand upright.
         * @enum {string}
         */
        Verticals: "as_shot" | "straight";
        /**
         * WebhookAnswer
         * @description A registered receiver; `secret` is only in the answers to its registration and to a rotation.
         */
        WebhookAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode?: boolean;
            /** @description Names the webhook. */
            id: string;
            /** @description Where deliveries are sent. */
            url: string;
            /** @description The events that it receives. */
            events: components["schemas"]["KnownEventName"][];
            /** @description False once it is switched off: deliveries are held. */
            active: boolean;
            /** @description Why it is off, for people. */
            offReason?: string;
            /** @description Signs the deliveries; keep it, no other answer has it. */
            secret?: string;
            /**
             * Format: date-time
             * @description While a new secret is pending: when it alone signs.
             */
            newSecretFrom?: string;
            /** Format: date-time */
            createdAt: string;
        };
        /**
         * WebhookChange
         * @description A change of a receiver. Fields that are left out stay unchanged.
         */
        WebhookChange: {
            /** @description Also for deliveries under way, from their next attempt on. */
            url?: string | null;
            /** @description The whole list; an empty one as at the registration. */
            events?: components["schemas"]["EventName"][] | null;
            /** @description `true` switches it on again, whatever had switched it off; with `false` deliveries are held. */
            active?: boolean | null;
        };
        /**
         * WebhookDeleted
         * @description The answer to the deletion of a receiver.
         */
        WebhookDeleted: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            success: boolean;
            /** @description The deleted webhook. */
            id: string;
        };
        /**
         * WebhookDetailsAnswer
         * @description A registered receiver with its health.
         */
        WebhookDetailsAnswer: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description Names the webhook. */
            id: string;
            /** @description Where deliveries are sent. */
            url: string;
            /** @description The events that it receives. */
            events: components["schemas"]["KnownEventName"][];
            /** @description False once it is switched off: deliveries are held. */
            active: boolean;
            /** @description Why it is off, for people. */
            offReason?: string;
            /** @description Signs the deliveries; keep it, no other answer has it. */
            secret?: string;
            /**
             * Format: date-time
             * @description While a new secret is pending: when it alone signs.
             */
            newSecretFrom?: string;
            /** Format: date-time */
            createdAt: string;
            health: components["schemas"]["WebhookHealthAnswer"];
        };
        /**
         * WebhookHealthAnswer
         * @description The health of a webhook.
         */
        WebhookHealthAnswer: {
            /** @description In one word; `untried`: nothing was delivered yet. */
            condition: components["schemas"]["WebhookState"];
            /** @description In the last 24 hours, of the last 200. */
            attempts: number;
            /** @description How many of these succeeded. */
            succeeded: number;
            /** @description 95 % of them took no longer. */
            secondsP95?: number;
            /** Format: date-time */
            lastSuccessAt?: string;
            /** @description Deliveries to come, those being sent among them. */
            waiting: number;
            /** @description Held while it was off. Counts end at 1001. */
            held: number;
            /** @description Given up, as far as they are in the log. */
            failed: number;
        };
        /**
         * WebhookList
         * @description All receivers of the account.
         */
        WebhookList: {
            /** @description False in test mode, where nothing is charged. */
            livemode: boolean;
            /** @description The oldest first. */
            webhooks: components["schemas"]["WebhookAnswer"][];
        };
        /**
         * WebhookRequest
         * @description A receiver to register.
         */
        WebhookRequest: {
            /** @description Where deliveries are sent: https, a public host, no credentials; port 443, 80 or 8000-9999. */
            url: string;
            /** @description Left out or empty: all except those that are sent only to webhooks that name them. */
            events?: components["schemas"]["EventName"][];
        };
        /**
         * WebhookState
         * @description The state of a webhook, in one word.
         *
         *     OFF: switched off. FAILING: FAILING_FROM deliveries or more were given up since the last success. TROUBLED: it
         *     blocked a sender recently. SHAKY: at least one delivery, but fewer than FAILING_FROM, was given up since the
         *     last success. UNTRIED: no success yet. WELL: none of these. Values may be added: treat one that you do not know as such.
         */
        WebhookState: "off" | "failing" | "troubled" | "shaky" | "untried" | "well" | (string & Record<never, never>);
        /**
         * WithoutRequest
         * @description The steps to leave out of the picture.
         */
        WithoutRequest: {
            /** @description Enhancements that were done on it; at least one must stay. */
            without: components["schemas"]["Enhancement"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    create_upload_urls: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadRequest"];
            };
        };
        responses: {
            /** @description Get signed URLs to upload photos to */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadSessionAnswer"];
                };
            };
        };
    };
    create_client_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClientTokenRequest"];
            };
        };
        responses: {
            /** @description Make a token for uploads from a page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClientTokenAnswer"];
                };
            };
        };
    };
    create_client_uploads: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClientUploadRequest"];
            };
        };
        responses: {
            /** @description Get upload URLs with a client token */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadSessionAnswer"];
                };
            };
        };
    };
    list_fetches: {
        parameters: {
            query?: {
                /** @description For how many seconds the answer may wait. */
                wait?: number;
            };
            header?: never;
            path: {
                uploadSessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ask which files by URL have come */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FetchesAnswer"];
                };
            };
        };
    };
    propose_groups: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uploadSessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupsRequest"];
            };
        };
        responses: {
            /** @description Propose which uploaded files are frames of one photo */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupsAnswer"];
                };
            };
            /** @description Files are still being looked at. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupsAnswer"];
                };
            };
        };
    };
    show_catalog: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read what can be ordered, at which price */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogAnswer"];
                };
            };
        };
    };
    create_order_from_uploads: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlaceOrder"];
            };
        };
        responses: {
            /** @description Create an order from uploaded photos */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderResult"];
                };
            };
        };
    };
    create_order: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["MultipartOrder"];
            };
        };
        responses: {
            /** @description Create an order with its photos in one request */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderResult"];
                };
            };
        };
    };
    quote_order: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuoteRequest"];
            };
        };
        responses: {
            /** @description Price an order without placing it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteAnswer"];
                };
            };
            /** @description Photos are still being looked at. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QuoteAnswer"];
                };
            };
        };
    };
    read_regions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                uploadSessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegionsRequest"];
            };
        };
        responses: {
            /** @description Ask what we see in an uploaded photo, and what an order would do to it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegionsAnswer"];
                };
            };
            /** @description The photo is still being looked at. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegionsAnswer"];
                };
            };
        };
    };
    read_photo_regions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
                photoId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ask what we see in a photo of a job, and what its steps would do */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegionsAnswer"];
                };
            };
            /** @description The photo is still being looked at. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegionsAnswer"];
                };
            };
        };
    };
    list_presets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List presets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresetList"];
                };
            };
        };
    };
    create_preset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PresetRequest"];
            };
        };
        responses: {
            /** @description Make a preset */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresetAnswer"];
                };
            };
        };
    };
    show_preset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                presetId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a preset */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresetAnswer"];
                };
            };
        };
    };
    change_preset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                presetId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PresetRequest"];
            };
        };
        responses: {
            /** @description Change a preset */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresetAnswer"];
                };
            };
        };
    };
    delete_preset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                presetId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a preset */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresetDeleted"];
                };
            };
        };
    };
    show_job_status: {
        parameters: {
            query?: {
                /** @description For how many seconds the answer may wait. */
                wait?: number;
            };
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ask where a job stands (every 30 seconds is often enough) */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobStatusAnswer"];
                };
            };
        };
    };
    show_job_quality: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read what the checks found on every photo of a job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QualityAnswer"];
                };
            };
        };
    };
    cancel_job: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cancel a job, as far as its photos were not begun */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelAnswer"];
                };
            };
        };
    };
    list_jobs: {
        parameters: {
            query?: {
                /** @description The most entries in the answer. */
                limit?: number;
                /** @description The `nextCursor` of the page before; left out for the first page. */
                cursor?: string;
                /** @description Only jobs with this status; given several times, with any of these. */
                status?: ("pending" | "processing" | "qc_review" | "approved" | "delivered" | "undeliverable" | "failed")[];
                /** @description Ordered at this moment or later. */
                createdAfter?: string;
                /** @description Ordered before this moment. */
                createdBefore?: string;
                /** @description How the address of the property begins; capitals and punctuation do not matter. Then jobs of one address are together, the newest first. */
                address?: string;
                /** @description Your own id of the order, exactly. */
                externalId?: string;
                /** @description One pair of the order's metadata, exactly, as `metadata[agent]=Dana Reyes`. */
                metadata?: {
                    [key: string]: string;
                };
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List jobs, the newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobListAnswer"];
                };
            };
        };
    };
    show_job: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read everything that is known of a job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobAnswer"];
                };
            };
        };
    };
    show_downloads: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get fresh download URLs for all approved images */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DownloadAnswer"];
                };
            };
        };
    };
    list_mls_packs: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List a job's packs for listing services */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MlsPackList"];
                };
            };
        };
    };
    request_mls_pack: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MlsPackRequest"];
            };
        };
        responses: {
            /** @description Ask for a job's pictures as a listing service takes them */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MlsPackAnswer"];
                };
            };
        };
    };
    show_mls_pack: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
                packId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ask about a pack, and get a fresh URL once it is ready */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MlsPackAnswer"];
                };
            };
        };
    };
    list_revisions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
                imageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the rounds in which a result was sent back, with fresh URLs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevisionListAnswer"];
                };
            };
        };
    };
    request_revision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
                imageId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevisionRequest"];
            };
        };
        responses: {
            /** @description Send back a result that is not right */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevisionAnswer"];
                };
            };
        };
    };
    show_revision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
                imageId: string;
                revisionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get one round in which a result was sent back */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevisionAnswer"];
                };
            };
        };
    };
    withdraw_revision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
                imageId: string;
                revisionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Take back a round that is not over */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevisionAnswer"];
                };
            };
        };
    };
    list_variants: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
                imageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the variants of an approved picture, with fresh URLs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariantListAnswer"];
                };
            };
        };
    };
    request_variant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
                imageId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithoutRequest"];
            };
        };
        responses: {
            /** @description Ask for an approved picture without some of its steps */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VariantPictureAnswer"];
                };
            };
        };
    };
    show_recipes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get what a job's approved pictures were made from */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipesAnswer"];
                };
            };
        };
    };
    list_shares: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List a job's share links with what clients answered */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareLinkList"];
                };
            };
        };
    };
    create_share: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShareRequest"];
            };
        };
        responses: {
            /** @description Make a link by which a client sees a job's results */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareLinkAnswer"];
                };
            };
        };
    };
    revoke_share: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
                shareId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Revoke a share link */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareLinkRevoked"];
                };
            };
        };
    };
    list_all_rules: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List what laws and listing services ask of altered pictures */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleList"];
                };
            };
        };
    };
    show_rule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ruleId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read one rule */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleAnswer"];
                };
            };
        };
    };
    show_public_page: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ask where a job's originals are published */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicPageAnswer"];
                };
            };
        };
    };
    publish_originals: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PublicPageRequest"];
            };
        };
        responses: {
            /** @description Publish the originals of a job's altered pictures */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicPageAnswer"];
                };
            };
        };
    };
    unpublish_originals: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Unpublish a job's originals */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicPageDeleted"];
                };
            };
        };
    };
    show_evidence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read the evidence of a job, for anyone who must answer for an altered picture */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceAnswer"];
                };
            };
        };
    };
    show_credits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ask for the balance */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreditAccount"];
                };
            };
        };
    };
    list_ledger: {
        parameters: {
            query?: {
                /** @description The most entries in the answer. */
                limit?: number;
                /** @description The `nextCursor` of the page before; left out for the first page. */
                cursor?: string;
                /** @description Only lines of this kind. */
                kind?: "purchase" | "order" | "refund" | "adjustment" | "reversal";
                /** @description Only lines of this job. */
                jobId?: string;
                /** @description The first day, in UTC. */
                since?: string;
                /** @description The last day, in UTC. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the movements of credits */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerAnswer"];
                };
            };
        };
    };
    list_webhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List webhooks */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
        };
    };
    create_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookRequest"];
            };
        };
        responses: {
            /** @description Register a webhook */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookAnswer"];
                };
            };
        };
    };
    delete_webhook: {
        parameters: {
            query: {
                /** @description The webhook to delete. */
                id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a webhook */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeleted"];
                };
            };
        };
    };
    show_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a webhook and how it does */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDetailsAnswer"];
                };
            };
        };
    };
    change_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookChange"];
            };
        };
        responses: {
            /** @description Change a webhook, or switch it off or on */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookAnswer"];
                };
            };
        };
    };
    rotate_webhook_secret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecretRequest"];
            };
        };
        responses: {
            /** @description Rotate a webhook's secret */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookAnswer"];
                };
            };
        };
    };
    switch_webhook_secret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Switch to a webhook's new secret now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookAnswer"];
                };
            };
        };
    };
    send_test_event: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Send a test event */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryAnswer"];
                };
            };
        };
    };
    list_deliveries: {
        parameters: {
            query?: {
                /** @description The most entries in the answer. */
                limit?: number;
                /** @description The `nextCursor` of the page before; left out for the first page. */
                cursor?: string;
                /** @description Only those in this state. */
                status?: "waiting" | "sending" | "succeeded" | "failed" | "held";
                /** @description Only those of this event. */
                event?: "job.created" | "job.processing" | "job.completed" | "job.approved" | "job.delivered" | "job.undeliverable" | "job.failed" | "job.cancelled" | "photo.completed" | "photo.revised" | "variant.ready" | "pack.ready" | "credits.low" | "webhook.test";
                /** @description Only those of this job. */
                jobId?: string;
                /** @description Only those created since then. */
                since?: string;
            };
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the deliveries to a webhook */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
        };
    };
    show_delivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Get a delivery with its attempts */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDetailsAnswer"];
                };
            };
        };
    };
    redeliver_delivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Send a delivery again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryAnswer"];
                };
            };
        };
    };
    retry_delivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Make the next attempt at a delivery now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryAnswer"];
                };
            };
        };
    };
    redeliver_failed_deliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedeliveryRequest"];
            };
        };
        responses: {
            /** @description Send a webhook's failed deliveries again */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryCount"];
                };
            };
        };
    };
    release_held_deliveries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Send what was held while a webhook was off */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryCount"];
                };
            };
        };
    };
    list_events: {
        parameters: {
            query?: {
                /** @description The most entries in the answer. */
                limit?: number;
                /** @description The `nextCursor` of the page before; left out for the first page. */
                cursor?: string;
                /** @description The `id` of the last event that you have: those that follow are answered. Left out: from the oldest that is kept. `cursor` takes its place on the next page. */
                after?: string;
                /** @description Only events of this name. */
                type?: "job.created" | "job.processing" | "job.completed" | "job.approved" | "job.delivered" | "job.undeliverable" | "job.failed" | "job.cancelled" | "photo.completed" | "photo.revised" | "variant.ready" | "pack.ready" | "credits.low" | "webhook.test";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read what happened since an event */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventListAnswer"];
                };
            };
        };
    };
    list_callbacks: {
        parameters: {
            query?: {
                /** @description The most entries in the answer. */
                limit?: number;
                /** @description The `nextCursor` of the page before; left out for the first page. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List the callback URLs of orders */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallbackList"];
                };
            };
        };
    };
    show_callback_secret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description See whether a callback secret exists, and whether a new one is pending */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallbackSecretAnswer"];
                };
            };
        };
    };
    create_callback_secret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecretRequest"];
            };
        };
        responses: {
            /** @description Create or rotate the callback secret */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallbackSecretAnswer"];
                };
            };
        };
    };
    switch_callback_secret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Switch to the new callback secret now */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallbackSecretAnswer"];
                };
            };
        };
    };
    move_clock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClockRequest"];
            };
        };
        responses: {
            /** @description Move the clock of a test job */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClockAnswer"];
                };
            };
        };
    };
    refill_test_credits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Refill the test credits */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestCreditsAnswer"];
                };
            };
        };
    };
}
