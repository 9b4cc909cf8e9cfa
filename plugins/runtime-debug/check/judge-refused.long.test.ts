/** What a review found to pass as pure, by its symptom: each row is refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { region } from "./fixture-judged.ts";
import { judgeFile } from "./judge-file.ts";
import { probeRegion } from "../probes/probe-text.ts";
import type { Language } from "../probes/languages.ts";

const EVENT = "http://127.0.0.1:7777/event";
const SEND = `fetch('${EVENT}',{method:'POST'}).catch(()=>{});`;
const POST = `requests.post("${EVENT}", json={})`;
const RUBY = `Net::HTTP.post(URI('${EVENT}'), '')`;
const PHP = `@file_get_contents('${EVENT}');`;
const CURL = `curl -s -d x ${EVENT}`;

type Row = readonly [path: string, text: string];

function refuseAll(title: string, rows: readonly Row[]): void {
  test(`refused: ${title}`, async () => {
    for (const [path, text] of rows) {
      const { findings } = await judgeFile(path, text);
      assert.notEqual(findings.length, 0, `${path}: ${text}`);
    }
  });
}

function acceptAll(title: string, rows: readonly Row[]): void {
  test(`accepted: ${title}`, async () => {
    for (const [path, text] of rows)
      assert.deepEqual((await judgeFile(path, text)).findings, [], `${path}: ${text}`);
  });
}

const js = (body: string): Row => [
  "a.js",
  `function f(a, b) {\n  let total = 1;\n${region(body)}\n  return total;\n}\n`,
];
const sent = (value: string): Row => js(`fetch('${EVENT}',{method:'POST',body:${value}}).catch(()=>{});`);
const python = (body: string): Row => [
  "a.py",
  `import requests\n\ndef f(x, q):\n    before = 1\n${region(body, "#").replaceAll(/^/gm, "    ")}\n    return before\n`,
];
const posted = (value: string): Row => python(`requests.post("${EVENT}", json={"a": ${value}})`);
const ruby = (body: string): Row => [
  "a.rb",
  `class A\n  def f(x)\n    a = 1\n${region(body, "#")}\n    a\n  end\n  def g\n    @total\n  end\nend\n`,
];
const php = (body: string): Row => [
  "a.php",
  `<?php\nfunction f($x) {\n  $a = 1;\n${region(body)}\n  return $a;\n}\n`,
];
const go = (body: string): Row => [
  "a.go",
  `package p\n\nfunc f(req *http.Request, resp *http.Response) int {\n\ta := 1\n${region(body)}\n\treturn a\n}\n`,
];
const shell = (body: string): Row => [
  "a.sh",
  `while read x; do\n  a=1\n${region(body, "#")}\n  go "$a"\ndone\n`,
];

refuseAll("assignments to what the program has made are no names of the region", [
  python(`config.limit = 5\n${POST}`),
  python(`config.limit = ${POST}`),
  python(`items[key] = ${POST}`),
  python(`(config.limit, y) = ${POST}, 1`),
  ruby(`config.limit = ${RUBY}`),
  ruby(`config[k] = ${RUBY}`),
  ruby(`@total = ${RUBY}`),
  ruby(`@@total = ${RUBY}`),
  ruby(`$total = ${RUBY}`),
  ruby(`begin; config.limit = 5; @total = 5; ${RUBY}; end`),
  php(`try { $cart->total = 5; ${PHP} } catch (\\Exception $e) {}`),
  php(`try { A::$total = 5; ${PHP} } catch (\\Exception $e) {}`),
  php(`try { $_SESSION['a'] = 5; ${PHP} } catch (\\Exception $e) {}`),
  php(`try { $_GET = 5; ${PHP} } catch (\\Exception $e) {}`),
]);

refuseAll("names of a whole file or class are seen from outside", [
  [
    "a.py",
    `import requests\nclass A(B):\n${region(`limit = ${POST}`, "#").replaceAll(/^/gm, "    ")}\n    def f(self):\n        return 1\n`,
  ],
  ["a.py", `import requests\n${region(`LIMIT = ${POST}`, "#")}\n`],
  ["a.php", `<?php\n$x = 1;\n${region(`try { $total = 5; ${PHP} } catch (\\Exception $e) {}`)}\n`],
  ["a.js", `go();\n${region(`if (1) { var cart = 1; ${SEND} }`)}\ngo();\n`],
  ["a.js", `go();\n${region(`const cart = ${SEND}`)}\ngo();\n`],
  [
    "a.vue",
    `<template><p>{{ total }}</p></template>\n<script setup>\n${region(`const total = ${SEND}`)}\n</script>\n`,
  ],
]);

refuseAll("names that hide those of the program", [
  ["a.js", `const total = 1;\nfunction f(a) {\n${region(`const total = ${SEND}`)}\n  return { total };\n}\n`],
]);

refuseAll("Go: panics and objects of the program", [
  go(`defer func() { recover(); http.Post("${EVENT}", "", nil) }()`),
  go(`go func() { req.Header.Set("Authorization", ""); http.Post("${EVENT}", "", nil) }()`),
  go(`go func() { q := req; q.Header.Set("Authorization", ""); http.Post("${EVENT}", "", nil) }()`),
  go(`go func() { resp.Body.Close(); http.Post("${EVENT}", "", nil) }()`),
  go(`go func() { r := resp; r.Body.Close(); http.Post("${EVENT}", "", nil) }()`),
  go(`go func() { q, _ := http.NewRequest("DELETE", "${EVENT}", nil); http.DefaultClient.Do(q) }()`),
]);
acceptAll("Go: what the region has made itself", [
  go(
    `go func() { q, _ := http.NewRequest("POST", "${EVENT}", nil); q.Header.Set("a", "b"); if r, e := http.DefaultClient.Do(q); e == nil { r.Body.Close() } }()`,
  ),
]);

refuseAll("Python: what changes, waits or calls", [
  posted(`os.replace("a","b")`),
  posted(`shutil.copy("a","b")`),
  posted(`requests.head("https://elsewhere.example")`),
  posted("worker.join()"),
  posted("work_queue.get(True)"),
  posted("x.jobs.get(True)"),
  posted("q.get('a')"),
  posted("open(*args)"),
  posted("open(**o)"),
  posted("sorted(x, **{'key': save})"),
  posted("list(map(*[save, x]))"),
  python(`requests.post("${EVENT}", json=threading.Thread(None, save).start())`),
  python(`requests.post("${EVENT}", json=threading.Thread(**{"target": save}).start())`),
  python(`with lock:\n    ${POST}`),
  python(`with x.lock as y:\n    ${POST}`),
  python(`urllib.request.urlopen(urllib.request.Request("${EVENT}", method="DELETE"))`),
]);
acceptAll("Python: what only reads", [
  posted(`", ".join(x)`),
  posted(`x.get("a", 1)`),
  posted(`{**x, "b": os.environ.get("A")}`),
  python(`with urllib.request.urlopen("${EVENT}", b"{}", timeout=1):\n    pass`),
  python(`urllib.request.urlopen(urllib.request.Request("${EVENT}", data=b"", method = "POST"))`),
]);

refuseAll("shell: what writes, sets or waits", [
  shell(`echo "$x" | sed '1e touch PWN' | curl -s -d @- ${EVENT}`),
  shell(`echo "$x" | sed 'w file' | curl -s -d @- ${EVENT}`),
  shell(`echo "$x" | uniq - file | curl -s -d @- ${EVENT}`),
  shell(`echo "$x" | sort -uo file | curl -s -d @- ${EVENT}`),
  shell(`curl -s -d "$(date -s 2020-01-01)" ${EVENT}`),
  shell(`curl -s -d "$(hostname x)" ${EVENT}`),
  shell(`curl -s -d "$(echo x | tail -f /dev/null)" ${EVENT}`),
  shell(`LC_ALL=C\n${CURL}`),
  shell(`NODE_OPTIONS=--x\n${CURL}`),
  shell(`mine=1; ${CURL}`),
  shell(`(LC_ALL=C; ${CURL})`),
  shell(`curl -s -X DELETE ${EVENT}`),
  shell(`curl -s -XDELETE ${EVENT}`),
  shell(`curl -s --request=DELETE ${EVENT}`),
]);
acceptAll("shell: what only reads", [
  shell(`curl -s -d "$(date +%s)" ${EVENT}`),
  shell(`curl -s -d "$(date '+%s %N')$(hostname -s)$(hostname)" ${EVENT}`),
  shell(`echo "$x" | sort -u | uniq -c | tail -n5 | curl -s -X POST -d @- ${EVENT}`),
  shell(`(mine=$x; curl -s -d "$mine" ${EVENT}) &`),
]);

refuseAll("JavaScript: what the language calls by itself, and what it is handed", [
  sent("JSON.stringify({['toJSON']: save})"),
  sent("JSON.stringify({toJSON: save})"),
  sent("JSON.stringify({'to\\u004aSON': save})"),
  sent("`${{toString: save}}`"),
  sent("+{valueOf: save}"),
  sent("[...{[Symbol.iterator]: save}]"),
  sent("JSON.stringify(...[a, save])"),
  sent("a.map(...[save])"),
  sent("structuredClone(b, {transfer: [b]})"),
  sent("structuredClone(...[b, {transfer: [b]}])"),
  js(`fetch('${EVENT}',{method:'POST'}).then(() => ({then: save})).catch(()=>{});`),
  js(`fetch('http://127.0.0.1:7777/logs',{method:'DELETE'}).catch(()=>{});`),
  js(`fetch('${EVENT}',{method:a}).catch(()=>{});`),
  js(`fetch('${EVENT}',{...a}).catch(()=>{});`),
  js(`fetch('http://10.1.2.3:3000/?delete=all',{method:'POST'}).catch(()=>{});`),
  js(`fetch('http://10.1.2.3:3000/log',{method:'POST'}).catch(()=>{});`),
  js(`fetch('http://127.0.0.1:3000/?delete=all',{method:'POST'}).catch(()=>{});`),
]);
acceptAll("JavaScript: the debug server, wherever it is", [
  js(
    `fetch('http://10.0.2.2:7777/event',{method:'POST',body:JSON.stringify({method:a.method})}).catch(()=>{});`,
  ),
  js(`fetch('http://192.168.1.20:7780/event?${"c".repeat(43)}',{method:'POST'}).catch(()=>{});`),
  js(`fetch('http://localhost:7777',{method:'POST'}).catch(()=>{});`),
  sent("structuredClone(b)"),
]);

refuseAll("PHP: functions that write to their arguments", [
  php(`file_get_contents('${EVENT}?' . preg_match('/a/', $x, $a));`),
  php(`file_get_contents('${EVENT}?' . str_replace('a', 'b', $x, $a));`),
  php(`file_get_contents('${EVENT}?' . preg_match(...$x));`),
  php(`file_get_contents('${EVENT}', false, stream_context_create(['http' => ['method' => 'DELETE']]));`),
]);

/** `@` stands for a probe of ours. */
const own = (language: Language, path: string, text: string): Row => {
  const expression = /^(?:shell|php|perl|powershell)$/.test(language) ? "$a" : "a";
  const probe = probeRegion({
    language,
    session: "cart-total-wrong",
    hypothesis: "A",
    point: "x",
    data: [{ name: "a", expression }],
    location: "a:1",
    fallbackUrl: EVENT,
  });
  return [
    path,
    text.replace(/^( *)@$/gm, (_, indent: string) => probe.map((line) => indent + line).join("\n")),
  ];
};

