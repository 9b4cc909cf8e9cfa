import { describe } from "node:test";
import { probeRegion } from "../probes/probe-text.ts";
import { type Case, judgeAll, region } from "./fixture-judged.ts";

const EVENT = "http://127.0.0.1:7777/event";
const SEND = `fetch('${EVENT}',{method:'POST'}).catch(()=>{})`;

function javascript(body: string, ...codes: readonly string[]): Case {
  return {
    name: body,
    text: `function f(a, b) {\n  var total = 1;\n${region(body)}\n  return total;\n}\n`,
    codes,
  };
}

describe("what is smuggled into regions of JavaScript", () => {
  judgeAll("a.js", [
    javascript(`fetch('${EVENT}',{method:'POST'}).catch(save);`, "impure-expression"),
    javascript(`fetch('${EVENT}',{method:'POST',body:a.map(save)}).catch(()=>{});`, "impure-expression"),
    javascript(
      `fetch('${EVENT}',{method:'POST',body:JSON.stringify(a, save)}).catch(()=>{});`,
      "impure-expression",
    ),
    javascript(
      `fetch('${EVENT}',{method:'POST',body:JSON.stringify({toJSON:()=>save()})}).catch(()=>{});`,
      "impure-expression",
    ),
    javascript(
      `fetch('${EVENT}',{method:'POST',body:JSON.stringify({get a(){return save()}})}).catch(()=>{});`,
      "impure-expression",
    ),
    javascript(
      `fetch('${EVENT}',{method:'POST',body:[...a].map(async (x)=>{await save(x)})}).catch(()=>{});`,
      "await-in-probe",
    ),
    javascript(`fetch('${EVENT}',{method:'POST',body:axios.get('/x')}).catch(()=>{});`, "impure-expression"),
    javascript(
      `fetch('${EVENT}',{method:'POST',body:location.replace('/x')}).catch(()=>{});`,
      "impure-expression",
    ),
    javascript(
      `fetch('${EVENT}',{method:'POST',body:((x = save()) => x)()}).catch(()=>{});`,
      "impure-expression",
    ),
    javascript(`{ var total = 0; ${SEND}; }`, "declares-name"),
    javascript(`{ let total = 1; } total = 5; ${SEND};`, "not-a-probe"),
    javascript(`(() => { { let total = 1; } total = 5; ${SEND}; })();`, "impure-expression"),
    javascript(`(() => { const url = '${EVENT}'; ((url) => fetch(url))(a); })();`, "foreign-address"),
    javascript(`(() => { { const url = '${EVENT}'; } fetch(url); })();`, "foreign-address"),
    javascript(`(() => { const fetch = a; fetch('${EVENT}'); })();`, "declares-name", "impure-expression"),
    javascript(`((JSON) => { fetch('${EVENT}',{body:JSON.stringify(a)}); })(b);`, "declares-name"),
    javascript(`fetch(process.env.DEBUG_SERVER_URL || a,{method:'POST'}).catch(()=>{});`, "foreign-address"),
    javascript(
      `fetch('${EVENT}'.replace('127.0.0.1', a),{method:'POST'}).catch(()=>{});`,
      "foreign-address",
      "impure-expression",
    ),
    javascript(
      `fetch("http://127.0.0.1\\@example.com/event",{method:'POST'}).catch(()=>{});`,
      "foreign-address",
    ),
    javascript(
      `fetch("http://127.0.0.1:7777\\u0040example.com/event",{method:'POST'}).catch(()=>{});`,
      "foreign-address",
    ),
    javascript(`fetch([a, '${EVENT}'][0],{method:'POST'}).catch(()=>{});`, "foreign-address"),
    javascript(`label: for (;;) { ${SEND}; break label; }`, "impure-expression"),
    javascript(`${SEND}; debugger;`, "not-a-probe"),
    javascript(`export default ${SEND};`, "impure-expression"),
  ]);
});

function python(body: string, ...codes: readonly string[]): Case {
  const indented = body.replaceAll(/^/gm, "    ");
  return {
    name: body,
    text: `import requests\n\ndef f(x, q):\n    before = 1\n    # #region debug-point A\n${indented}\n    # #endregion\n    return before\n`,
    codes,
  };
}

