import type { Template } from "../template.ts";

const BODY = [
  String.raw`try { final v = <String, Object?>{}; d.forEach((k, f) { try { final x = f(); v[k] = x is num && !x.isFinite ? '$x' : debugconvert.jsonDecode(debugconvert.jsonEncode(x, toEncodable: (y) => '$y')); } catch (e) { v[k] = '! $e'; } });`,
  String.raw`final i = debugio.Platform.environment['DEBUG_SESSION_ID'] ?? s; var a = debugio.Platform.environment['DEBUG_SERVER_URL']; var w = debugio.Directory.current.absolute; while (a == null) { final f = debugio.File('${"${w.path}"}/.dbg/$i.env'); if (f.existsSync()) { for (final t in f.readAsLinesSync()) { if (t.startsWith('DEBUG_SERVER_URL=')) { a = t.substring(17).trim(); } } } if (w.parent.path == w.path) { break; } w = w.parent; }`,
  String.raw`final b = debugconvert.jsonEncode({'sessionId': i, 'hypothesisId': h, 'location': l, 'msg': '[DEBUG] $p', 'data': v, 'ts': DateTime.now().millisecondsSinceEpoch});`,
  String.raw`() async { final c = debugio.HttpClient()..connectionTimeout = const Duration(milliseconds: 500)..findProxy = null; try { final r = await c.postUrl(Uri.parse(a ?? u)); r.add(debugconvert.utf8.encode(b)); await (await r.close()).drain<void>().timeout(const Duration(seconds: 1)); } catch (_) { } finally { c.close(force: true); } }(); } catch (_) { }`,
].join(" ");

/** Needs Dart 2.12 outside of pages, and at the top of the file the imports of `head`. */
export const DART: Template = {
  mark: (text) => `// ${text}`,
  line: `(String h, String p, String l, String s, String u, Map<String, Object? Function()> d) { ${BODY} }('@H@', '@P@', '@L@', '@S@', '@U@', {@D@});`,
  field: "'@N@': () => (@X@)",
  between: ", ",
  head: "import 'dart:convert' as debugconvert; import 'dart:io' as debugio;",
  expressions: {
    refused: [
      [/\br""/, "strings of that kind can hold anything"],
      [/\b(?:await|throw|new|yield)\b/, "it changes something or waits"],
    ],
    refusedInStrings: /\$/,
  },
};
