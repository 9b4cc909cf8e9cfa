import { describe } from "node:test";
import { type Case, judgeAll, region } from "./fixture-judged.ts";

const EVENT = "http://127.0.0.1:7777/event";
const URLOPEN = `urllib.request.urlopen(urllib.request.Request("${EVENT}", data=json.dumps({"a": x, "n": len(y), "s": f"{x!r}", "t": [z.id for z in y]}).encode(), headers={"Content-Type": "application/json"}), timeout=0.5).read()`;

function python(body: string, ...codes: readonly string[]): Case {
  const indented = body.replaceAll(/^/gm, "    ");
  return {
    name: body,
    text: `def f(x, y):\n    before = 1\n    # #region debug-point A\n${indented}\n    # #endregion\n    return before\n`,
    codes,
  };
}

describe("regions in Python", () => {
  judgeAll("src/a.py", [
    python(`try:\n    import json, urllib.request\n    ${URLOPEN}\nexcept Exception:\n    pass`),
    python(
      `import json as _j, urllib.request as _u; _u.urlopen("${EVENT}", _j.dumps({"a": x}).encode(), timeout=1)`,
    ),
    python(`requests.post("${EVENT}", json={"a": x}, timeout=0.5)`),
    python(`threading.Thread(target=lambda: requests.post("${EVENT}", json={"a": x}), daemon=True).start()`),
    python(`requests.post(os.environ.get("DEBUG_SERVER_URL", "${EVENT}"), json={"a": x})`),
    python(
      `__import__("urllib.request").request.urlopen("${EVENT}", __import__("json").dumps({"a": x}).encode())`,
    ),
    python(`_url = "${EVENT}"\nrequests.post(_url, json={"a": x if x else None})`),
    python("# nothing yet"),
    python("x += 1", "not-a-probe"),
    python("before = 2", "impure-expression"),
    python("print(x)", "native-log"),
    python("logger.debug('x %s', x)", "native-log"),
    python("logging.info(x)", "native-log"),
    python(`print(x); requests.post("${EVENT}", json={})`, "native-log"),
    python(`requests.post("${EVENT}", json={"a": y.pop()})`, "impure-expression"),
    python(`requests.post("${EVENT}", json={"a": (n := 1)})`, "impure-expression"),
    python(`requests.post("${EVENT}", json={"a": [y.append(1) for z in y]})`, "impure-expression"),
    python(`requests.post("https://example.com/event", json={"a": x})`, "foreign-address"),
    python(`requests.post(x.url, json={"a": x})`, "foreign-address"),
    python(`requests.post(f"http://127.0.0.1:{x}@example.com/event", json={"a": x})`, "foreign-address"),
    python(`await client.post("${EVENT}")`, "not-a-probe"),
    python(`await requests.post("${EVENT}")`, "await-in-probe"),
    python("def report(a):\n    pass", "declares-name"),
    python(`import evil\nrequests.post("${EVENT}", json={})`, "impure-expression"),
    python(`for z in y:\n    requests.post("${EVENT}", json={})`, "impure-expression"),
    python("return x", "not-a-probe"),
    python("if x:\n    return 1", "not-a-probe"),
    python(`open("/tmp/x", "w"); requests.post("${EVENT}", json={})`, "not-a-probe"),
    {
      name: "an import that hides the one of the file",
      text: `import json\n\ndef f(x):\n    y = json.loads(x)\n    # #region debug-point A\n    import json, urllib.request\n    ${URLOPEN}\n    # #endregion\n    return y\n`,
      codes: ["shadows-name"],
    },
    {
      name: "an import in a function that others do with the one of the file",
      text: `import json\n\ndef f(x, y):\n    y = 1\n    # #region debug-point A\n    import json, urllib.request\n    ${URLOPEN}\n    # #endregion\n    return y\n\ndef g(x):\n    return json.loads(x)\n`,
    },
    {
      name: "a module that the file uses and the region imports",
      text: `# #region debug-point A\nimport json, urllib.request\n${URLOPEN.replaceAll(/\bx\b|\by\b/g, "[]").replaceAll("z.id for z in []", "1")}\n# #endregion\nprint(json.dumps(1))\n`,
      codes: ["declares-name"],
    },
    {
      name: "the only statement of a function",
      text: `def f(x):\n    # #region debug-point A\n    requests.post("${EVENT}", json={"a": x})\n    # #endregion\n\ndef g():\n    pass\n`,
      codes: ["needed-statement"],
    },
    {
      name: "two regions that are all of a function",
      text: `def f(x):\n${`    # #region debug-point A\n    requests.post("${EVENT}", json={"a": x})\n    # #endregion\n`.repeat(2)}`,
      codes: ["needed-statement", "needed-statement"],
    },
    {
      name: "in front of a docstring",
      text: `def f(x):\n    # #region debug-point A\n    requests.post("${EVENT}", json={"a": x})\n    # #endregion\n    "What f does."\n    return 1\n`,
      codes: ["misplaced"],
    },
    {
      name: "in front of __future__",
      text: `# #region debug-point A\nrequests.post("${EVENT}", json={})\n# #endregion\nfrom __future__ import annotations\n`,
      codes: ["misplaced"],
    },
    {
      name: "at the end of a function",
      text: `def f(x):\n    y = 1\n    # #region debug-point A\n    requests.post("${EVENT}", json={"a": x})\n    # #endregion\n\nz = 2\n`,
    },
    {
      name: "in a docstring",
      text: `def f(x):\n    """\n    # #region debug-point A\n    requests.post("${EVENT}", json={"a": x})\n    # #endregion\n    """\n    return 1\n`,
      codes: ["marker-in-text"],
    },
    {
      name: "if and else",
      text: `if x:\n    a()\n# #region debug-point A\nelse:\n    requests.post("${EVENT}", json={"a": x})\n# #endregion\n`,
      codes: ["misplaced"],
    },
  ]);
});

