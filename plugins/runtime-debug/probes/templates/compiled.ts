import type { ExpressionRules } from "../expression.ts";
import type { Template } from "../template.ts";

/** Needs Go 1.16, and the imports of `head`. The program waits for the answer, at most 5 s. */
export const GO: Template = {
  comment: "//",
  head: 'import (debugJSON "encoding/json"; debugFmt "fmt"; debugHTTP "net/http"; debugOS "os"; debugStrings "strings"; debugTime "time")',
  text: `func() { debugD := map[string]interface{}{}
@D@
	defer func() { _ = recover() }()
	for debugK, debugV := range debugD {
		if debugB, debugE := debugJSON.Marshal(debugV); debugE != nil || string(debugB) == "{}" || len(debugB) > 20000 { debugD[debugK] = debugFmt.Sprintf("%.5000s", debugFmt.Sprintf("%+v", debugV)) }
	}
	debugU := debugOS.Getenv("DEBUG_SERVER_URL")
	if debugU == "" { debugU = "@U@" }
	debugB, _ := debugJSON.Marshal(map[string]interface{}{"sessionId": "@S@", "hypothesisId": "@H@", "location": "@L@", "msg": "[DEBUG] @P@", "data": debugD})
	debugC := debugHTTP.Client{Timeout: 5 * debugTime.Second, Transport: &debugHTTP.Transport{DisableKeepAlives: true}}
	if debugR, debugE := debugC.Post(debugU, "application/json", debugStrings.NewReader(string(debugB))); debugE == nil { _ = debugR.Body.Close() }
}()`,
  field:
    '	func() { defer func() { if debugR := recover(); debugR != nil { debugD["@N@"] = debugFmt.Sprint("! ", debugR) } }(); debugD["@N@"] = (@X@) }()',
  between: "\n",
  expressions: { refused: [[/<-/, "it takes a value out of a channel"]] },
};

