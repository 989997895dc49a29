# One photo from upload to result: curl, and python3 to read the answers.
(
BRIGHTLIST_API_KEY=${BRIGHTLIST_API_KEY:?Put your API key here}
API=https://brightlist.example/api/v1
PHOTO=room.jpg
RESULT=room-better.jpg

ask() { curl -sS --fail-with-body -H "Authorization: Bearer $BRIGHTLIST_API_KEY" "$@"; }
pick() { python3 -c 'import sys, json
value = json.load(sys.stdin)
for key in sys.argv[1].split("."): value = value[int(key) if key.isdigit() else key]
print(value)' "$1"; }

room=$(ask -d '{"interiorCount": 1, "exteriorCount": 0}' "$API/orders/upload-urls") || { echo "$room"; exit 1; }
curl -sS --fail-with-body -T "$PHOTO" "$(pick interiorUrls.0.uploadUrl <<< "$room")" || exit 1

order=$(ask "$API/orders/from-uploads" -d @- <<EOF
{"address": "12 Garden Lane, Springfield, IL 62704", "serviceType": "interior",
 "uploadSessionId": "$(pick uploadSessionId <<< "$room")",
 "interiorFiles": [{"filePath": "$(pick interiorUrls.0.filePath <<< "$room")", "fileName": "$PHOTO"}],
 "interiorEnhancements": ["hdr_enhancement"]}
EOF
) || { echo "$order"; exit 1; }
job=$(pick jobId <<< "$order")

while answer=$(ask "$API/jobs/$job/status"); do
  status=$(pick status <<< "$answer")
  echo "$job is $status"
  case $status in
    approved | delivered) break ;;
    undeliverable | failed) echo "$answer"; exit 1 ;;
  esac
  sleep 5
done

downloads=$(ask "$API/downloads/$job") || { echo "$downloads"; exit 1; }
curl -sS --fail-with-body -o "$RESULT" "$(pick images.0.url <<< "$downloads")" && echo "Saved $RESULT"
)
