import type { Template } from "../template.ts";

const BODY = [
  String.raw`let v = d.mapValues { (x: Any?) -> Any in guard let y = x else { return NSNull() }; if y is Bool || y is Int || y is String { return y }; if let z = y as? Double { return z.isFinite ? z as Any : String(z) as Any }; return String(String(describing: y).prefix(5000)) };`,
  String.raw`let e = ProcessInfo.processInfo.environment; let i = e["DEBUG_SESSION_ID"] ?? s; var a = e["DEBUG_SERVER_URL"]; var w = URL(fileURLWithPath: FileManager.default.currentDirectoryPath); while a == nil { if let t = try? String(contentsOf: w.appendingPathComponent(".dbg/" + i + ".env"), encoding: .utf8) { for x in t.split(separator: "\n") where x.hasPrefix("DEBUG_SERVER_URL=") { a = String(x.dropFirst(17)) } }; if w.path == "/" { break }; w = w.deletingLastPathComponent() };`,
  String.raw`guard let z = URL(string: a ?? u), let b = try? JSONSerialization.data(withJSONObject: ["sessionId": i, "hypothesisId": h, "location": l, "msg": "[DEBUG] " + p, "data": v, "ts": Int(Date().timeIntervalSince1970 * 1000)] as [String: Any]) else { return };`,
  String.raw`var r = URLRequest(url: z, timeoutInterval: 1); r.httpMethod = "POST"; r.httpBody = b; let g = DispatchSemaphore(value: 0); URLSession.shared.dataTask(with: r) { _, _, _ in g.signal() }.resume(); _ = g.wait(timeout: .now() + 1)`,
].join(" ");

/** Needs Swift 5.3 on Apple's systems, with Foundation, which `head` imports. The program waits for the answer, at most 1 s. */
export const SWIFT: Template = {
  mark: (text) => `// ${text}`,
  line: `do { let debugF: (String, String, String, String, String, [String: Any?]) -> Void = { h, p, l, s, u, d in ${BODY} }; debugF("@H@", "@P@", "@L@", "@S@", "@U@", [@D@]) }`,
  field: '"@N@": (@X@) as Any?',
  between: ", ",
  head: "import Foundation",
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