/** Needs Rust 1.45 with its standard library; values need `Debug`. The program waits for the answer, at most 5 s a step. */
export const RUST: Template = {
  comment: "//",
  text: String.raw`{ let debug_d: Vec<(&str, String)> = vec![@D@];
let _ = (|| -> Option<()> {
    let debug_q = |debug_t: &str| { let mut debug_o = String::from('"'); for debug_c in debug_t.chars().take(5000) { if debug_c == '"' || debug_c == '\\' { debug_o.push('\\'); } if (debug_c as u32) < 32 { debug_o += &format!("\\u{:04x}", debug_c as u32); } else { debug_o.push(debug_c); } } debug_o.push('"'); debug_o };
    let debug_t: Vec<String> = debug_d.iter().map(|(debug_n, debug_v)| {
        let debug_x = debug_v.trim_start_matches('-');
        let debug_k = debug_v == "true" || debug_v == "false" || (debug_x.starts_with(|debug_c: char| debug_c.is_ascii_digit()) && debug_x.ends_with(|debug_c: char| debug_c.is_ascii_digit()) && debug_v.parse::<f64>().is_ok());
        let debug_s = debug_v.len() > 1 && debug_v.len() < 5000 && debug_v.starts_with('"') && debug_v.ends_with('"') && !["\\u{", "\\0", "\\'"].iter().any(|debug_e| debug_v.contains(debug_e));
        format!("\"{}\":{}", debug_n, if debug_k || debug_s { debug_v.clone() } else { debug_q(debug_v) }) }).collect();
    let debug_b = format!("{{\"sessionId\":\"@S@\",\"hypothesisId\":\"@H@\",\"location\":\"@L@\",\"msg\":\"[DEBUG] @P@\",\"data\":{{{}}}}}", debug_t.join(","));
    let debug_u = ::std::env::var("DEBUG_SERVER_URL").unwrap_or_else(|_| "@U@".to_string());
    let debug_r = debug_u.splitn(2, "//").nth(1)?; let (debug_h, debug_p) = debug_r.split_at(debug_r.find('/')?);
    let debug_l = ::std::time::Duration::from_millis(5000); let debug_a = ::std::net::ToSocketAddrs::to_socket_addrs(debug_h).ok()?.next()?;
    let mut debug_c = ::std::net::TcpStream::connect_timeout(&debug_a, debug_l).ok()?; debug_c.set_write_timeout(Some(debug_l)).ok()?; debug_c.set_read_timeout(Some(debug_l)).ok()?;
    ::std::io::Write::write_all(&mut debug_c, format!("POST {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{}", debug_p, debug_h, debug_b.len(), debug_b).as_bytes()).ok()?;
    ::std::io::Read::read(&mut debug_c, &mut [0u8; 512]).ok()?; Some(()) })(); }`,
  field: '("@N@", format!("{:?}", (@X@)))',
  between: ", ",
  expressions: {
    refused: [
      [/#|\b(?:r|br|cr)""/, "strings of that kind can hold anything"],
      [/\b(?:await|return|unsafe|move)\b|[?|]/, "it changes something, waits or leaves"],
      [/'/, "it holds a lifetime"],
    ],
    quotes: '"',
  },
};

const OF_C: ExpressionRules = {
  refused: [
    [/[RLuU8]""/, "strings with a prefix can hold anything"],
    [/#/, "it holds a directive"],
    [/\b(?:new|delete|throw|co_await|co_yield)\b/, "it changes something"],
  ],
};
const FORMATS = String.raw`_Bool: "%d", char: "%d", signed char: "%d", unsigned char: "%d", short: "%d", unsigned short: "%d", int: "%d", unsigned: "%u", long: "%ld", unsigned long: "%lu", long long: "%lld", unsigned long long: "%llu", float: "%.9g", double: "%.17g", long double: "%.17Lg", char *: "\"%s", const char *: "\"%s", default: "\"%p"`;

/**
 * Needs C11 as gcc and clang know it, and when it runs a shell and curl, which takes at most 5 s. A quotation mark in front
 * of a value says that the rest is text. The text behind a wrong pointer cannot be had in C without breaking the program.
 */
export const C: Template = {
  comment: "//",
  text: String.raw`{ extern int system(const char *); const char *debug_k_[12]; char debug_t_[12][400], debug_c_[32000]; int debug_m_ = 0;
@D@
int debug_n_ = __builtin_snprintf(debug_c_, sizeof debug_c_, "curl -s -m 5 --noproxy \\* --data-binary @- \"${"${DEBUG_SERVER_URL:-@U@}"}\" >/dev/null 2>&1 <<'debug_point_'\n{\"sessionId\":\"@S@\",\"hypothesisId\":\"@H@\",\"location\":\"@L@\",\"msg\":\"[DEBUG] @P@\",\"data\":{");
for (int debug_i_ = 0; debug_i_ < debug_m_; debug_i_++) {
  const char *debug_p_ = debug_t_[debug_i_]; int debug_q_ = !(debug_p_[*debug_p_ == '-'] >= '0' && debug_p_[*debug_p_ == '-'] <= '9');
  debug_n_ += __builtin_snprintf(debug_c_ + debug_n_, 80, "%s\"%s\":%s", debug_i_ ? "," : "", debug_k_[debug_i_], debug_q_ ? "\"" : "");
  for (debug_p_ += *debug_p_ == '"'; *debug_p_; debug_p_++) {
    if ((unsigned char)*debug_p_ < 32) { debug_n_ += __builtin_snprintf(debug_c_ + debug_n_, 7, "\\u%04x", *debug_p_); continue; }
    if (*debug_p_ == '"' || *debug_p_ == '\\') debug_c_[debug_n_++] = '\\';
    debug_c_[debug_n_++] = *debug_p_;
  }
  if (debug_q_) debug_c_[debug_n_++] = '"';
}
__builtin_snprintf(debug_c_ + debug_n_, 20, "}}\ndebug_point_\n");
if (system(debug_c_)) { } }`,
  field: `debug_k_[debug_m_] = "@N@"; __builtin_snprintf(debug_t_[debug_m_++], 400, _Generic((@X@), ${FORMATS}), (@X@));`,
  between: "\n",
  expressions: OF_C,
};

/** Needs C++11, the headers of `head`, and when it runs a shell and curl. What `<<` prints is told. */
export const CPP: Template = {
  comment: "//",
  head: `#include <cstdlib>
#include <sstream>
#include <string>
#include <type_traits>`,
  text: String.raw`{ std::string debug_d;
@D@
std::string debug_c("curl -s -m 5 --noproxy '*' --data-binary @- \"${"${DEBUG_SERVER_URL:-@U@}"}\" >/dev/null 2>&1 <<'debug_point_'\n{\"sessionId\":\"@S@\",\"hypothesisId\":\"@H@\",\"location\":\"@L@\",\"msg\":\"[DEBUG] @P@\",\"data\":{");
for (char debug_x : debug_d) { if (static_cast<unsigned char>(debug_x) > 31) debug_c += debug_x; else { debug_c += "\\u00"; debug_c += "01"[debug_x / 16]; debug_c += "0123456789abcdef"[debug_x % 16]; } }
if (std::system((debug_c + "}}\ndebug_point_\n").c_str())) { } }`,
  field: String.raw`{ debug_d += debug_d.empty() ? "\"@N@\":" : ",\"@N@\":"; std::ostringstream debug_o; debug_o.precision(17); bool debug_n = false;
  try { const auto &debug_v = (@X@); typedef typename std::decay<decltype(debug_v)>::type debug_t; debug_o << std::boolalpha << debug_v; debug_n = std::is_same<debug_t, bool>::value || (std::is_arithmetic<debug_t>::value && sizeof(debug_t) > 1); } catch (...) { debug_o << "! exception"; }
  std::string debug_s = debug_o.str(), debug_q; if (debug_n && debug_s.find_first_of("ni") == std::string::npos) { debug_d += debug_s; } else { for (char debug_x : debug_s) { if (debug_x == '"' || debug_x == '\\') debug_q += '\\'; debug_q += debug_x; } debug_d += '"' + debug_q + '"'; } }`,
  between: "\n",
  expressions: OF_C,
};

/** Needs Swift 5.3 on Apple's systems, with Foundation, which `head` imports. The program waits for the answer, at most 5 s. */
export const SWIFT: Template = {
  comment: "//",
  head: "import Foundation",
  text: String.raw`do { let debugD: [String: Any?] = [@D@]
  let debugV = debugD.mapValues { (debugX: Any?) -> Any in guard let debugY = debugX else { return NSNull() }; if debugY is Bool || debugY is Int || debugY is String { return debugY }; if let debugZ = debugY as? Double { return debugZ.isFinite ? debugZ as Any : String(debugZ) as Any }; return String(String(describing: debugY).prefix(5000)) }
  if let debugU = URL(string: ProcessInfo.processInfo.environment["DEBUG_SERVER_URL"] ?? "@U@"), let debugB = try? JSONSerialization.data(withJSONObject: ["sessionId": "@S@", "hypothesisId": "@H@", "location": "@L@", "msg": "[DEBUG] @P@", "data": debugV] as [String: Any]) {
    var debugR = URLRequest(url: debugU, timeoutInterval: 5); debugR.httpMethod = "POST"; debugR.httpBody = debugB
    let debugG = DispatchSemaphore(value: 0); URLSession.shared.dataTask(with: debugR) { _, _, _ in debugG.signal() }.resume(); _ = debugG.wait(timeout: .now() + 5)
  } }`,
  field: '"@N@": (@X@) as Any?',
  between: ", ",
  empty: ":",
  expressions: {
    refused: [
      [/#/, "strings of that kind can hold anything"],
      [
        /\b(?:await|try|throw|return|inout)\b|(?<![&])&(?!&)|\w!(?!=)/,
        "it changes something, waits or can end the program",
      ],
    ],
    quotes: '"',
    refusedInStrings: /\\\(/,
  },
};
