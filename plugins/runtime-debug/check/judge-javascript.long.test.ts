import { describe } from "node:test";
import { probeRegion } from "../probes/probe-text.ts";
import { type Case, judgeAll, region } from "./fixture-judged.ts";

const EVENT = `http://127.0.0.1:7777/event`;
const FETCH = `fetch('${EVENT}',{method:'POST',headers:{'Content-Type':'application/json'},body:JSON.stringify({location:'a.ts:3',message:'x',data:{a,n:b.length,t:typeof c,s:String(d),u:e?.f??null},timestamp:Date.now()})}).catch(()=>{});`;
const OWN = probeRegion({
  language: "javascript",
  session: "cart-total-wrong",
  hypothesis: "A",
  point: "total",
  data: [
    { name: "total", expression: "total" },
    { name: "n", expression: "items.length" },
  ],
  location: "a.js:2",
  fallbackUrl: EVENT,
}).join("\n");

function inFunction(body: string): string {
  return `export function f(a, b, c, d, e) {\n  const before = 1;\n${body}\n  return before;\n}\n`;
}

const hand = (body: string, ...codes: readonly string[]): Case => ({
  name: body,
  text: inFunction(region(body)),
  codes,
});

const PURE: readonly Case[] = [
  hand(FETCH),
  hand(`fetch("http://127.0.0.1:7242/ingest/0b3e",{method:"POST",body:JSON.stringify({a})}).catch(() => {})`),
  hand(
    `fetch(process.env.DEBUG_SERVER_URL ?? "${EVENT}", { method: "POST", body: "{}" }).catch(() => undefined);`,
  ),
  hand(
    `navigator.sendBeacon("http://localhost:7777/event", JSON.stringify({ a, x: [...b], y: \`\${c}\` }));`,
  ),
  hand(`if (a > 3 && !b) ${FETCH}`),
  hand(`try { ${FETCH} } catch {}`),
  hand(`void ${FETCH}`),
  hand(`a && ${FETCH}`),
  hand(
    `(()=>{const fs=require('fs');let url='${EVENT}',sid='a-b';try{const env=fs.readFileSync('.dbg/a-b.env','utf8');url=env.match(/DEBUG_SERVER_URL=(.+)/)?.[1]||url;sid=env.match(/DEBUG_SESSION_ID=(.+)/)?.[1]||sid}catch{} fetch(url,{method:'POST',body:JSON.stringify({sessionId:sid,data:{a}})}).catch(()=>{})})();`,
  ),
  hand(
    `fetch('${EVENT}',{method:'POST',body:JSON.stringify({ids:a.map((x)=>x.id),keys:Object.keys(b),e:new Error('x').stack})}).catch(()=>{});`,
  ),
  hand(`fetch('${EVENT}',{method:'POST'}).then(() => {}, () => {});`),
  hand(""),
  hand("// nothing yet"),
  { name: "a probe as probe writes it", text: inFunction(OWN) },
  { name: "the same, indented", text: inFunction(OWN.replaceAll(/^/gm, "    ")) },
  { name: "the same, with CRLF", text: inFunction(OWN).replaceAll("\n", "\r\n") },
  { name: "the same behind a byte order mark", text: `\uFEFF${inFunction(OWN)}` },
  { name: "two probes next to each other", text: inFunction(`${OWN}\n${OWN}`) },
  { name: "agent log", text: inFunction(`// #region agent log\n${FETCH}\n// #endregion`) },
  {
    name: "in a case of a switch",
    text: `switch (a) {\n  case 1:\n${region(FETCH)}\n    go();\n    break;\n}\n`,
  },
  { name: "in a fold of others", text: `// #region Helpers\nlet a;\n${region(FETCH)}\n// #endregion\n` },
];

