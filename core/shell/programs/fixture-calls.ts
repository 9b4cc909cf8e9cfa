import assert from "node:assert/strict";
import { posix } from "node:path";
import type { ShellFiles } from "../shell-files.ts";
import { GAP, type Effects, type ProgramCall, type StandardInput, type Word } from "./effects.ts";

/** A project that is nowhere: folders end with a slash. */
const PROJECT: Readonly<Record<string, string>> = {
  "/p/": "",
  "/p/.git/": "",
  "/p/.git/config": "[core]\n",
  "/p/.git/hooks/pre-commit": "#!/bin/sh\n",
  "/p/src/": "",
  "/p/src/a.js": "1",
  "/p/src/b.js": "2",
  "/p/test/": "",
  "/p/mod/cli.py": "print(1)",
  "/p/run.sh": "npm test",
  "/p/edit.sed": "s/a/b/w out.txt",
  "/p/sum.awk": '{ print > "sums.txt" }',
  "/p/curlrc": 'url = "https://api.example.org/x"\noutput = "x.json"\n',
  "/p/package.json": JSON.stringify({
    scripts: {
      test: "node --test",
      pretest: "tsc --noEmit",
      evil: "sed -i s/a/b/ src/a.js",
      lint: "eslint src",
    },
  }),
  "/p/package-lock.json": "{}",
  "/p/Makefile": `SRC = src
FILE := $(SRC)/a.js

.PHONY: all
all: build
build:
\t@node tools/build.js
fix: prepare
\tsed -i s/a/b/ $(FILE) # one
prepare: ; touch $(SRC)/b.js
shell:
\trm -f $(shell ls) \\
\t  old.js
names:
\t-for f in a b; do echo $$f > $$f; done
%.out: src/%.js
\tcp $< $@
sub:
\t+$(MAKE) -C src fix
`,
};

const PATHS = new Map(
  Object.entries(PROJECT).map(([path, text]) => [
    path.replace(/\/$/, ""),
    { text, folder: path.endsWith("/") },
  ]),
);

export const FILES: ShellFiles = {
  text: (path) => (PATHS.get(path)?.folder === false ? PATHS.get(path)?.text : undefined),
  kind: (path) => (PATHS.has(path) ? (PATHS.get(path)?.folder === true ? "folder" : "file") : undefined),
  list: (folder) => {
    const names = [...PATHS.keys()].filter((path) => posix.dirname(path) === folder);
    return PATHS.get(folder)?.folder === true ? names.map((path) => posix.basename(path)) : undefined;
  },
  realPath: (path) => path,
};

/** A call out of a line: words with quotes; `$X` is a word, or the end of one, that is not known, `$E` a variable of the environment. */
export function call(
  line: string,
  stdin: StandardInput = { kind: "none" },
  cwd: string | undefined = "/p",
): ProgramCall {
  const words = (line.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? []).map(word);
  const path = words[0]?.text ?? "";
  return { name: path.split("/").at(-1) ?? "", path, args: words.slice(1), cwd, home: "/home/u", stdin };
}

function word(text: string): Word {
  const plain = text.replace(
    /'([^']*)'|"([^"]*)"/g,
    (_all, single?: string, double?: string) => single ?? double ?? "",
  );
  const at = /'/.test(text) ? -1 : plain.search(/\$[XE]/);
  if (at !== -1 && plain.charAt(at + 1) === "E")
    return { text: undefined, known: plain.slice(0, at), gapped: plain.replaceAll("$E", GAP) };
  return at === -1 ? { text: plain } : { text: undefined, known: plain.slice(0, at) };
}

/** Effects in one line: `w:` written, `r:` read, `u:` address, `x:` script, `e:` variable used, `s:` set, `sh{…}` shell text, `own{…}` of the project itself, `>{…}` program, `?` unknown. */
export function told(effects: Effects): string {
  const shown = ({ text, known }: Word) => text ?? `${known ?? ""}$X`;
  return [
    ...effects.writes.map((path) => `w:${path}`),
    ...effects.reads.map((path) => `r:${path}`),
    ...effects.urls.map((url) => `u:${url}`),
    ...effects.scripts.map((path) => `x:${path}`),
    ...effects.uses.map((name) => `e:${name}`),
    ...effects.sets.map((name) => `s:${name}`),
    ...effects.runs.map((run) =>
      "shell" in run
        ? `${run.own ? "own" : "sh"}${run.cwd === undefined ? "" : `(${run.cwd})`}{${shown(run.shell)}}`
        : `>{${run.map(shown).join(" ")}}`,
    ),
    ...effects.unknown.map((reason) => `?${reason}`),
  ].join(" ");
}

/** Holds lines of `command => what is told` against what is told now; ` <<< text` is standard input, `?` unknown input. */
export function check(table: string, effectsOf: (call: ProgramCall, files: ShellFiles) => Effects): void {
  const lines = table.split("\n").filter((line) => line.trim() !== "");
  const now = lines.map((line) => {
    const command = line.slice(0, line.lastIndexOf("=>")).trim();
    const [words = "", input] = command.split(" <<< ");
    const stdin: StandardInput =
      input === undefined
        ? { kind: "none" }
        : input === "?"
          ? { kind: "unknown" }
          : { kind: "text", text: input };
    return `${command} => ${told(effectsOf(call(words, stdin), FILES))}`.trim();
  });
  assert.deepEqual(
    now,
    lines.map((line) => line.trim()),
  );
}
