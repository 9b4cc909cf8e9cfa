import { posix } from "node:path";
import type { Word } from "./effects.ts";
import type { Followed } from "./follow.ts";
import { follow } from "./follow.ts";
import { remote } from "./git-config.ts";
import type { Scene } from "./scene.ts";
import type { Table } from "./table.ts";
import { lastPart, literal } from "./words.ts";

const OPTIONS =
  "t: target-directory: S: suffix: m: mode: o: owner: g: group: backup:: Z:: context:: reflink:: sparse: preserve:: no-preserve: update::";

/** Where a source comes to stand: below the target if that is a folder. */
function placeOf(source: Word, target: Word, below: boolean): Word {
  const name = lastPart(source);
  if (target.text === undefined || !below || name === "" || /^\.{1,2}$/.test(name)) return target;
  return literal(posix.join(target.text, name));
}

function places(scene: Scene, each: (source: Word, place: Word, line: Followed) => void): void {
  const line = follow(`v | ${OPTIONS}`, scene);
  const [named] = line.all("t", "target-directory");
  const operands = [...line.operands];
  const target = named ?? (operands.length > 1 ? operands.pop() : literal("."));
  if (target === undefined) return;
  const below =
    named !== undefined ||
    (!line.has("T", "no-target-directory") &&
      (operands.length > 1 || target.text?.endsWith("/") === true || scene.kind(target) === "folder"));
  if (operands.length > 1 && scene.kind(target) !== "folder") scene.write(target);
  const whole = (source: Word) =>
    source.text === undefined || target.text === undefined
      ? target
      : literal(posix.join(target.text, source.text));
  for (const source of operands)
    each(source, line.has("parents") ? whole(source) : placeOf(source, target, below), line);
}

const copy = (scene: Scene): void =>
  places(scene, (source, place, line) => {
    scene.read(source);
    scene.write(place);
    if (line.has("l", "link", "s", "symbolic-link")) scene.write(source);
  });

const move = (scene: Scene): void =>
  places(scene, (source, place) => {
    scene.read(source);
    scene.write(source);
    scene.write(place);
  });

/** A hard link makes a file writable by another name, so that file counts as written. Where a symbolic link leads is looked up later. */
const link = (scene: Scene): void =>
  places(scene, (source, place, line) => {
    scene.read(source);
    if (!line.has("s", "symbolic")) scene.write(source);
    else if (source.text !== undefined && place.text !== undefined && !source.text.startsWith("/"))
      scene.read(literal(posix.join(posix.dirname(place.text), source.text)));
    scene.write(place);
  });

const install = (scene: Scene): void => {
  if (!scene.args.some(({ text }) => text === "-d" || text === "--directory")) {
    if (scene.args.some(({ text }) => text?.startsWith("--strip-program") === true)) scene.unknown("code");
    return copy(scene);
  }
  follow(`w | ${OPTIONS}`, scene);
};

const dd = (scene: Scene): void => {
  for (const word of scene.args) {
    const [, name, value = ""] = /^(\w+)=([^]*)$/.exec(word.text ?? word.known ?? "") ?? [];
    const path: Word = word.text === undefined ? { text: undefined } : literal(value);
    if (name === "of") scene.write(path);
    else if (name === "if") scene.read(path);
    else if (word.text === undefined && name === undefined) scene.unknown("read", "write");
  }
  // Its input is its standard input by then.
  const named = (key: string) =>
    scene.args.find(({ text }) => text?.startsWith(key))?.text?.slice(key.length);
  const input = named("if=");
  if (input !== undefined && /^\/(?:dev\/stdin|(?:dev|proc\/[\w-]+)\/fd\/0)$/.test(named("of=") ?? ""))
    scene.write(literal(input));
};

const REMOTE = /^(?:[\w.-]+@)?[\w.-]{2,}:|^(?:rsync|sftp|scp|ssh):\/\//;

/** rsync, scp and sftp: the last operand is written, `host:path` is an address. */
function transfer(options: string): (scene: Scene) => void {
  return (scene) => {
    const { operands, has } = follow(`v | ${options}`, scene);
    const target = operands.length > 1 ? operands.at(-1) : undefined;
    const sources = target === undefined ? operands : operands.slice(0, -1);
    for (const word of operands) if (word.text !== undefined && REMOTE.test(word.text)) remote(word, scene);
    for (const source of sources) {
      if (REMOTE.test(source.text ?? "")) continue;
      scene.read(source);
      if (has("remove-source-files")) scene.write(source);
    }
    if (target === undefined || REMOTE.test(target.text ?? "") || has("n", "dry-run")) return;
    for (const source of sources) {
      const whole = source.text?.endsWith("/") === true;
      const below =
        !whole &&
        (scene.kind(target) === "folder" || target.text?.endsWith("/") === true || sources.length > 1);
      const own = literal(source.text?.replace(/^[^/]*:/, "") ?? "");
      scene.write(
        has("delete", "del", "delete-after", "delete-before")
          ? target
          : placeOf(source.text === undefined ? source : own, target, below),
      );
    }
  };
}

export const COPYING: Table = {
  "cp gcp": copy,
  "mv gmv": move,
  "ln gln link": link,
  "install ginstall": install,
  "dd gdd": dd,
  rsync: transfer(
    "e:s rsh:s rsync-path:c f: filter: T:w temp-dir:w files-from:r exclude-from:r include-from:r exclude: include: log-file:w backup-dir:w partial-dir:w write-batch:w only-write-batch:w read-batch:r password-file:r compare-dest: copy-dest: link-dest: max-size: min-size: timeout: chmod: chown: B: bwlimit: port: out-format: info: debug: remove-sent-files!w",
  ),
  scp: transfer("P: i:r o:c F:r S:s c: l: J: D:c X:"),
  sftp: "!n v",
};
