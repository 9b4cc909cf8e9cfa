import type { Template } from "../template.ts";

const BODY = [
  String.raw`local j; j = function(v, n) local t = type(v) if t == "boolean" or t == "number" and v == v and v ~= 1/0 and v ~= -1/0 then return tostring(v) end if v == nil then return "null" end if t == "table" and n < 4 then local o, m = {}, 0 for k, e in next, v do m = m + 1 if m > 200 then break end o[m] = j(tostring(k), 9) .. ":" .. j(e, n + 1) end return "{" .. table.concat(o, ",") .. "}" end local ok, w = pcall(tostring, v) return '"' .. string.gsub(string.sub(ok and tostring(w) or "?", 1, 5000), '[%c"\\]', function(c) return string.format("\\u%04x", string.byte(c)) end) .. '"' end`,
  String.raw`local o = {} for i = 1, #d, 2 do local ok, v = pcall(d[i + 1]) o[#o + 1] = j(d[i], 0) .. ":" .. j(ok and v or not ok and "! " .. tostring(v) or v, 0) end`,
  String.raw`s = os.getenv("DEBUG_SESSION_ID") or s local a, w = os.getenv("DEBUG_SERVER_URL"), ".dbg/" for _ = 1, 24 do if a then break end local f = io.open(w .. s .. ".env") if f then for t in f:lines() do a = a or string.match(t, "^DEBUG_SERVER_URL=(%S+)") end f:close() end w = "../" .. w end a = a or u`,
  String.raw`local b = '{"sessionId":' .. j(s, 0) .. ',"hypothesisId":' .. j(h, 0) .. ',"location":' .. j(l, 0) .. ',"msg":' .. j("[DEBUG] " .. p, 0) .. ',"data":{' .. table.concat(o, ",") .. "}}"`,
  String.raw`local host, port, path = string.match(a, "^http:/+([^:/]+):?(%d*)(/.*)$") local ok, socket = pcall(require, "socket")`,
  String.raw`if ok then local c = socket.tcp() c:settimeout(0.5) if c:connect(host, tonumber(port) or 80) then c:send("POST " .. path .. " HTTP/1.1\r\nHost: " .. host .. ":" .. (port == "" and "80" or port) .. "\r\nConnection: close\r\nContent-Length: " .. #b .. "\r\n\r\n" .. b) c:receive("*l") end c:close()`,
  String.raw`else local c = io.popen("curl -s -m 1 --noproxy '*' --data-binary @- '" .. string.gsub(a, "'", "") .. "' >/dev/null 2>&1", "w") if c then c:write(b) c:close() end end`,
].join(" ");

/** Needs Lua 5.1 with its socket library, or else curl. The program waits for the answer, at most 1 s. */
export const LUA: Template = {
  mark: (text) => `-- ${text}`,
  line: `pcall(function(h, p, l, s, u, d) ${BODY} end, "@H@", "@P@", "@L@", "@S@", "@U@", {@D@})`,
  field: '"@N@", function() return (@X@) end',
  between: ", ",
  expressions: {
    refused: [
      [/\.\.\./, "the rest of the arguments cannot be reported"],
      [/\[=*\[|\]=*\]/, "strings of that kind can hold anything"],
      [/\b(?:function|end|do|return|goto|local)\b/, "it holds a statement"],
    ],
  },
};
