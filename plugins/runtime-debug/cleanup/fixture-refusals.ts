import { text } from "./fixture-hazards.ts";

/** A region as people write it. */
export const PROBE = [
  "// #region debug-point A:here",
  'fetch("http://127.0.0.1:7777/event", { method: "POST", body: "{}" }).catch(() => {});',
  "// #endregion debug-point A:here",
];

/** A file whose cleanup cannot be proven to be right. */
export interface Refusal {
  readonly name: string;
  readonly path: string;
  readonly before?: string;
  readonly now: string;
  /** What is shown: CODE:LINE. */
  readonly shown: readonly string[];
  /** The same where the syntax tree tells more. */
  readonly judged?: readonly string[];
}

/** What a cleanup shows and leaves. */
export const REFUSED: readonly Refusal[] = [
  {
    name: "a TSX helper in a region that is called outside",
    path: "App.tsx",
    before: text("export const App = () => {", "  return <Cart />;", "};"),
    now: text(
      "// #region debug-point shared:helper",
      'const tellIt = (point: string) => void fetch("http://127.0.0.1:7777/event", { method: "POST", body: point });',
      "// #endregion",
      "export const App = () => {",
      '  tellIt("render");',
      "  return <Cart />;",
      "};",
    ),
    shown: ["dangling-name:5"],
  },
  {
    name: "an import of Dart that only probes have used",
    path: "main.dart",
    before: text("void main() {", "  run();", "}"),
    now: text(
      "import 'dart:io';",
      "void main() {",
      "  // #region debug-point A:main",
      "  HttpClient().post('127.0.0.1', 7777, '/event').then((r) => r.close(), onError: (_) {});",
      "  // #endregion",
      "  run();",
      "}",
    ),
    shown: ["probe-import:1"],
  },
  {
    name: "a field of a Rust struct that only probes have used",
    path: "cart.rs",
    before: text(
      "pub struct Cart {",
      "    items: Vec<u32>,",
      "}",
      "impl Cart {",
      "    pub fn new() -> Self {",
      "        Cart { items: vec![] }",
      "    }",
      "}",
    ),
    now: text(
      "pub struct Cart {",
      "    items: Vec<u32>,",
      "    seen_points: u32,",
      "}",
      "impl Cart {",
      "    pub fn new() -> Self {",
      "        // #region debug-point B:new",
      '        std::net::TcpStream::connect("127.0.0.1:7777").map(|s| write(s, self.seen_points)).ok();',
      "        // #endregion",
      "        Cart { items: vec![] }",
      "    }",
      "}",
    ),
    shown: ["probe-name:3"],
  },
  {
    name: "an empty watch of Vue around a probe",
    path: "Cart.vue",
    before: text("<script setup>", "const total = ref(0);", "</script>"),
    now: text(
      "<script setup>",
      "const total = ref(0);",
      "watch(total, () => {",
      ...PROBE,
      "});",
      "</script>",
    ),
    shown: ["probe-shell:3"],
  },
  {
    name: "a .then that holds a probe and gives back what it was given",
    path: "load.js",
    before: text("export const load = () =>", "  get('/cart')", "    .then(parse);"),
    now: text(
      "export const load = () =>",
      "  get('/cart')",
      "    .then((reply) => {",
      ...PROBE,
      "      return reply;",
      "    })",
      "    .then(parse);",
    ),
    shown: ["probe-shell:3"],
  },
  {
    name: "a probe without a region",
    path: "total.py",
    before: text("def total(items):", "    return sum(items)"),
    now: text(
      "def total(items):",
      '    requests.post("http://127.0.0.1:7777/event", json={"n": len(items)})',
      "    return sum(items) + 0",
    ),
    shown: ["residue:2"],
  },
  {
    name: "a new file of reporters",
    path: "debug-reporter.js",
    now: text(
      "export const send = (body) =>",
      '  fetch(process.env.DEBUG_SERVER_URL, { method: "POST", body });',
    ),
    shown: ["residue:2"],
  },
  {
    name: "a statement of the fix inside a region",
    path: "quote.ts",
    before: text("const quote = feed.latest();", "show(quote);"),
    now: text(
      "const quote = feed.latest();",
      "// #region debug-point C:quote",
      "feed.subscribe(quote.id);",
      "// #endregion",
      "show(quote);",
    ),
    shown: ["production-code:3"],
  },
  {
    name: "an assignment inside a region that the program reads",
    path: "quote.py",
    before: text("quote = latest()", "show(quote)"),
    now: text(
      "quote = latest()",
      "# #region debug-point C",
      "quote = latest(force=True)",
      "# #endregion",
      "show(quote)",
    ),
    shown: ["production-code:3"],
  },
  {
    name: "a marker without its end",
    path: "a.go",
    before: text("package a", "func A() {}"),
    now: text("package a", "// #region debug-point A", "func A() {}"),
    shown: ["marker-unbalanced:2"],
  },
  {
    name: "an end without its beginning",
    path: "a.go",
    before: text("package a", "func A() {}"),
    now: text("package a", "func A() {}", "// #endregion", "// #region debug-point A", "// #endregion"),
    shown: ["marker-unbalanced:3"],
  },
  {
    name: "a new function of Python that holds nothing but a probe",
    path: "jobs.py",
    before: text("run()"),
    now: text(
      "def seen():",
      "    # #region debug-point A",
      '    urlopen("http://127.0.0.1:7777/event")',
      "    # #endregion",
      "",
      "run()",
    ),
    shown: ["emptied-block:2"],
  },
  {
    name: "a brace that a region opens and other code closes",
    path: "a.js",
    before: text("go();"),
    now: text("// #region debug-point A", "if (true) {", "// #endregion", "go(1);", "}"),
    shown: ["broken-syntax:1"],
  },
  {
    name: "a marker in a document within a region of shell",
    path: "a.sh",
    before: text("echo one"),
    now: text(
      "# #region debug-point A",
      "cat <<EOF >/dev/null",
      "# #endregion",
      "EOF",
      "# #endregion",
      "echo one",
    ),
    shown: ["marker-unbalanced:5"],
    judged: ["production-code:2"],
  },
];
