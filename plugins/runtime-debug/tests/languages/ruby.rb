# Probes in a Ruby program: net/http on one connection.
require "json"
require "net/http"

settings = File.foreach(".dbg/login-timeout.env").to_h { |line| line.chomp.split("=", 2) }
address = URI(settings["DEBUG_SERVER_URL"] || "http://127.0.0.1:9/event")
first = {
  sessionId: settings["DEBUG_SESSION_ID"],
  runId: 1_766_000_000_000,
  hypothesisId: "A",
  location: "login.rb:9",
  msg: "[DEBUG] login",
  data: { text: "\"quoted\" back\\slash Ünïcödé 日本語 🐞", ratio: 1e20 },
  ts: 1_766_000_000_000,
  traceId: "request-1",
}

Net::HTTP.start(address.host, address.port) do |http|
  [first, { msg: "done" }].each do |event|
    puts http.post(address.request_uri, JSON.generate(event), "Content-Type" => "application/json").code
  end
end
