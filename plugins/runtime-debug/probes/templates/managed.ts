import type { Template } from "../template.ts";

/** Needs Java 7. The program waits for the answer, at most 5 s. */
export const JAVA: Template = {
  comment: "//",
  text: String.raw`{ java.util.Map<String, Object> debugD = new java.util.LinkedHashMap<String, Object>();
@D@
try {
  StringBuilder debugB = new StringBuilder("{\"sessionId\":\"@S@\",\"hypothesisId\":\"@H@\",\"location\":\"@L@\",\"msg\":\"[DEBUG] @P@\",\"data\":{");
  for (java.util.Map.Entry<String, Object> debugE : debugD.entrySet()) {
    String debugT; Object debugV = debugE.getValue();
    try { debugT = java.util.Arrays.deepToString(new Object[] { debugV }); } catch (Throwable debugX) { debugT = "[! " + debugX.getClass().getName() + "]"; }
    debugT = debugT.substring(1, debugT.length() - 1);
    debugB.append(debugB.charAt(debugB.length() - 1) == '{' ? "\"" : ",\"").append(debugE.getKey()).append("\":");
    if (debugV == null || debugV instanceof Boolean || debugV instanceof Number && debugT.matches("-?[0-9.]+(E-?[0-9]+)?")) { debugB.append(debugT); continue; }
    debugB.append('"');
    for (char debugC : (debugT.length() > 5000 ? debugT.substring(0, 5000) : debugT).toCharArray()) debugB.append(debugC < 32 || debugC > 126 || debugC == '"' || debugC == '\\' ? String.format("\\u%04x", (int) debugC) : String.valueOf(debugC));
    debugB.append('"');
  }
  String debugU = System.getenv("DEBUG_SERVER_URL");
  java.net.HttpURLConnection debugC = (java.net.HttpURLConnection) java.net.URI.create(debugU == null ? "@U@" : debugU).toURL().openConnection(java.net.Proxy.NO_PROXY);
  debugC.setConnectTimeout(5000); debugC.setReadTimeout(5000); debugC.setDoOutput(true); debugC.getOutputStream().write(debugB.append("}}").toString().getBytes("UTF-8")); debugC.getResponseCode(); debugC.disconnect();
} catch (Throwable debugX) { } }`,
  field: 'try { debugD.put("@N@", (@X@)); } catch (Throwable debugX) { debugD.put("@N@", "! " + debugX); }',
  between: "\n",
  expressions: { refused: [[/\bnew\b/, "it makes something"]] },
};

/** Needs Kotlin 1.5 on the Java machine. The program waits for the answer, at most 5 s. */
export const KOTLIN: Template = {
  comment: "//",
  text: String.raw`run { val debugD = LinkedHashMap<String, Any?>()
@D@
try {
  val debugB = debugD.entries.joinToString(",") { debugE ->
    val debugV = debugE.value
    val debugT = try { (if (debugV is Array<*>) debugV.contentDeepToString() else debugV.toString()).take(5000) } catch (debugX: Throwable) { "! " + debugX.javaClass.name }
    val debugN = debugV == null || debugV is Boolean || debugV is Number && debugT.matches(Regex("-?[0-9.]+(E-?[0-9]+)?"))
    "\"" + debugE.key + "\":" + if (debugN) debugT else debugT.map { if (it.code < 32 || it.code > 126 || it == '"' || it == '\\') String.format("\\u%04x", it.code) else it.toString() }.joinToString("", "\"", "\"") }
  val debugC = java.net.URL(System.getenv("DEBUG_SERVER_URL") ?: "@U@").openConnection(java.net.Proxy.NO_PROXY) as java.net.HttpURLConnection
  debugC.connectTimeout = 5000; debugC.readTimeout = 5000; debugC.doOutput = true
  debugC.outputStream.write("{\"sessionId\":\"@S@\",\"hypothesisId\":\"@H@\",\"location\":\"@L@\",\"msg\":\"[DEBUG] @P@\",\"data\":{$debugB}}".toByteArray()); debugC.responseCode; debugC.disconnect()
} catch (debugX: Throwable) { } }`,
  field: 'try { debugD["@N@"] = (@X@) } catch (debugX: Throwable) { debugD["@N@"] = "! " + debugX }',
  between: "\n",
  expressions: {
    refused: [[/\b(?:return|throw|break|continue|object|fun)\b|!!/, "it changes something or leaves"]],
    refusedInStrings: /\$/,
  },
};

