<?php
// Receives Brightlist webhooks. Start it with: WEBHOOK_SECRET=whsec_... php -S 127.0.0.1:9000 receiver.php

$secrets = explode(' ', getenv('WEBHOOK_SECRET')); // two, the old and the new one, while you change it
$body = file_get_contents('php://input'); // the raw bytes, before any parsing

function received(string $name): string
{
    return $_SERVER['HTTP_' . strtoupper(strtr($name, '-', '_'))] ?? '';
}

// Compares in constant time: an answer's speed tells nothing about the signature.
function one_is_right(array $given, array $expected): bool
{
    foreach ($given as $each) {
        foreach ($expected as $right) {
            if (hash_equals($right, $each)) return true;
        }
    }
    return false;
}

// Whether Brightlist sent this body under this delivery id, and no more than five minutes ago.
function genuine(string $body, array $secrets): bool
{
    [$delivery, $sent_at] = [received('webhook-id'), received('webhook-timestamp')];
    if ($delivery !== received('X-Service-Delivery') || !ctype_digit($sent_at)) return false;
    if (abs(time() - (int) $sent_at) > 300) return false;
    foreach ($secrets as $secret) {
        $key = base64_decode(substr($secret, strlen('whsec_')));
        $standard[] = 'v1,' . base64_encode(hash_hmac('sha256', "$delivery.$sent_at.$body", $key, true));
        $service[] = 'sha256=' . hash_hmac('sha256', $body, $secret);
    }
    return one_is_right(explode(' ', received('webhook-signature')), $standard)
        && one_is_right([received('X-Service-Signature')], $service);
}

if (!genuine($body, $secrets)) {
    http_response_code(401);
    exit;
}
// "x" fails when the file is there: this delivery was here before. In your own service: a table with a unique key.
if (@fopen(sys_get_temp_dir() . '/delivery-' . sha1(received('webhook-id')), 'x')) {
    $event = json_decode($body);
    error_log("{$event->event} {$event->data->jobId}"); // your work; leave what takes long to a queue
}
http_response_code(204);
