import { posix } from "node:path";
import type { Word } from "./effects.ts";
import { follow } from "./follow.ts";
import { remote, setting } from "./git-config.ts";
import { repository, tree } from "./git-places.ts";
import type { Scene } from "./scene.ts";
import { runHere } from "./started.ts";
import { lastPart, literal } from "./words.ts";

export function addresses(words: readonly Word[], scene: Scene): void {
  for (const word of words) remote(word, scene);
}

export function branch(scene: Scene): void {
  const { operands, has } = follow(
    "v | u: set-upstream-to: contains: no-contains: merged:: no-merged:: sort: points-at: format: abbrev::",
    scene,
  );
  const lists = has(
    "l",
    "list",
    "a",
    "r",
    "all",
    "remotes",
    "contains",
    "merged",
    "no-merged",
    "points-at",
    "show-current",
    "v",
    "vv",
  );
  const changes = has(
    "d",
    "D",
    "m",
    "M",
    "c",
    "C",
    "u",
    "f",
    "delete",
    "move",
    "copy",
    "set-upstream-to",
    "unset-upstream",
    "edit-description",
  );
  if (changes || (operands.length > 0 && !lists)) repository(scene);
}

/** `git bisect`: `run` starts a program at every step. */
export function bisect(scene: Scene): void {
  const [what, ...words] = follow("v | + term-good: term-bad:", scene).operands;
  if (what?.text === "log" || what?.text === "visualize" || what?.text === "view") return;
  repository(scene);
  tree(scene);
  if (what?.text === "run") runHere(scene, words);
}

export function clone(scene: Scene): void {
  const { operands, all } = follow(
    "v | b: o: u:s upload-pack:s c: config: template:c depth: branch: origin: j: jobs: reference:r filter: separate-git-dir:w shallow-since: server-option: bundle-uri:u",
    scene,
  );
  for (const { text } of all("c", "config")) {
    const [name = "", ...value] = (text ?? "?").split("=");
    setting(name, literal(value.join("=")), scene);
  }
  addresses(operands.slice(0, 1), scene);
  const own = lastPart(operands[0])
    .replace(/\.git$/, "")
    .split(":")
    .at(-1);
  scene.write(operands[1] ?? { text: own === "" ? undefined : own });
}

const CONFIG_LOOKS = [
  "get",
  "get-all",
  "get-regexp",
  "get-urlmatch",
  "l",
  "list",
  "get-color",
  "get-colorbool",
];

/** `git config`: a setting that is kept is as good as one that is used. */
export function config(scene: Scene): void {
  const { operands, has, all } = follow("v | f: file: blob: type: default: comment: value: url:", scene);
  const words = /^(?:get|list|set|unset|rename-section|remove-section|edit)$/.test(operands[0]?.text ?? "")
    ? operands.slice(1)
    : operands;
  const verb = words === operands ? undefined : operands[0]?.text;
  const plain =
    verb === undefined && words.length < 2 && !has("unset", "unset-all", "e", "edit", "remove-section");
  const file = all("f", "file")[0];
  if (verb === "get" || verb === "list" || plain || has(...CONFIG_LOOKS)) {
    if (file !== undefined) scene.read(file);
    return;
  }
  if (has("e", "edit") || verb === "edit") scene.unknown("code");
  if (file !== undefined) scene.write(file);
  else if (has("global")) scene.write(literal(posix.join(scene.call.home, ".gitconfig")));
  else if (has("system")) scene.write(literal("/etc/gitconfig"));
  else repository(scene);
  const [name, value] = words;
  if (name !== undefined && value !== undefined) setting(name.text ?? "?", value, scene);
}

export function remotes(scene: Scene): void {
  const [what, , address] = follow("v | t: m: mirror::", scene).operands;
  if (what === undefined || /^(?:show|get-url)$/.test(what.text ?? "")) return;
  repository(scene);
  if (address !== undefined && /^(?:add|set-url)$/.test(what.text ?? "add")) remote(address, scene);
}

export function submodule(scene: Scene): void {
  const [what, ...words] = follow("v | + b: branch: reference: name: depth:", scene).operands;
  if (what === undefined || /^(?:status|summary)$/.test(what.text ?? "")) return;
  const text = words.filter(({ text }) => text !== "--recursive" && text !== "--quiet");
  if (what.text === "foreach")
    scene.shell({
      text: text.some((word) => word.text === undefined)
        ? undefined
        : text.map((word) => word.text).join(" "),
    });
  else {
    repository(scene);
    tree(scene);
  }
}

export function worktree(scene: Scene): void {
  const [what, ...words] = follow("v | b: B: reason: expire:", scene).operands;
  if (what === undefined || what.text === "list") return;
  repository(scene);
  for (const word of words.slice(0, what.text === "move" ? 2 : 1)) scene.write(word);
}
