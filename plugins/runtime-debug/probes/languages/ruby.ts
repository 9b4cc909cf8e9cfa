import type { Template } from "../template.ts";
import { PATTERN_SLASH } from "./slashes.ts";

const BODY = [
  String.raw`begin; require "socket"; j = lambda { |v, n; t| case v when nil then "null" when true, false, Integer then v.to_s when Float then v.finite? ? v.to_s : "\"#{v}\"" when Array then n > 4 ? "\"[...]\"" : "[" + v.first(200).map { |e| j.call(e, n + 1) }.join(",") + "]" when Hash then n > 4 ? "\"{...}\"" : "{" + v.first(200).map { |k, e| j.call(k.to_s, 9) + ":" + j.call(e, n + 1) }.join(",") + "}" else t = (v.is_a?(String) || v.is_a?(Symbol) ? v.to_s : v.inspect)[0, 5000].encode("UTF-8", invalid: :replace, undef: :replace).scrub; "\"" + t.gsub(/["\\\x00-\x1f]/) { |c| format("\\u%04x", c.ord) } + "\"" end };`,
  String.raw`v = d.map { |k, f| j.call(k, 0) + ":" + (begin; j.call(f.call, 0); rescue Exception; j.call("! #{$!.class}: #{$!.message}", 0); end) };`,
  String.raw`s = ENV["DEBUG_SESSION_ID"] || s; a = ENV["DEBUG_SERVER_URL"]; w = Dir.pwd; until a || w.nil? do e = File.join(w, ".dbg", s + ".env"); a = File.read(e)[/^DEBUG_SERVER_URL=(\S+)/, 1] if File.file?(e); w = File.dirname(w) == w ? nil : File.dirname(w); end;`,
  String.raw`b = "{\"sessionId\":#{j.call(s, 0)},\"hypothesisId\":#{j.call(h, 0)},\"location\":#{j.call(l, 0)},\"msg\":#{j.call("[DEBUG] " + p, 0)},\"data\":{#{v.join(",")}},\"ts\":#{(Time.now.to_f * 1000).to_i}}";`,
  String.raw`m = (a || u).match(%r{\Ahttp:/{2}([^/]+?)(?::(\d+))?(/.*)\z}); t = Thread.new { begin; Socket.tcp(m[1], (m[2] || 80).to_i, connect_timeout: 0.5) { |c| c.write("POST #{m[3]} HTTP/1.1\r\nHost: #{m[1]}:#{m[2] || 80}\r\nConnection: close\r\nContent-Length: #{b.bytesize}\r\n\r\n#{b}"); IO.select([c], nil, nil, 0.5) }; rescue Exception; end }; t.join(1); rescue StandardError, ScriptError, SystemStackError; end`,
].join(" ");

/** Needs Ruby 2.3. The program waits for the answer, at most 1 s. */
export const RUBY: Template = {
  mark: (text) => `# ${text}`,
  line: `lambda { |h, p, l, s, u, d; j, v, a, w, e, b, m, t| ${BODY} }.call("@H@", "@P@", "@L@", "@S@", "@U@", {@D@})`,
  field: '"@N@" => lambda { (@X@) }',
  between: ", ",
  expressions: {
    refused: [
      [/#/, "it holds a comment"],
      [/\?""|%[^\s\d]|<<[~\w"-]/, "strings of that kind can hold anything"],
      [
        /\b(?:yield|return|begin|end|do|if|unless|while|until|rescue|ensure|raise|throw|exit|system|exec|lambda|proc|def|class|alias|undef|BEGIN|END)\b(?!\?)/,
        "it changes something or leaves",
      ],
      [/<</, "it changes something"],
      [/\w!(?!=)/, "a method with an exclamation mark changes something"],
      PATTERN_SLASH,
    ],
    refusedInStrings: /#[{$@]/,
  },
};