/** Needs C# 6. The program waits for the answer, at most 5 s. */
export const CSHARP: Template = {
  comment: "//",
  mark: ["", ""],
  text: String.raw`{ var debugD = new System.Collections.Generic.Dictionary<string, object>();
@D@
try {
  var debugB = new System.Text.StringBuilder("{\"sessionId\":\"@S@\",\"hypothesisId\":\"@H@\",\"location\":\"@L@\",\"msg\":\"[DEBUG] @P@\",\"data\":{");
  foreach (var debugP in debugD) {
    var debugV = debugP.Value; var debugF = debugV as System.IFormattable;
    var debugT = debugV == null ? "null" : debugV is bool ? ((bool)debugV ? "true" : "false") : (debugF != null ? debugF.ToString(null, System.Globalization.CultureInfo.InvariantCulture) : debugV.ToString()) ?? "";
    debugB.Append(debugB[debugB.Length - 1] == '{' ? "\"" : ",\"").Append(debugP.Key).Append("\":");
    if (debugV == null || debugV is bool || debugV is sbyte || debugV is byte || debugV is short || debugV is ushort || debugV is int || debugV is uint || debugV is long || debugV is ulong || debugV is decimal) { debugB.Append(debugT); continue; }
    debugB.Append('"');
    foreach (var debugC in debugT.Length > 5000 ? debugT.Substring(0, 5000) : debugT) { if (debugC < 32 || debugC > 126 || debugC == '"' || debugC == '\\') debugB.Append("\\u").Append(((int)debugC).ToString("x4")); else debugB.Append(debugC); }
    debugB.Append('"');
  }
  var debugU = System.Environment.GetEnvironmentVariable("DEBUG_SERVER_URL") ?? "@U@"; var debugY = debugB.Append("}}").ToString();
  System.Threading.Tasks.Task.Run(async () => { try { using (var debugH = new System.Net.Http.HttpClient(new System.Net.Http.HttpClientHandler { UseProxy = false }) { Timeout = System.TimeSpan.FromSeconds(5) }) await debugH.PostAsync(debugU, new System.Net.Http.StringContent(debugY)); } catch { } }).Wait(5000);
} catch { } }`,
  field:
    'try { debugD["@N@"] = (@X@); } catch (System.Exception debugE) { debugD["@N@"] = "! " + debugE.GetType().Name + ": " + debugE.Message; }',
  between: "\n",
  expressions: {
    refused: [
      [/[@$]""/, "strings of that kind can hold anything"],
      [/#/, "it holds a directive"],
      [/\b(?:await|throw|new|out|ref)\b/, "it changes something or waits"],
    ],
  },
};

const DART_EVENT = String.raw`(Map<String, Object? Function()> d) {
  final v = <String, Object?>{};
  d.forEach((k, f) { try { final x = f(); v[k] = x is num && !x.isFinite ? '$x' : debugconvert.jsonDecode(debugconvert.jsonEncode(x, toEncodable: (y) => '$y')); } catch (e) { v[k] = '! $e'; } });
  final b = debugconvert.jsonEncode({'sessionId': '@S@', 'hypothesisId': '@H@', 'location': '@L@', 'msg': '[DEBUG] @P@', 'data': v, 'ts': DateTime.now().millisecondsSinceEpoch});
  final u = debugio.Platform.environment['DEBUG_SERVER_URL'] ?? '@U@';`;

/** Needs Dart 2.12 outside of pages, and the imports of `head`; `--sync` needs curl. It reports in the background. */
export const DART: Template = {
  comment: "//",
  head: "import 'dart:convert' as debugconvert; import 'dart:io' as debugio;",
  text: `${DART_EVENT}
  () async {
    final c = debugio.HttpClient()..connectionTimeout = const Duration(milliseconds: 500)..findProxy = null;
    try { final r = await c.postUrl(Uri.parse(u)); r.add(debugconvert.utf8.encode(b)); await (await r.close()).drain<void>().timeout(const Duration(seconds: 5)); } catch (_) { } finally { c.close(force: true); }
  }();
}({@D@});`,
  sync: `${DART_EVENT}
  try { debugio.Process.runSync('curl', ['-s', '-m', '5', '--noproxy', '*', '--data-binary', b, u]); } catch (_) { }
}({@D@});`,
  field: "'@N@': () => (@X@)",
  between: ", ",
  expressions: {
    refused: [
      [/\br""/, "strings of that kind can hold anything"],
      [/\b(?:await|throw|new|yield)\b/, "it changes something or waits"],
    ],
    refusedInStrings: /\$/,
  },
};
