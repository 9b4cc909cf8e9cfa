import assert from "node:assert/strict";
import { test } from "node:test";
import { outputText } from "./verbs/run.ts";
import { columnsOf, fitted, jsonResult, onTerminal, printable, table, wrapped } from "./text.ts";

test("control and bidi characters are shown as escapes, tab and line feed stay", () => {
  assert.equal(
    printable("a\u001B[31mb\u0007\u009B\u007F\u202Ec\t\n"),
    "a\\u001b[31mb\\u0007\\u009b\\u007f\\u202ec\t\n",
  );
});

test("untrusted text is escaped at a terminal, except colours if a QR code is allowed; a pipe gets the bytes", () => {
  const text = "\u001B[38;5;16;48;5;231m█\u001B[0m\r\n\u001B[2J";
  assert.equal(onTerminal(text, false, true), text);
  assert.equal(onTerminal(text, true, true), "\u001B[38;5;16;48;5;231m█\u001B[0m\n\\u001b[2J");
  assert.equal(onTerminal("\u001B[0mx", true), "\\u001b[0mx");
});

test("attributes that hide text or blink are escaped", () => {
  for (const hidden of ["8", "0;8", "5", "1;6", "38;5;1;8"])
    assert.equal(onTerminal(`\u001B[${hidden}mx`, true, true), `\\u001b[${hidden}mx`);
  for (const shown of ["", "0", "1;31", "38;5;8", "38;2;8;8;8;48;5;5", "100;97", "28"])
    assert.equal(onTerminal(`\u001B[${shown}mx`, true, true), `\u001B[${shown}mx`);
});

test("a JSON result is one line that no terminal obeys and that reads back as the same value", () => {
  const output = { text: "\u009B2J\u202E\u0007 晚安" };
  const shown = jsonResult(output);
  assert.doesNotMatch(shown.slice(0, -1), /[\u0000-\u001F\u007F-\u009F\u202E]/);
  assert.deepEqual(JSON.parse(shown), { ok: true, output });
});

test("the displayed property is shown byte for byte, with one line feed at the end", () => {
  const text = "\u001B[1m## 结论\r\n\tx  ";
  assert.equal(outputText({ display: "text" }, { text }), `${text}\n`);
  assert.equal(outputText({ display: "text" }, { text: "a\n\n" }), "a\n\n");
  assert.equal(outputText({ display: "text" }, { text: "" }), "\n");
});

test("without a displayed text the whole output is shown as indented JSON", () => {
  assert.equal(outputText({}, { a: [1] }), '{\n  "a": [\n    1\n  ]\n}\n');
  assert.equal(outputText({ display: "n" }, { n: 1 }), '{\n  "n": 1\n}\n');
});

test("text is wrapped between words, and wide characters count twice", () => {
  assert.equal(wrapped("aaaa bbbb cccc dddd eeee", 20, 2), "aaaa bbbb cccc dddd\n  eeee");
  assert.equal(wrapped("播放量比上个月多了三成，", 21), "播放量比上个月多了\n三成，");
  assert.equal(columnsOf("晚安x"), 5);
  assert.equal(fitted("晚安xyz", 4), "晚安");
  assert.equal(fitted("晚安xyz", 3), "晚");
});

test("a table keeps its columns, and a long left cell gets a line of its own", () => {
  assert.equal(
    table(
      [
        ["a", "first"],
        ["bb", "second"],
      ],
      80,
    ),
    "  a   first\n  bb  second\n",
  );
  const long = "x".repeat(40);
  assert.equal(table([[long, "text"]], 80), `  ${long}\n      text\n`);
});
