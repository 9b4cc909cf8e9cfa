import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { scriptsOf } from "../probes/embedded.ts";
import { GRAMMARS } from "./grammars.ts";
import { LANGUAGES, type Language } from "../probes/languages.ts";
import { parse, syntaxFaults } from "./syntax.ts";

/** A sound text and one with an error. */
const TEXTS: Readonly<Partial<Record<Language, readonly [string, string]>>> = {
  javascript: ["const a = 1;\n", "const = ;\n"],
  jsx: ["const a = <b/>;\n", "const a = <b;\n"],
  typescript: ["const a: number = 1;\n", "const a: = 1;\n"],
  tsx: ["const a: B = <b/>;\n", "const a: = <b/>;\n"],
  vue: ["<script>\nconst a = 1;\n</script>\n", "<script>\nconst = ;\n</script>\n"],
  html: ["<p><script>const a = 1;</script>\n", "<p><script>const = ;</script>\n"],
  python: ["def f():\n  pass\n", "def f(:\n  pass\n"],
  go: ["package p\n\nfunc f() {}\n", "package p\n\nfunc f( {}\n"],
  rust: ["fn f() {}\n", "fn f( {}\n"],
  java: ["class A {}\n", "class {}\n"],
  c: ["int f(void) { return 0; }\n", "int f(void { return 0; }\n"],
  cpp: ["int f() { return 0; }\n", "int f( { return 0; }\n"],
  csharp: ["class A {}\n", "class {}}\n"],
  php: ["<?php $a = 1;\n", "<?php $a = ;\n"],
  ruby: ["def f\nend\n", "def f(\nend\n"],
  shell: ["if true; then a; fi\n", "if true; then a\n"],
};

describe("syntax trees", () => {
  for (const language of LANGUAGES) {
    const texts = TEXTS[language];
    if (!texts) {
      test(`${language} has no grammar`, async () => {
        assert.equal(GRAMMARS[language], undefined);
        assert.equal(await parse(language, "a"), undefined);
        assert.equal(await syntaxFaults(language, "a"), undefined);
      });
      continue;
    }
    test(`of ${language} tell a sound text from one with an error`, async () => {
      assert.equal(await syntaxFaults(language, texts[0]), 0);
      assert.ok(((await syntaxFaults(language, texts[1])) ?? 0) > 0);
    });
  }

  test("many at once are each of their own text", async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `a${index};\n`);
    const found = await Promise.all(
      texts.map(async (text) => {
        using tree = await parse("javascript", text);
        return tree?.root.text;
      }),
    );
    assert.deepEqual(found, texts);
  });

  test("places count as they do in JavaScript", async () => {
    const text = 'const a = "\u{1f3b5}\u00fc"; go();\n';
    using tree = await parse("javascript", text);
    const call = tree?.root.namedChild(1);
    assert.equal(text.slice(call?.startIndex, call?.endIndex), "go();");
  });

  test("texts that are too long have none", async () => {
    assert.equal(await parse("javascript", " ".repeat(4_194_305)), undefined);
  });
});

describe("scripts of a page", () => {
  test("stand where they stood, everything else blank", () => {
    const page = "<p>a</p>\n<script>\nb();\n</script>\r\n<p>c</p>";
    const scripts = scriptsOf(page);
    assert.equal(scripts.length, page.length);
    assert.equal(scripts.indexOf("b();"), page.indexOf("b();"));
    assert.equal(scripts.replaceAll(/\s/g, ""), "b();");
    assert.equal(scripts.split("\n").length, page.split("\n").length);
  });

  test("that hold data are none", () => {
    assert.equal(scriptsOf('<script type="application/json">{"a":1}</script>').trim(), "");
    assert.match(scriptsOf('<script type="module">a();</script>'), /a\(\);/);
  });

  test("are as long as the page, whatever it holds", () => {
    const part = fc.constantFrom(
      "<script>",
      "</script>",
      "<script src=a>",
      "a",
      "\n",
      "\r\n",
      '"',
      "<",
      "\u2028",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
        const page = parts.join("");
        assert.equal(scriptsOf(page).length, page.length);
      }),
    );
  });
});