refuseAll("in front of what has to come first", [
  ["a.php", `<?php\n${region(PHP)}\ndeclare(strict_types=1);\nnamespace A;\n`],
  own("php", "a.php", "<?php\n@\ndeclare(strict_types=1);\ngo();\n"),
  own("php", "a.php", "<?php\n@\nnamespace A;\ngo();\n"),
  own("php", "a.php", "<?php\n@\nnamespace A {\ngo();\n}\n"),
  own("ruby", "a.rb", "@\n# frozen_string_literal: true\nx = 'a'\n"),
  own("python", "a.py", "@\n# -*- coding: latin-1 -*-\nx = 'a'\n"),
  own("shell", "a.sh", "@\n#!/bin/sh\ngo\n"),
]);
acceptAll("behind what has to come first", [
  own("php", "a.php", "<?php\ndeclare(strict_types=1);\nnamespace A;\n@\ngo();\n"),
  own("php", "a.php", "<?php\nnamespace A;\n@\ngo();\nnamespace B;\n"),
  own("ruby", "a.rb", "# frozen_string_literal: true\n@\n# so: this\nx = 'a'\n"),
  own("shell", "a.sh", "#!/bin/sh\n@\ngo\n"),
]);

const BRACES = ["kotlin", "swift", "dart"] as const;
const FILE = { kotlin: "a.kt", swift: "a.swift", dart: "a.dart" };
refuseAll("places of languages without a grammar", [
  own("lua", "a.lua", "x = [[\na()\n@\nb()\n]]\n"),
  own("lua", "a.lua", "x = [=[\na()\n@\nb()\n]=]\n"),
  own("lua", "a.lua", "function f(a)\n  return a\n  @\nend\n"),
  own("perl", "a.pl", "my $x = <<EOT;\na;\n@\nb;\nEOT\n"),
  own("perl", "a.pl", "my $x = <<'EOT';\na;\n@\nb;\nEOT\n"),
  own("perl", "a.pl", "=pod\n\na;\n@\n\n=cut\n"),
  own("powershell", "a.ps1", '$x = @"\na\n@\nb\n"@\n'),
  own("powershell", "a.ps1", "@\nparam($a)\n"),
  own("powershell", "a.ps1", "foo `\n@\n  bar\n"),
  ...BRACES.flatMap((language) => [
    own(language, FILE[language], 'val x = """\na()\n@\nb()\n"""\n'),
    own(language, FILE[language], "class A {\n  val a = 1\n  @\n  val b = 2\n}\n"),
    own(language, FILE[language], "fun f() {\n  val x = a\n  @\n    .b();\n}\n"),
    own(language, FILE[language], "fun f() {\n  switch (a) {\n    @\n    case 1: b();\n  }\n  go();\n}\n"),
    own(language, FILE[language], "fun f() {\n  when (a) {\n    @\n    1 -> b();\n  }\n  go();\n}\n"),
  ]),
]);
acceptAll("places of languages without a grammar, where a statement can stand", [
  own("lua", "a.lua", "local x = [=[\na\n]=]\n@\nif x then\n  @\n  go()\nend\n"),
  own("perl", "a.pl", "my $x = <<EOT;\na\nEOT\n@\ngo();\n@\ngo();\n\n=pod\n\na\n\n=cut\n\n@\ngo();\n"),
  own("powershell", "a.ps1", 'param($a)\n$x = @"\na\n"@\n@\nGo $x\n@\nGo $x\n'),
  own(
    "kotlin",
    "a.kt",
    "fun f(a: Int) {\n  go()\n  @\n  when (a) {\n    1 -> {\n      @\n      go()\n    }\n  }\n  @\n  go()\n}\n",
  ),
  own(
    "swift",
    "a.swift",
    "func f(a: Int) {\n  @\n  switch a {\n  case 1:\n    @\n    go()\n  default: go()\n  }\n}\n",
  ),
  own("dart", "a.dart", "void f(int a) {\n  @\n  go();\n  @\n  go();\n}\n"),
]);