const IMPURE: readonly Case[] = [
  hand("total += 1;", "not-a-probe"),
  hand("save(a);", "not-a-probe"),
  hand(`${FETCH}\ntotal += 1;`, "not-a-probe"),
  hand("return a;", "not-a-probe"),
  hand("a;", "not-a-probe"),
  hand("console.log(a);", "native-log"),
  hand("window.console.debug('x', a);", "native-log"),
  hand("logger.info(a);", "native-log"),
  hand("process.stdout.write(String(a));", "native-log"),
  hand(`await fetch('${EVENT}',{method:'POST'});`, "await-in-probe"),
  hand(`fetch('${EVENT}',{method:'POST'});`, "may-throw"),
  hand(`try { fetch('${EVENT}',{method:'POST'}); } catch {}`, "may-throw"),
  hand(`fetch('${EVENT}',{method:'POST'}).then((r) => r.ok);`, "may-throw"),
  hand(`fetch('${EVENT}',{method:'POST'}).finally(() => {});`, "may-throw"),
  hand(`x = fetch('${EVENT}',{method:'POST'});`, "impure-expression"),
  hand(`fetch('${EVENT}',{method:'POST',body:JSON.stringify({a:b++})}).catch(()=>{});`, "impure-expression"),
  hand(
    `fetch('${EVENT}',{method:'POST',body:JSON.stringify({a:(b=2)})}).catch(()=>{});`,
    "impure-expression",
  ),
  hand(
    `fetch('${EVENT}',{method:'POST',body:JSON.stringify({a:delete b.c})}).catch(()=>{});`,
    "impure-expression",
  ),
  hand(
    `fetch('${EVENT}',{method:'POST',body:JSON.stringify({a:save(b)})}).catch(()=>{});`,
    "impure-expression",
  ),
  hand(
    `fetch('${EVENT}',{method:'POST',body:JSON.stringify({a:b.push(1)})}).catch(()=>{});`,
    "impure-expression",
  ),
  hand(`fetch('${EVENT}',{method:'POST',body:\`\${save(a)}\`}).catch(()=>{});`, "impure-expression"),
  hand(`fetch('${EVENT}',{method:'POST'}).catch(()=>{ total = 0; });`, "impure-expression"),
  hand(`fetch('${EVENT}',{method:'POST'}).then(()=>{ save(); }).catch(()=>{});`, "impure-expression"),
  hand(`fetch('${EVENT}',{method:'POST'}).catch(save.bind(a));`, "impure-expression"),
  hand(`save\`x\`, ${FETCH}`, "impure-expression"),
  hand(`if (save()) ${FETCH}`, "impure-expression"),
  hand(`while (true) { ${FETCH} }`, "impure-expression"),
  hand(`fetch(import("./x.js"));`, "foreign-address", "impure-expression"),
  hand(`require("./x.js"); ${FETCH}`, "not-a-probe"),
  hand(`fetch('https://example.com/event',{method:'POST'}).catch(()=>{});`, "foreign-address"),
  hand(`fetch('http://127.0.0.1@example.com/event',{method:'POST'}).catch(()=>{});`, "foreign-address"),
  hand(`fetch('http://127.0.0.1.example.com/event',{method:'POST'}).catch(()=>{});`, "foreign-address"),
  hand(`fetch('http://127.0.0.1:3000/api/orders',{method:'POST'}).catch(()=>{});`, "foreign-address"),
  hand(`fetch('/event',{method:'POST'}).catch(()=>{});`, "foreign-address"),
  hand(`fetch(target,{method:'POST',body:'${EVENT}'}).catch(()=>{});`, "foreign-address"),
  hand(`fetch(target + '${EVENT}',{method:'POST'}).catch(()=>{});`, "foreign-address"),
  hand(`fetch(\`\${target}/DEBUG_SERVER_URL\`,{method:'POST'}).catch(()=>{});`, "foreign-address"),
  hand(
    `fetch(\`http://127.0.0.1:\${port}@example.com/event\`,{method:'POST'}).catch(()=>{});`,
    "foreign-address",
  ),
  hand(
    `(()=>{let url='${EVENT}';url=target;fetch(url,{method:'POST'}).catch(()=>{})})();`,
    "foreign-address",
  ),
  hand("function report() { return 1; }", "declares-name"),
  hand(`${FETCH})`, "does-not-parse"),
  {
    name: "a helper that is called outside",
    text: `${region(`const report = (x) => fetch('${EVENT}',{method:'POST',body:JSON.stringify(x)}).catch(()=>{});`)}\nreport(1);\n`,
    codes: ["declares-name"],
  },
  {
    name: "a time that is measured across two regions",
    text: inFunction(
      `${region("const t0 = Date.now();")}\n  work();\n${region(`fetch('${EVENT}',{method:'POST',body:String(Date.now()-t0)}).catch(()=>{});`)}`,
    ),
    codes: ["declares-name"],
  },
];

