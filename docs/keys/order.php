<?php
// One photo from upload to result, with PHP 8.1 or later and nothing to install.
const API = "https://brightlist.example/api/v1";
const PHOTO = "room.jpg", RESULT = "room-better.jpg";
$key = getenv("BRIGHTLIST_API_KEY");

// The body of a good answer; a refusal says what to do about it.
function send(string $method, string $url, string $content = "", array $headers = []): string
{
    $http = ["method" => $method, "content" => $content, "header" => $headers, "ignore_errors" => true];
    $answer = fopen($url, "r", false, stream_context_create(["http" => $http])) ?: exit(1);
    $status = explode(" ", stream_get_meta_data($answer)["wrapper_data"][0])[1];
    $body = stream_get_contents($answer);
    return $status < 400 ? $body : throw new Exception("$status: $body");
}

function ask(string $method, string $path, ?array $body = null): array
{
    global $key;
    $headers = ["Authorization: Bearer $key", "Content-Type: application/json"];
    return json_decode(send($method, API . $path, $body ? json_encode($body) : "", $headers), true);
}

$room = ask("POST", "/orders/upload-urls", ["interiorCount" => 1, "exteriorCount" => 0]);
$target = $room["interiorUrls"][0];
send("PUT", $target["uploadUrl"], file_get_contents(PHOTO), ["Content-Type: image/jpeg"]);

$order = ask("POST", "/orders/from-uploads", [
    "address" => "12 Garden Lane, Springfield, IL 62704",
    "serviceType" => "interior",
    "uploadSessionId" => $room["uploadSessionId"],
    "interiorFiles" => [["filePath" => $target["filePath"], "fileName" => PHOTO]],
    "interiorEnhancements" => ["hdr_enhancement"],
]);

while (true) {
    $job = ask("GET", "/jobs/$order[jobId]/status");
    echo "$job[jobId] is $job[status]\n";
    if (in_array($job["status"], ["approved", "delivered"])) {
        break;
    }
    if (in_array($job["status"], ["undeliverable", "failed"])) {
        throw new Exception($job["error"] ?? $job["undeliverable"]["reason"]);
    }
    sleep(5);
}

$image = ask("GET", "/downloads/$order[jobId]")["images"][0];
file_put_contents(RESULT, send("GET", $image["url"]));
echo "Saved ", RESULT, "\n";
