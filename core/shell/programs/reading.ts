import type { Followed } from "./follow.ts";
import { follow } from "./follow.ts";
import type { Scene } from "./scene.ts";
import type { Table } from "./table.ts";

/* An option stands here as one with a value only if it always has one: else an operand would be taken for its value. */
const GREP =
  "v?e,f,regexp,file r | e: regexp: f:r file:r A: B: C: m: d: D: after-context: before-context: context: max-count: directories: devices: include: exclude: exclude-from:r exclude-dir: label: color:: colour:: binary-files: group-separator:";
const RG =
  "v?e,f,regexp,file,files,type-list r | e: regexp: f:r file:r A: B: C: m: g: t: T: j: M: E: r: d: glob: iglob: type: type-not: type-add: max-depth: max-count: max-columns: max-filesize: context: after-context: before-context: color: colors: replace: sort: sortr: threads: encoding: engine: ignore-file:r path-separator: pre:s pre-glob: hostname-bin:s";

/** Without a file they look through the folder. */
function alone({ operands, has }: Followed): boolean {
  return operands.length < (has("e", "f", "regexp", "file") ? 1 : 2);
}

const grep = (scene: Scene): void => {
  const line = follow(GREP, scene);
  const deep =
    line.has("r", "R", "recursive", "dereference-recursive") ||
    scene.call.name === "rgrep" ||
    line.all("d", "directories").some(({ text }) => text === "recurse");
  if (alone(line) && deep) scene.read({ text: "." });
};

const ripgrep = (scene: Scene): void => {
  const line = follow(RG, scene);
  const lists = line.has("files", "type-list");
  if (!lists && alone(line) && scene.call.stdin.kind === "none") scene.read({ text: "." });
};

/** `fd -x program`: it is started with every name that is found. */
const fd = (scene: Scene): void => {
  const at = scene.args.findIndex(({ text }) => /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)$/.test(text ?? ""));
  if (scene.args.some(({ text, known }) => /^--exec(?:-batch)?=/.test(text ?? known ?? "")))
    scene.unknown("code", "write");
  if (at === -1) return;
  const words = scene.args
    .slice(at + 1)
    .map((word) => (word.text?.includes("{") === true ? { text: undefined } : word));
  scene.run([...words, { text: undefined }]);
};

const jq = (scene: Scene): void => {
  const { operands, all } = follow("v?f,from-file r | f:r from-file:r indent: L:r", scene);
  for (const { text } of operands) {
    for (const [, name] of (text ?? "").matchAll(/(?:\benv|\$ENV)\b(?:\.(\w+))?/g)) scene.use(name);
  }
  for (const { text } of operands)
    for (const [, name = ""] of (text ?? "").matchAll(/\b(?:import|include)\s+"([^"]+)"/g))
      for (const folder of ["", ...all("L").map((word) => `${word.text ?? ""}/`)])
        for (const end of [".json", ".jq"]) scene.read({ text: `${folder}${name}${end}` });
};

const less = (scene: Scene): void => {
  const { operands } = follow(
    "r | o:w O:w k:r log-file:w LOG-FILE:w lesskey-file:r lesskey-src:r lesskey-content!c P: t: T:r b: h: j: x: y: z: D:",
    scene,
  );
  if (operands.some(({ text, known }) => (text ?? known ?? "+").startsWith("+")))
    scene.unknown("code", "write");
};

/** `--files0-from`: the names of the files stand in a file. */
export function named({ all }: Followed, scene: Scene): void {
  const { stdin } = scene.call;
  for (const list of all("files0-from")) {
    const text = list.text === "-" && stdin.kind === "text" ? stdin.text : scene.text(list);
    if (text === undefined) scene.unknown("read");
    for (const name of (text ?? "").split("\0")) scene.read({ text: name });
  }
}

/** Programs that read what they name. */
export const READING: Table = {
  "cat gcat rev sum md5sum gmd5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum stat gstat ldd nm size readelf objdump":
    "r",
  "zcat bzcat xzcat gzcat zstdcat zless zmore more most look dircolors getfacl getfattr lsattr csvlook csvstat csvcut csvgrep":
    "r",
  "tac paste comm expand unexpand fold fmt column join cksum md5 shasum hexdump strings":
    "r | separator: tabs: width: delimiters: output-delimiter: files0-from:r",
  "nl cut gcut": "r | b: d: f: h: i: l: n: s: v: w: c:",
  "od god": "r | A: j: N: S: t:",
  "wc gwc": (scene) => named(follow("r | files0-from:r", scene), scene),
  file: "r | m:r f:r F: P: e: magic-file:r files-from:r separator: exclude:",
  "head tail ghead gtail": "r | n: c: lines: bytes: pid: sleep-interval: max-unchanged-stats:",
  "bat batcat":
    "r | l: H: r: m: language: highlight-line: line-range: theme: style: paging: pager:s map-syntax: tabs: file-name:",
  glow: "r | w: s: width: style:",
  "grep egrep fgrep rgrep zgrep zegrep ggrep gegrep bzgrep xzgrep": grep,
  "rg ripgrep": ripgrep,
  "ag ack ugrep": "v r | A: B: C: m: G: p:r pager:s ignore: ackrc:r",
  "diff colordiff gdiff":
    "r | U: C: W: I: x: X:r F: L: S: exclude: exclude-from:r label: from-file:r to-file:r output:w",
  "sdiff cmp diff3 wdiff": "r | o:w output:w i: n:",
  "jq gojq jaq": jq,
  tr: "v",
  iconv: "r | f: t: o:w output:w from-code: to-code:",
  "shellcheck hadolint actionlint yamllint jsonlint ajv": "r | config:r rcfile:r",
  less,
  envsubst: (scene) => scene.use(undefined),
  fzf: "v | preview:s bind:c execute:s",
  "fd fdfind": fd,
};
