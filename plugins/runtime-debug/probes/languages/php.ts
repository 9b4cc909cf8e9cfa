import type { Template } from "../template.ts";

const BODY =
  'try { $v = []; foreach ($d as $k => $f) { try { $x = @$f(); } catch (\\Throwable $e) { $x = "! " . get_class($e) . ": " . $e->getMessage(); } $j = json_encode($x, 4194304 | 2097152 | 512 | 64 | 256, 32); if ($j === false || strlen($j) > 20000) $j = json_encode(substr(is_string($x) ? $x : (string) $j, 0, 5000) . "...", 2097152 | 512); $v[] = json_encode($k) . ":" . $j; } $s = getenv("DEBUG_SESSION_ID") ?: $s; $a = getenv("DEBUG_SERVER_URL") ?: null; for ($w = getcwd(); $a === null && is_string($w); $w = dirname($w) === $w ? null : dirname($w)) if (@is_file("$w/.dbg/$s.env") && preg_match("/^DEBUG_SERVER_URL=(\\\\S+)/m", (string) @file_get_contents("$w/.dbg/$s.env"), $m)) $a = $m[1]; $u = parse_url($a ?? $u); $b = substr(json_encode(["sessionId" => $s, "hypothesisId" => $h, "location" => $l, "msg" => "[DEBUG] $p", "ts" => (int) (microtime(true) * 1000)]), 0, -1) . ",\\"data\\":{" . implode(",", $v) . "}}"; $c = @stream_socket_client($u["host"] . ":" . ($u["port"] ?? 80), $n, $m, 0.5); if ($c) { stream_set_timeout($c, 0, 500000); @fwrite($c, "POST " . ($u["path"] ?? "/") . (isset($u["query"]) ? "?" . $u["query"] : "") . " HTTP/1.1\\r\\nHost: " . $u["host"] . ":" . ($u["port"] ?? 80) . "\\r\\nConnection: close\\r\\nContent-Length: " . strlen($b) . "\\r\\n\\r\\n$b"); @fread($c, 512); fclose($c); } } catch (\\Throwable $e) { }';

/** Needs PHP 7.4. The program waits for the answer, at most 1 s. */
export const PHP: Template = {
  mark: (text) => `// ${text}`,
  line: `(static function ($h, $p, $l, $s, $u, $d) { ${BODY} })("@H@", "@P@", "@L@", "@S@", "@U@", [@D@]);`,
  field: '"@N@" => fn() => (@X@)',
  between: ", ",
  expressions: {
    refused: [
      [/#|\?>|<\?|<<</, "it holds a comment, a here document or the end of the program"],
      [
        /\b(?:new|yield|include|require|include_once|require_once|eval|exit|die|print|echo|clone|throw|fn|function)\b/i,
        "it changes something or leaves",
      ],
    ],
    refusedInStrings: /\{\$|\$\{/,
  },
};