const PLACES: readonly Case[] = [
  {
    name: "the one statement of an if",
    text: `if (a)\n${region(FETCH)}\ngo();\n`,
    codes: ["needed-statement"],
  },
  {
    name: "our probe as the one statement of an if",
    text: `if (a)\n${OWN}\ngo();\n`,
    codes: ["needed-statement"],
  },
  {
    name: "between if and else",
    text: `if (a) {\n  go();\n${region(`} else {\n${FETCH}`)}\n}\n`,
    codes: ["misplaced"],
  },
  {
    name: "our probe in front of else",
    text: `if (a) { go(); }\n${OWN}\nelse { stop(); }\n`,
    codes: ["misplaced"],
  },
  {
    name: "an argument more",
    text: `go(\n  a,\n${region(`${FETCH.slice(0, -1)},`)}\n  b);\n`,
    codes: ["misplaced"],
  },
  { name: "our probe in an argument list", text: `go(\n  a,\n${OWN}\n);\n`, codes: ["does-not-parse"] },
  { name: "our probe in a template", text: `const s = \`\n${OWN}\n\`;\n`, codes: ["marker-in-text"] },
  { name: "our probe in a comment", text: `/*\n${OWN}\n*/\ngo();\n`, codes: ["marker-in-text"] },
  {
    name: "in front of a directive",
    text: `function f() {\n${OWN}\n  "use strict";\n  go();\n}\n`,
    codes: ["misplaced"],
  },
  {
    name: "a call that goes on",
    text: `const a = b\n${region(`(${FETCH.slice(0, -1)})`)}\n`,
    codes: ["misplaced"],
  },
  { name: "half of a block", text: `${region("if (a) {")}\ngo();\n}\n`, codes: ["misplaced"] },
  { name: "in a class", text: `class A {\n${OWN}\n  go() {}\n}\n`, codes: ["does-not-parse"] },
  { name: "no end", text: `go();\n// #region debug-point A\n${FETCH}\n`, codes: ["marker-unbalanced"] },
  { name: "no begin", text: `go();\n// #endregion debug-point A\n`, codes: ["marker-unbalanced"] },
  { name: "one in another", text: `${region(region(FETCH))}\n`, codes: ["marker-unbalanced"] },
  {
    name: "the end of another",
    text: `// #region debug-point A:x\n${FETCH}\n// #endregion debug-point B:y\n`,
    codes: ["marker-unbalanced"],
  },
  {
    name: "code behind a comment in the line of a marker",
    text: `/* #region debug-point A */ save(); /* x */\n// #endregion\n`,
  },
  { name: "code behind a hidden line end", text: `// #region debug-point A\u2028save();\n// #endregion\n` },
];

describe("regions in JavaScript [debug.instrumentation.native]", () => {
  judgeAll("src/a.js", [...PURE, ...IMPURE, ...PLACES]);
});

describe("regions in TypeScript", () => {
  judgeAll("src/a.ts", [
    hand(FETCH),
    hand(
      `fetch('${EVENT}',{method:'POST',body:JSON.stringify({a:(a as any).b,n:b!.length})}).catch((_e: unknown)=>{});`,
    ),
    hand("console.log(a as string);", "native-log"),
    hand(
      `fetch('${EVENT}',{method:'POST',body:JSON.stringify(evil<string>(a))}).catch(()=>{});`,
      "impure-expression",
    ),
  ]);
  judgeAll("src/a.tsx", [
    {
      name: "JSX markers",
      text: `const a = <div>\n  {/* #region debug-point A */}\n  <b/>\n  {/* #endregion */}\n</div>;\n`,
      codes: ["misplaced"],
    },
    { name: "a probe in a component", text: `function A({ x }: P) {\n${OWN}\n  return <div>{x}</div>;\n}\n` },
  ]);
});

describe("regions in pages and components", () => {
  judgeAll("a.vue", [
    {
      name: "in the script",
      text: `<template><p>{{ a }}</p></template>\n<script setup lang="ts">\nconst a: number = 1;\n${OWN}\n</script>\n`,
    },
    { name: "by hand in the script", text: `<script>\nlet a;\n${region(FETCH)}\n</script>\n` },
    {
      name: "in the template",
      text: `<template>\n<!-- #region debug-point A -->\n<p>{{ a }}</p>\n<!-- #endregion -->\n</template>\n<script>let a;</script>\n`,
      codes: ["not-a-probe"],
    },
    { name: "a log", text: `<script>\n${region("console.log(1)")}\n</script>\n`, codes: ["native-log"] },
  ]);
  judgeAll("a.html", [
    {
      name: "in a script",
      text: `<body>\n<script>\nlet a = 1;\n${region(FETCH)}\n</script>\n<p>x</p></body>\n`,
    },
    {
      name: "an end of the script in a marker",
      text: `<script>\n// #region debug-point A </script><img src=x>\nfetch(1)\n// #endregion\n</script>\n`,
      codes: ["marker-in-text"],
    },
  ]);
});
