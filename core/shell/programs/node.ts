import { JAVASCRIPT } from "./code/javascript.ts";
import { readCode } from "./code/read-code.ts";
import type { Word } from "./effects.ts";
import { follow } from "./follow.ts";
import { packageScript } from "./package-scripts.ts";
import type { Scene } from "./scene.ts";
import { literal } from "./words.ts";

const OPTIONS =
  "e: eval: p!v print:: r: require: import: loader: experimental-loader: C: conditions: env-file:r env-file-if-exists:r input-type: inspect-port: test-name-pattern: test-skip-pattern: test-reporter: test-reporter-destination:w test-concurrency: test-timeout: test-shard: test-isolation: watch-path: title: run: icu-data-dir:r openssl-config:c redirect-warnings:w diagnostic-dir:w report-dir:w report-directory:w cpu-prof-dir:w heap-prof-dir:w trace-event-file-pattern:w build-snapshot!w build-snapshot-config:c snapshot-blob:c experimental-sea-config:c i!c interactive!c unhandled-rejections: dns-result-order: stack-trace-limit: max-http-header-size: secure-heap: test-global-setup:x test-update-snapshots!w tls-cipher-list: tls-keylog:w disable-warning: localstorage-file:w allow-fs-read: allow-fs-write:";

/** Node: text on the command line or standard input, or a file that is run. */
export function node(scene: Scene): void {
  const line = follow(`v | + = ${OPTIONS}`, scene);
  for (const word of line.all("r", "require", "import", "loader", "experimental-loader"))
    preload(word, scene);
  for (const word of line.all("test-reporter"))
    if (!/^(?:spec|tap|dot|junit|lcov)$/.test(word.text ?? "")) preload(word, scene);
  for (const word of line.all("run")) packageScript(word, [], scene);
  const texts = [...line.all("e", "eval", "print")];
  const operands = [...line.operands];
  if (line.has("p", "print") && texts.length === 0) texts.push(operands.shift() ?? { text: undefined });
  for (const { text } of texts) {
    if (text === undefined) scene.unknown("code");
    else readCode(text, JAVASCRIPT, scene);
  }
  if (texts.length > 0 || line.has("run", "v", "version", "h", "help", "v8-options")) return;
  if (line.has("check", "c")) return operands.forEach((word) => scene.read(word));
  if (line.has("test")) return operands.forEach((word) => testFile(word, scene));
  const [file] = operands;
  if (file === undefined || file.text === "-") return input(scene);
  scene.script(file);
}

function preload(word: Word, scene: Scene): void {
  if (word.text === undefined || word.text.startsWith("data:")) scene.unknown("code");
  else if (/^\.{0,2}\//.test(word.text)) scene.script(word);
  else if (!/^(?:\w+:|#)/.test(word.text)) installed(word.text, scene);
  else if (word.text.startsWith("file:")) scene.script(literal(word.text.replace(/^file:(?:\/\/)?/, "")));
}

/** A package by its name, where the folder above or its own holds it. */
function installed(name: string, scene: Scene): void {
  const [first = "", second] = name.split("/");
  const own = first.startsWith("@") && second !== undefined ? `${first}/${second}` : first;
  for (let up = ""; up.length < 30; up += "../") {
    const place = `${up}node_modules/${own}`;
    if (scene.kind(literal(place)) === "folder") return scene.module(literal(place));
  }
}

function testFile(word: Word, scene: Scene): void {
  if (word.text === undefined) scene.unknown("code");
  else if (scene.kind(word) === "folder") scene.suite(word);
  else if (/[*?[{]/.test(word.text)) scene.suite(literal(`${/^[^*?[{]*\//.exec(word.text)?.[0] ?? ""}.`));
  else scene.script(word);
}

function input(scene: Scene): void {
  const { stdin } = scene.call;
  if (stdin.kind === "text") readCode(stdin.text, JAVASCRIPT, scene);
  else scene.unknown("code");
}