function go(body: string, ...codes: readonly string[]): Case {
  return {
    name: body,
    text: `package p\n\nfunc f(x int) int {\n\ta := x\n${region(body)}\n\treturn a\n}\n`,
    codes,
  };
}

describe("regions in Go", () => {
  judgeAll("a.go", [
    go(
      `go func() { b, _ := json.Marshal(map[string]any{"x": x, "n": len(s)}); http.Post("${EVENT}", "application/json", bytes.NewReader(b)) }()`,
    ),
    go(`go http.Post("${EVENT}", "application/json", strings.NewReader(fmt.Sprintf("{\\"x\\":%d}", x)))`),
    go(
      `go func() { if r, err := http.Post("${EVENT}", "application/json", nil); err == nil { r.Body.Close() } }()`,
    ),
    go("a = 2", "not-a-probe"),
    go("x++", "not-a-probe"),
    go("fmt.Println(x)", "native-log"),
    go('log.Printf("%d", x)', "native-log"),
    go(`a, err := http.Post("${EVENT}", "", nil)`, "declares-name"),
    go(`go func() { a = 3; http.Post("${EVENT}", "", nil) }()`, "impure-expression"),
    go(`go http.Post("${EVENT}", "", strings.NewReader(<-ch))`, "impure-expression"),
    go(`go http.Post("https://example.com/event", "", nil)`, "foreign-address"),
    go("return 1", "not-a-probe"),
    {
      name: "the only statement of a function",
      text: `package p\n\nfunc f() {\n${region(`go http.Post("${EVENT}", "", nil)`)}\n}\n`,
    },
    {
      name: "in a raw string",
      text: `package p\n\nvar s = \`\n${region(`go http.Post("${EVENT}", "", nil)`)}\n\`\n`,
      codes: ["marker-in-text"],
    },
  ]);
});

function php(body: string, ...codes: readonly string[]): Case {
  return {
    name: body,
    text: `<?php\nfunction f($x) {\n  $a = 1;\n${region(body)}\n  return $a;\n}\n`,
    codes,
  };
}

describe("regions in PHP", () => {
  judgeAll("a.php", [
    php(
      `@file_get_contents('${EVENT}', false, stream_context_create(['http' => ['method' => 'POST', 'content' => json_encode(['x' => $x->y['z'] ?? null])]]));`,
    ),
    php(
      `try { $ch = curl_init('${EVENT}'); curl_setopt_array($ch, [CURLOPT_POSTFIELDS => json_encode(['x' => $x])]); curl_exec($ch); } catch (\\Throwable $e) {}`,
    ),
    php("echo $x;", "native-log"),
    php("print $x;", "native-log"),
    php("var_dump($x);", "native-log"),
    php("error_log($x);", "native-log"),
    php("$a = 2;", "impure-expression"),
    php("$x->save();", "not-a-probe"),
    php(`@file_get_contents('${EVENT}?x=' . $x++);`, "impure-expression"),
    php(`@file_get_contents('https://example.com/event');`, "foreign-address"),
    php(`@file_get_contents($x);`, "foreign-address"),
    php(`@file_get_contents('${EVENT}', false, \`ls\`);`, "impure-expression"),
    {
      name: "a time across two regions",
      text: `<?php\n${region("$t0 = microtime(true);")}\nwork();\n${region(`@file_get_contents('${EVENT}?t=' . (microtime(true) - $t0));`)}\n`,
      codes: ["declares-name"],
    },
    {
      name: "an end of PHP in a marker",
      text: `<?php\n// #region debug-point A ?><b>x</b><?php save();\n// #endregion\n`,
      codes: ["marker-in-text"],
    },
    { name: "in a heredoc", text: `<?php\n$a = <<<X\n${region("echo 1;")}\nX;\n`, codes: ["marker-in-text"] },
  ]);
});

