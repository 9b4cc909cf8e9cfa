import { PATTERN_SLASH } from "../expression.ts";
import type { Template } from "../template.ts";

/** Needs Python 3.6. The program waits for the answer, at most 5 s. */
export const PYTHON: Template = {
  comment: "#",
  text: `debug_d = {}
@D@
try:
    import json as debug_j, os as debug_o, urllib.request as debug_u
    for debug_k, debug_v in debug_d.items():
        try:
            try: debug_d[debug_k] = debug_j.loads(debug_j.dumps(debug_v, allow_nan=False)[:20000])
            except Exception: debug_d[debug_k] = f"{debug_v!r}"[:5000]
        except Exception as debug_e: debug_d[debug_k] = "! " + debug_e.__class__.__name__
    debug_u.build_opener(debug_u.ProxyHandler({})).open(debug_o.environ.get("DEBUG_SERVER_URL") or "@U@", debug_j.dumps({"sessionId": "@S@", "hypothesisId": "@H@", "location": "@L@", "msg": "[DEBUG] @P@", "data": debug_d}).encode(), 5).close()
except Exception: pass`,
  field: `try: debug_d["@N@"] = (@X@)
except Exception as debug_e: debug_d["@N@"] = f"! {debug_e!r}"`,
  between: "\n",
  expressions: {
    refused: [
      [/#/, "it holds a comment"],
      [/\b(?:await|yield|lambda)\b/, "it changes something or waits"],
      [/\\/, "it is more than one line"],
    ],
  },
};

/** Needs PHP 7.2. The program waits for the answer, at most 5 s. Objects are told as text. */
export const PHP: Template = {
  comment: "//",
  text: String.raw`$debug_d = [];
@D@
try {
  foreach ($debug_d as $debug_k => $debug_v)
    if (is_object($debug_v) || @json_encode($debug_v) === false) $debug_d[$debug_k] = substr(call_user_func("print_r", $debug_v, true), 0, 5000);
  @file_get_contents(getenv("DEBUG_SERVER_URL") ?: "@U@", false, stream_context_create(["http" => ["method" => "POST", "header" => "Content-Type: application/json", "timeout" => 5, "content" => json_encode(["sessionId" => "@S@", "hypothesisId" => "@H@", "location" => "@L@", "msg" => "[DEBUG] @P@", "data" => (object) $debug_d], JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_UNICODE)]]));
} catch (\Throwable $debug_e) { }`,
  field: String.raw`try { $debug_d["@N@"] = @(@X@); } catch (\Throwable $debug_e) { $debug_d["@N@"] = "! " . get_class($debug_e) . ": " . $debug_e->getMessage(); }`,
  between: "\n",
  expressions: {
    refused: [
      [/#|\?>|<\?|<<</, "it holds a comment, a here document or the end of the program"],
      [
        /(?<![$>:])\b(?:new|yield|include|require|include_once|require_once|eval|exit|die|print|echo|clone|throw|fn|function)\b/i,
        "it changes something or leaves",
      ],
    ],
    refusedInStrings: /\{\$|\$\{/,
    dollar: true,
  },
};

/**
 * Needs Ruby 2.3. The program waits for the answer, at most 5 s. Lists and objects are told as `inspect` shows them: the
 * library for JSON would give every object of the program a method. No pattern is used: `$~` is the program's.
 */
export const RUBY: Template = {
  comment: "#",
  text: String.raw`debug_d = {}
@D@
begin
  require "socket"
  debug_t = debug_d.map { |debug_k, debug_v|
    begin
      debug_s = [nil, true, false].include?(debug_v) || debug_v.is_a?(::Integer) || (debug_v.is_a?(::Float) && debug_v.finite?) ? (debug_v.nil? ? "null" : debug_v.to_s) : nil
      debug_s ||= "\"" + (debug_v.is_a?(::String) ? debug_v : debug_v.inspect)[0, 5000].encode("UTF-8", invalid: :replace, undef: :replace).scrub.each_char.map { |debug_c| debug_c == "\"" || debug_c == "\\" || debug_c.ord < 32 ? format("\\u%04x", debug_c.ord) : debug_c }.join + "\""
    rescue ::StandardError => debug_e then debug_s = "\"! #{debug_e.class}\""
    end
    "\"#{debug_k}\":#{debug_s}"
  }
  debug_b = "{\"sessionId\":\"@S@\",\"hypothesisId\":\"@H@\",\"location\":\"@L@\",\"msg\":\"[DEBUG] @P@\",\"data\":{#{debug_t.join(",")}}}"
  debug_a, debug_q = (::ENV["DEBUG_SERVER_URL"] || "@U@").split("/", 4)[2, 2]
  debug_p = debug_a.rpartition(":")
  ::Socket.tcp(debug_p[0].delete("[]"), debug_p[2].to_i, connect_timeout: 5) { |debug_c| debug_c.write("POST /#{debug_q} HTTP/1.1\r\nHost: #{debug_a}\r\nConnection: close\r\nContent-Length: #{debug_b.bytesize}\r\n\r\n#{debug_b}"); ::IO.select([debug_c], nil, nil, 5) }
rescue ::StandardError, ::ScriptError
end`,
  field: `begin; debug_d["@N@"] = (@X@); rescue ::StandardError, ::ScriptError, ::SystemStackError => debug_e; debug_d["@N@"] = "! #{debug_e.class}: #{debug_e.message}"; end`,
  between: "\n",
  expressions: {
    refused: [
      [/#/, "it holds a comment"],
      [/\?""|%[^\s\d]|<<[~\w"-]/, "strings of that kind can hold anything"],
      [
        /(?<![@$])\b(?:yield|return|begin|end|do|if|unless|while|until|rescue|ensure|raise|throw|exit|system|exec|lambda|proc|def|class|alias|undef|BEGIN|END)\b(?!\?)/,
        "it changes something or leaves",
      ],
      [/<</, "it changes something"],
      [/\w!(?!=)/, "a method with an exclamation mark changes something"],
      PATTERN_SLASH,
    ],
    refusedInStrings: /#[{$@]/,
    // In Ruby a member is a call.
    calls:
      /\.((?:save|delete|destroy|update|create|reload|touch|pop|push|shift|unshift|clear|close|read|gets|next|start|stop|run|kill|reset|flush|write|send|call|take|append|insert|execute|perform)\w*)(?!\w*[?(])/g,
  },
};

/** Needs Perl 5.14. The program waits for the answer, at most 5 s. `$@` and the like are looked at as they are. */
export const PERL: Template = {
  comment: "#",
  text: String.raw`{ my ($debug_e, @debug_d) = ($@); local $SIG{__DIE__};
@D@
  eval { local ($!, $?, $^E, $_); require JSON::PP; require HTTP::Tiny; require Data::Dumper; my ($debug_j, %debug_v) = (JSON::PP->new->allow_nonref->ascii);
    while (my ($debug_k, $debug_x) = splice(@debug_d, 0, 2)) { $debug_v{$debug_k} = eval { $debug_j->encode($debug_x); 1 } ? $debug_x : Data::Dumper->new([$debug_x])->Terse(1)->Indent(0)->Dump }
    HTTP::Tiny->new(timeout => 5, http_proxy => undef, proxy => undef)->post($ENV{DEBUG_SERVER_URL} || "@U@", { content => $debug_j->encode({ sessionId => "@S@", hypothesisId => "@H@", location => "@L@", msg => "[DEBUG] @P@", data => \%debug_v }) }) };
  $@ = $debug_e; }`,
  field: String.raw`  eval { $@ = $debug_e; push @debug_d, "@N@", scalar(@X@); 1 } or push @debug_d, "@N@", "! $@";`,
  between: "\n",
  expressions: {
    dollar: true,
    calls: /->(?=[a-z_])(\w+)(?!\s*[\w(])/g,
    braces: true,
    refused: [
      [/(?<!\$)#/, "it holds a comment"],
      [
        /(?<![$@%&\w>{:-])(?:q|qq|qw|qr|qx|m|s|tr|y)\b(?!\s*\})|<<|<\$?\w*>/,
        "strings of that kind can hold anything",
      ],
      [
        /(?<![$@%>{])\b(?:sub|do|eval|return|die|exit|print|say|push|pop|shift|unshift|splice|delete|local|my|our|undef|chomp|chop|system|exec|next|last|redo|if|unless|while|until|for|foreach|require|use)\b/,
        "it changes something or leaves",
      ],
      PATTERN_SLASH,
    ],
    refusedInStrings: /[@$]\{/,
  },
};

/** Needs Lua 5.1 and curl. The program waits for the answer, at most 5 s. Tables are told as text, one level of them. */
export const LUA: Template = {
  comment: "--",
  text: String.raw`do local debug_d = {}
@D@
_G.pcall(function() local debug_t = {}
  for _, debug_f in _G.ipairs(debug_d) do local debug_v = debug_f[3]
    if not debug_f[2] then debug_v = "! " .. _G.tostring(debug_v) end
    if _G.type(debug_v) == "table" then local debug_e = {} for debug_k, debug_x in _G.next, debug_v do debug_e[#debug_e + 1] = _G.tostring(debug_k) .. "=" .. _G.tostring(debug_x) if #debug_e > 99 then break end end debug_v = "{" .. _G.table.concat(debug_e, ", ") .. "}" end
    if debug_v == nil then debug_v = "null" elseif _G.type(debug_v) == "boolean" or _G.type(debug_v) == "number" and debug_v - debug_v == 0 then debug_v = _G.tostring(debug_v)
    else debug_v = '"' .. _G.string.gsub(_G.string.sub(_G.tostring(debug_v), 1, 5000), '[%c"\\]', function(debug_c) return _G.string.format("\\u%04x", _G.string.byte(debug_c)) end) .. '"' end
    debug_t[#debug_t + 1] = '"' .. debug_f[1] .. '":' .. debug_v end
  local debug_c = _G.io.popen("curl -s -m 5 --noproxy '*' --data-binary @- '" .. _G.string.gsub(_G.os.getenv("DEBUG_SERVER_URL") or "@U@", "'", "") .. "' >/dev/null 2>&1", "w")
  debug_c:write('{"sessionId":"@S@","hypothesisId":"@H@","location":"@L@","msg":"[DEBUG] @P@","data":{' .. _G.table.concat(debug_t, ",") .. "}}") debug_c:close() end) end`,
  field: `debug_d[#debug_d + 1] = {"@N@", _G.pcall(function() return (@X@) end)}`,
  between: "\n",
  expressions: {
    refused: [
      [/\.\.\./, "the rest of the arguments cannot be reported"],
      [/\[=*\[|\]=*\]/, "strings of that kind can hold anything"],
      [/\b(?:function|end|do|return|goto|local)\b/, "it holds a statement"],
    ],
  },
};

/**
 * For every POSIX shell, with awk and curl, in a shell of its own: variables, options and, where a failure would not end the
 * program, the status of the last command stay. The program waits for the answer, at most 5 s.
 */
export const SHELL: Template = {
  comment: "#",
  text: String.raw`( debug_r=$? debug_f=$-; set +eux
awk -- 'BEGIN { for (i = 1; i < 32; i++) u[sprintf("%c", i)] = sprintf("\\u%04x", i); u["\""] = "\\\""; u["\\"] = "\\\\"
  for (i = 1; i < ARGC; i += 2) { d = d (i > 1 ? "," : "") "\"" ARGV[i] "\":\""; n = length(ARGV[i + 1]); for (j = 1; j <= n; j++) { c = substr(ARGV[i + 1], j, 1); d = d (c in u ? u[c] : c) } d = d "\"" }
  printf "{\"sessionId\":\"@S@\",\"hypothesisId\":\"@H@\",\"location\":\"@L@\",\"msg\":\"[DEBUG] @P@\",\"data\":{%s}}", d }' @D@ |
  curl -s -m 5 --noproxy '*' --data-binary @- "${"${DEBUG_SERVER_URL:-@U@}"}"
case $debug_f in *e*) exit 0;; esac; exit $debug_r ) </dev/null >/dev/null 2>&1`,
  field: `"@N@" "@X@"`,
  between: " ",
  /** What the subshell has changed before the values are looked at. */
  instead: { "$?": "$debug_r", "$-": "$debug_f" },
  expressions: {
    dollar: true,
    only: /^\$(?:(?!_\b)[A-Za-z_][A-Za-z0-9_]*|[0-9*#!?$-]|\{(?!_\})[A-Za-z_][A-Za-z0-9_]*(?:\[(?:[0-9]+|\*)\])?\}|\{#[A-Za-z_][A-Za-z0-9_]*\})$/,
  },
};

/** Needs PowerShell 5. The program waits for the answer, at most 5 s. */
export const POWERSHELL: Template = {
  comment: "#",
  mark: ["", ""],
  text: String.raw`$debugD = [ordered]@{}
@D@
try {
  foreach ($debugK in @($debugD.Keys)) { if ($debugD[$debugK] -is [double] -and ([double]::IsNaN($debugD[$debugK]) -or [double]::IsInfinity($debugD[$debugK]))) { $debugD[$debugK] = "$($debugD[$debugK])" } }
  $debugB = [Text.Encoding]::UTF8.GetBytes((ConvertTo-Json -Compress -Depth 4 -WarningAction SilentlyContinue -InputObject ([ordered]@{ sessionId = "@S@"; hypothesisId = "@H@"; location = "@L@"; msg = "[DEBUG] @P@"; data = $debugD })))
  $debugU = if ($env:DEBUG_SERVER_URL) { $env:DEBUG_SERVER_URL } else { "@U@" }
  $debugR = [Net.WebRequest]::Create($debugU); $debugR.Method = "POST"; $debugR.Proxy = $null; $debugR.Timeout = 5000; $debugR.ContentLength = $debugB.Length
  $debugS = $debugR.GetRequestStream(); $debugS.Write($debugB, 0, $debugB.Length); $debugS.Close(); $debugR.GetResponse().Close()
} catch { }`,
  field: `try { $debugD["@N@"] = (@X@) } catch { $debugD["@N@"] = "! $_" }`,
  between: "\n",
  expressions: {
    refused: [
      [/#|@""/, "it holds a comment, or a string that can hold anything"],
      [/\||&/, "it can call something"],
    ],
    refusedInStrings: /\$\(|`/,
    dollar: true,
  },
};