describe("what is smuggled into regions of Python", () => {
  judgeAll("a.py", [
    python(`requests.post("${EVENT}", json={"a": q.get()})`, "impure-expression"),
    python(`requests.post("${EVENT}", json={"a": x.read()})`, "impure-expression"),
    python(`requests.post("${EVENT}", json={"a": requests.get("https://example.com")})`, "impure-expression"),
    python(`requests.post("${EVENT}", json={"a": list(map(save, x))})`, "impure-expression"),
    python(`requests.post("${EVENT}", json={"a": sorted(x, key=save)})`, "impure-expression"),
    python(`requests.post("${EVENT}", json={"a": sorted(x, key=len)})`),
    python(`threading.Thread(target=save).start(); requests.post("${EVENT}", json={})`, "not-a-probe"),
    python(`import os as json\nrequests.post("${EVENT}", json={})`, "declares-name"),
    python(`from os import remove as len\nrequests.post("${EVENT}", json={"a": len(x)})`, "declares-name"),
    python(`from os import *\nrequests.post("${EVENT}", json={})`, "not-a-probe"),
    python(`requests = x\nrequests.post("${EVENT}", json={})`, "declares-name"),
    python(`requests.post(os.environ.get("DEBUG_SERVER_URL", x), json={})`, "foreign-address"),
    python(`requests.post(r"http://127.0.0.1\\@example.com/event", json={})`, "foreign-address"),
    python(`requests.post("http://127.0.0.1" "@example.com/event", json={})`, "foreign-address"),
    python(`__import__("os").system("rm x"); requests.post("${EVENT}", json={})`, "not-a-probe"),
    python(`requests.post("${EVENT}", json={"a": (lambda y=save(): y)()})`, "impure-expression"),
    {
      name: "a module of another kind under the name that the file imports",
      text: `import requests\n# #region debug-point A\nimport json as requests\nrequests.post("${EVENT}", json={})\n# #endregion\nrequests.post("x")\n`,
      codes: ["declares-name"],
    },
  ]);
});

describe("what is smuggled into regions of other languages", () => {
  const go = (body: string, ...codes: readonly string[]): Case => ({
    name: body,
    text: `package p\n\nfunc f(r *http.Request) int {\n\ta := 1\n${region(body)}\n\treturn a\n}\n`,
    codes,
  });
  judgeAll("a.go", [
    go(`go func() { q, _ := http.NewRequest("POST", "${EVENT}", nil); http.DefaultClient.Do(q) }()`),
    go(
      `go func() { http.NewRequest("POST", "${EVENT}", nil); http.DefaultClient.Do(r) }()`,
      "foreign-address",
    ),
    go(`go func() { http := r; http.Post("${EVENT}", "", nil) }()`, "declares-name", "impure-expression"),
  ]);
  const php = (body: string, ...codes: readonly string[]): Case => ({
    name: body,
    text: `<?php\nfunction f($x) {\n  $a = 1;\n${region(body)}\n  return $a;\n}\n`,
    codes,
  });
  judgeAll("a.php", [
    php(`$c = curl_init('${EVENT}'); curl_exec($x);`, "not-a-probe"),
    php(`try { $c = curl_init('${EVENT}'); curl_exec($x); } catch (\\Exception $e) {}`, "foreign-address"),
    php(
      `try { $c = curl_init('${EVENT}'); curl_setopt($c, CURLOPT_URL, $x); curl_exec($c); } catch (\\Exception $e) {}`,
      "foreign-address",
    ),
    php(`file_get_contents('${EVENT}?' . json_encode(array_map('save', $x)));`, "impure-expression"),
  ]);
  const ruby = (body: string, ...codes: readonly string[]): Case => ({
    name: body,
    text: `def f(x)\n  a = 1\n${region(body, "#")}\n  a\nend\n`,
    codes,
  });
  judgeAll("a.rb", [
    ruby(`Net::HTTP.post(URI('${EVENT}'), x.map(&:destroy).to_s)`, "impure-expression"),
    ruby(`Net::HTTP.post(URI('${EVENT}'), File.delete('x').to_s)`, "impure-expression"),
    ruby(`Net::HTTP.post(URI('${EVENT}'), x.deliver_now.to_s)`, "impure-expression"),
    ruby(`Net::HTTP.post(URI('${EVENT}'), x.updated_at.to_s)`),
    ruby(`Net::HTTP.post(URI('${EVENT}'), x.instance_eval('y').to_s)`, "impure-expression"),
    ruby(`Net = x; Net::HTTP.post(URI('${EVENT}'), '')`, "declares-name"),
  ]);
  const shell = (body: string, ...codes: readonly string[]): Case => ({
    name: body,
    text: `while read x; do\n  a=1\n${region(body, "#")}\n  go "$a"\ndone\n`,
    codes,
  });
  judgeAll("a.sh", [
    shell(`curl -s -d @- ${EVENT}`, "impure-expression"),
    shell(`cat | curl -s -d @- ${EVENT}`, "impure-expression"),
    shell(`curl -s -d "$(cat)" ${EVENT}`, "impure-expression"),
    shell(`echo "$x" | tr a b | curl -s -d @- ${EVENT}`),
    shell(`curl -s -K file ${EVENT}`, "impure-expression"),
    shell(`curl -s 'http://127.0.0.1\\@example.com/event'`, "foreign-address"),
  ]);
  const own = probeRegion({
    language: "c",
    session: "cart-total-wrong",
    hypothesis: "A",
    point: "total",
    data: [{ name: "total", expression: "total" }],
    location: "a:1",
    fallbackUrl: EVENT,
  });
  judgeAll("a.c", [
    {
      name: "a line that is taken into the comment of the marker above",
      text: `int f(int total) {\n${own.join("\n")} \\\n  total = 0;\n  return total;\n}\n`,
      codes: ["marker-unbalanced"],
    },
    {
      name: "our probe in C",
      text: `int f(int total) {\n${own.join("\n")}\n  total = 0;\n  return total;\n}\n`,
    },
    {
      name: "a definition",
      text: `int f(int total) {\n${region("#define total 0")}\n  return total;\n}\n`,
      codes: ["not-a-probe"],
    },
  ]);
});
