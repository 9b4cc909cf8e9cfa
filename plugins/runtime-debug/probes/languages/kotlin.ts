import type { Template } from "../template.ts";

const SENDER = [
  String.raw`(object { fun j(v: Any?): String { if (v == null || v is Boolean || v is Int || v is Long || v is Short || v is Byte) return v.toString(); if (v is Double && v.isFinite() || v is Float && v.isFinite()) return v.toString(); val t = try { (if (v is Array<*>) v.contentDeepToString() else v.toString()).take(5000) } catch (e: Throwable) { "! " + e.javaClass.name }; val b = StringBuilder("\""); for (c in t) { if (c.code < 32 || c.code > 126 || c == '"' || c == '\\') b.append(String.format("\\u%04x", c.code)) else b.append(c) }; return b.append('"').toString() };`,
  String.raw`fun report(h: String, p: String, l: String, session: String, url: String, d: Map<String, Any?>) { try { val s = System.getenv("DEBUG_SESSION_ID") ?: session; var a = System.getenv("DEBUG_SERVER_URL"); var f: java.io.File? = java.io.File("").absoluteFile; while (a == null && f != null) { val e = java.io.File(f, ".dbg/" + s + ".env"); if (e.isFile) a = e.readLines().firstOrNull { it.startsWith("DEBUG_SERVER_URL=") }?.substring(17)?.trim(); f = f.parentFile };`,
  String.raw`val y = ("{\"sessionId\":" + j(s) + ",\"hypothesisId\":" + j(h) + ",\"location\":" + j(l) + ",\"msg\":" + j("[DEBUG] " + p) + ",\"data\":{" + d.entries.joinToString(",") { j(it.key) + ":" + j(it.value) } + "},\"ts\":" + System.currentTimeMillis() + "}").toByteArray(); val t = Thread { try { val c = java.net.URL(a ?: url).openConnection(java.net.Proxy.NO_PROXY) as java.net.HttpURLConnection; c.connectTimeout = 500; c.readTimeout = 500; c.doOutput = true; c.outputStream.write(y); c.responseCode; c.disconnect() } catch (e: Throwable) { } }; t.start(); t.join(1000) } catch (e: InterruptedException) { Thread.currentThread().interrupt() } catch (e: Throwable) { } }; })`,
].join(" ");

/** Needs Kotlin 1.5 on the Java machine. The program waits for the answer, at most 1 s. */
export const KOTLIN: Template = {
  mark: (text) => `// ${text}`,
  line: `run { val debugD = LinkedHashMap<String, Any?>(); @D@${SENDER}.report("@H@", "@P@", "@L@", "@S@", "@U@", debugD) }`,
  field: 'try { debugD["@N@"] = (@X@) } catch (debugE: Throwable) { debugD["@N@"] = "! " + debugE }; ',
  between: "",
  expressions: {
    refused: [[/\b(?:return|throw|break|continue|object|fun)\b|!!/, "it changes something or leaves"]],
    refusedInStrings: /\$/,
  },
};