function ruby(body: string, ...codes: readonly string[]): Case {
  return { name: body, text: `def f(x)\n  a = 1\n${region(body, "#")}\n  a\nend\n`, codes };
}

describe("regions in Ruby", () => {
  judgeAll("a.rb", [
    ruby(
      `begin; require 'net/http'; Net::HTTP.post(URI('${EVENT}'), { x: x, n: x.length, ids: x.map { |y| y.id } }.to_json, 'Content-Type' => 'application/json'); rescue StandardError; end`,
    ),
    ruby(
      `Thread.new { Net::HTTP.post(URI(ENV.fetch('DEBUG_SERVER_URL', '${EVENT}')), JSON.generate({ x: x })) rescue nil }`,
    ),
    ruby("puts x", "native-log"),
    ruby("Rails.logger.debug(x)", "native-log"),
    ruby("a = 2", "impure-expression"),
    ruby("x.save!", "not-a-probe"),
    ruby(`Net::HTTP.post(URI('${EVENT}'), { x: x.destroy }.to_json)`, "impure-expression"),
    ruby(`Net::HTTP.post(URI('${EVENT}'), { x: (x << 1) }.to_json)`, "impure-expression"),
    ruby(`Net::HTTP.post(URI('${EVENT}'), \`ls\`)`, "impure-expression"),
    ruby(`Net::HTTP.post(URI('https://example.com/event'), '')`, "foreign-address"),
    {
      name: "the value of a method",
      text: `def f(x)\n  a = 1\n  a\n${region(`Net::HTTP.post(URI('${EVENT}'), '')`, "#")}\nend\n`,
      codes: ["misplaced"],
    },
    { name: "in a heredoc", text: `a = <<~X\n${region("puts 1", "#")}\nX\n`, codes: ["marker-in-text"] },
  ]);
});

function shell(body: string, ...codes: readonly string[]): Case {
  return { name: body, text: `#!/bin/sh\nf() {\n  a=1\n${region(body, "#")}\n  go "$a"\n}\n`, codes };
}

describe("regions in shell", () => {
  judgeAll("a.sh", [
    shell(
      `curl -s -m 1 -X POST "$DEBUG_SERVER_URL" -H 'Content-Type: application/json' -d "{\\"x\\":\\"$x\\"}" >/dev/null 2>&1 &`,
    ),
    shell(
      `curl -sS "\${DEBUG_SERVER_URL:-${EVENT}}" --data "$(printf '{"x":"%s"}' "$x")" -o /dev/null || true`,
    ),
    shell(`printf '{"x":"%s"}' "$x" | curl -s -d @- ${EVENT} >/dev/null 2>&1`),
    shell(`(curl -s ${EVENT} -d '{}' || true) >/dev/null 2>&1 &`),
    shell("echo hello", "native-log"),
    shell("rm -rf build", "not-a-probe"),
    shell("a=2", "impure-expression"),
    shell(`curl -s ${EVENT} -d "$(rm -rf build)"`, "impure-expression"),
    shell(`curl -s ${EVENT} -d "$((x++))"`, "impure-expression"),
    shell(`curl -s ${EVENT} -d "\${x:=1}"`, "impure-expression"),
    shell(`curl -s ${EVENT} > file`, "impure-expression"),
    shell(`curl -s ${EVENT} -o file`, "impure-expression"),
    shell(`curl -s https://example.com/event -d "$x"`, "foreign-address"),
    shell(`curl -s "\${DEBUG_SERVER_URL:-https://example.com}" -d "$x"`, "foreign-address"),
    shell(`curl -s ${EVENT} https://example.com -d "$x"`, "foreign-address"),
    {
      name: "in a heredoc",
      text: `cat <<EOF\n${region(`curl ${EVENT}`, "#")}\nEOF\n`,
      codes: ["marker-in-text"],
    },
    {
      name: "all that is done",
      text: `if true; then\n${region(`curl -s ${EVENT}`, "#")}\nfi\n`,
      codes: ["needed-statement"],
    },
    {
      name: "something is left",
      text: `if true; then\n${region(`curl -s ${EVENT}`, "#")}\ngo\nelse\nstop\nfi\n`,
    },
    {
      name: "in front of a question for the status",
      text: `go\n${region(`curl -s ${EVENT}`, "#")}\n[ $? = 0 ] || exit 1\n`,
      codes: ["misplaced"],
    },
  ]);
});
