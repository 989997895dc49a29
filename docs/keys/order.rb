# One photo from upload to result, with Ruby 3.0 or later and nothing to install.
require "json"
require "net/http"

KEY = ENV.fetch("BRIGHTLIST_API_KEY")
API = "https://brightlist.example/api/v1"
PHOTO, RESULT = "room.jpg", "room-better.jpg"

# The body of a good answer; a refusal says what to do about it.
def send_to(url, method, body = nil, headers = {})
  uri = URI(url)
  answer = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") do |http|
    http.send_request(method, uri.request_uri, body, headers)
  end
  abort "#{answer.code}: #{answer.body}" if answer.code.to_i >= 400
  answer.body
end

def ask(method, path, body = nil)
  headers = { "Authorization" => "Bearer #{KEY}", "Content-Type" => "application/json" }
  JSON.parse(send_to(API + path, method, body && JSON.generate(body), headers))
end

room = ask("POST", "/orders/upload-urls", { interiorCount: 1, exteriorCount: 0 })
target = room["interiorUrls"][0]
send_to(target["uploadUrl"], "PUT", File.binread(PHOTO), { "Content-Type" => "image/jpeg" })

order = ask("POST", "/orders/from-uploads", {
  address: "12 Garden Lane, Springfield, IL 62704",
  serviceType: "interior",
  uploadSessionId: room["uploadSessionId"],
  interiorFiles: [{ filePath: target["filePath"], fileName: PHOTO }],
  interiorEnhancements: ["hdr_enhancement"]
})

loop do
  job = ask("GET", "/jobs/#{order['jobId']}/status")
  puts "#{job['jobId']} is #{job['status']}"
  break if ["approved", "delivered"].include?(job["status"])
  if ["undeliverable", "failed"].include?(job["status"])
    abort job["error"] || job["undeliverable"]["reason"]
  end
  sleep 5
end

image = ask("GET", "/downloads/#{order['jobId']}")["images"][0]
File.binwrite(RESULT, send_to(image["url"], "GET"))
puts "Saved #{RESULT}"
