-- Probes in a Lua program: the library socket.
local http = require("socket.http")
local ltn12 = require("ltn12")

local file = assert(io.open(".dbg/login-timeout.env"))
local settings = file:read("a")
file:close()
local url = settings:match("DEBUG_SERVER_URL=([^\n]+)") or "http://127.0.0.1:9/event"
local session = settings:match("DEBUG_SESSION_ID=([^\n]+)")

local function probe(body)
  local _, status = http.request({
    url = url,
    method = "POST",
    headers = { ["content-type"] = "application/json", ["content-length"] = #body },
    source = ltn12.source.string(body),
  })
  print(status)
end

probe(string.format(
  [[{"sessionId":"%s","runId":"pre","hypothesisId":"E","location":"login.lua","msg":"[DEBUG] login",]]
    .. [["data":{"text":"\"quoted\" back\\slash Ünïcödé 日本語 🐞"},"ts":1766000000000}]],
  session
))
-- The short form sends what it is given as a form would.
print((select(2, http.request(url, [[{"msg":"done"}]]))))
