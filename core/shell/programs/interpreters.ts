import type { Word } from "./effects.ts";
import type { Followed } from "./follow.ts";
import { follow } from "./follow.ts";
import { JAVASCRIPT } from "./code/javascript.ts";
import { readOther } from "./code/others.ts";
import { readCode } from "./code/read-code.ts";
import { node } from "./node.ts";
import { python } from "./python.ts";
import type { Scene } from "./scene.ts";
import { changedInPlace } from "./sed.ts";
import type { Conduct, Table } from "./table.ts";

/** Text of a program, from its words or its standard input. */
export function code(text: Word, scene: Scene, read: (text: string, scene: Scene) => void): void {
  if (text.text === undefined) scene.unknown("code");
  else read(text.text, scene);
}

/** A script file, or standard input when there is none. */
export function program(
  operands: readonly Word[],
  scene: Scene,
  read: (text: string, scene: Scene) => void,
): void {
  const [file] = operands;
  if (file !== undefined && file.text !== "-" && file.text !== "/dev/stdin") return scene.script(file);
  const { stdin } = scene.call;
  if (stdin.kind === "text") read(stdin.text, scene);
  else scene.unknown("code");
}

/** An interpreter of which only the plainest texts are understood. */
function other(
  options: string,
  texts: readonly string[],
  more?: (scene: Scene, line: Followed) => boolean,
): Conduct {
  return (scene) => {
    const line = follow(`v | + ${options}`, scene);
    const given = line.all(...texts);
    for (const text of given) code(text, scene, readOther);
    if (more?.(scene, line) === true) return;
    if (given.length === 0 && !line.has("v", "version", "c")) program(line.operands, scene, readOther);
  };
}

/** `-i`, `-n`, `-p` of Perl and Ruby: the files behind the text are read, or changed in place. */
function inPlace(scene: Scene, line: Followed): boolean {
  if (!line.has("e", "E")) {
    if (line.has("i"))
      line.operands.slice(1).forEach((word) => changedInPlace(word, line.all("i")[0], scene));
    return false;
  }
  for (const word of line.operands) {
    // Perl opens them as its `open` of two arguments does: `>file` writes, `command|` runs.
    if (/^\s*[<>|+]|\|\s*$/.test(word.text ?? word.known ?? "")) scene.unknown("code", "write");
    if (line.has("i")) changedInPlace(word, line.all("i")[0], scene);
    else if (line.has("n", "p")) scene.read(word);
  }
  return true;
}

export const INTERPRETERS: Table = {
  "node nodejs": node,
  "python python2 python3 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 pypy pypy3":
    python,
  perl: other("e: E: i:: I:c M:c m:c F: x::c d!c", ["e", "E"], inPlace),
  ruby: other("e: i:: I:c r:c C:d F: E: K: x::c S!c encoding: 0::", ["e"], inPlace),
  "php php8 php7": other("r: f:x c:c d:c z:c B:c R:c E:c F:x S:u t: s!v n!v i!v l!v m!v", [
    "r",
    "B",
    "R",
    "E",
  ]),
  "lua luajit lua5.4": other("e: l:c", ["e"]),
  "Rscript R": other("e: f:x file:x args!v", ["e"]),
  "tclsh wish expect": other("c:c f:x b:x", []),
  osascript: "!c v",
  java: (scene) => {
    const { operands } = follow(
      "v | + - jar:x cp: classpath: p: module-path: m: module: add-modules: add-opens: add-exports:",
      scene,
    );
    if (
      scene.args.some(({ text, known }) =>
        /^-(?:javaagent|agent|Xbootclasspath|XX:OnError|XX:OnOutOfMemory|XX:Flags|@)/.test(
          text ?? known ?? "-agent",
        ),
      )
    )
      scene.unknown("code");
    operands
      .filter(({ text }) => text?.endsWith(".java"))
      .slice(0, 1)
      .forEach((word) => scene.script(word));
  },
  "jshell groovy scala kotlin clojure ghci irb pry erl iex elixir julia octave matlab": "!c v",
  deno: (scene) => {
    const { operands } = follow("v | + L: log-level: config:r c:r", scene);
    const [what, ...rest] = operands;
    scene.args = rest;
    if (what?.text === "eval")
      code(follow("v | + ext: env-file::r", scene).operands[0] ?? { text: undefined }, scene, javascript);
    else if (what?.text === "run")
      program(
        follow("v | + = c:r config:r import-map:r L: r:: preload:x env-file::r", scene).operands,
        scene,
        javascript,
      );
    else if (what?.text === "fmt" && !rest.some(({ text }) => text === "--check")) scene.unknown("write");
    else if (!/^(?:test|check|lint|info|doc|types|bench|help|fmt|task|--version)$/.test(what?.text ?? ""))
      scene.unknown("code");
  },
  "tsx ts-node esno ts-node-esm vite-node babel-node": (scene) => {
    const line = follow(
      "v | + = e: eval: p: print: r:x require:x import:x tsconfig:r P:r project:r O: env-file:r",
      scene,
    );
    const texts = line.all("e", "eval", "p", "print");
    for (const text of texts) code(text, scene, javascript);
    if (texts.length > 0 || line.has("test")) return;
    const operands = line.operands[0]?.text === "watch" ? line.operands.slice(1) : line.operands;
    program(operands, scene, javascript);
  },
};

export function javascript(text: string, scene: Scene): void {
  readCode(text, JAVASCRIPT, scene);
}
