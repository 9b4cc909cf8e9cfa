import type { Subject } from "../../plugin.ts";
import type { HookEvent } from "./dialect.ts";
import { kindOf, type ToolKind } from "./tool-kinds.ts";

/** What a call of a tool says of itself; `paths` as they were written. */
export type ToolFacts = Pick<Subject, "tool" | "name" | "command" | "paths" | "urls" | "content" | "input">;

const COMMAND = /^(command|cmd|script|commandline|chars|input)$/;
const PATH =
  /(^|_)(path|paths|file|files|filename|dir|directory|folder|cwd|workdir|root|target|destination|source|uri)$/;
const CONTENT = /^(content|contents|newstring|newstr|newsource|newtext|text|codeedit|patch|diff|data|body)$/;
const PATCH = "*** Begin Patch";
const MOST = 1_000;
/** Parts of an input that may name a folder, and what lies in it, apart from each other. */
const FOLDER = /^(base|cwd|dir|directory|folder|path|root|parent|workdir)$/;
const NAME = /^(entry|file|filename|filepath|item|key|member|name|path|relativepath)$/;
const MOST_JOINED = 20;

/** Reads the input of a tool. What it names is looked for at every depth, since tools of MCP servers have any shape. */
export function toolFacts(name: string, input: HookEvent, kind: ToolKind = kindOf(name)): ToolFacts {
  const found = new Found();
  found.look(input, "", 0);
  const patch = kind === "edit" && found.patches.length > 0 ? found.patches.join("\n") : undefined;
  const joined = kind === "mcp" || kind === "other" ? joinedPaths(input) : [];
  const paths = [...found.paths, ...(patch === undefined ? joined : patchedFiles(patch))];
  const contents = patch === undefined ? found.contents : [...found.contents, addedLines(patch)];
  return {
    tool: kind,
    name: name.slice(0, 200),
    input,
    paths: [...new Set(paths)].slice(0, MOST),
    urls: [...new Set(found.urls)].slice(0, MOST),
    ...(kind === "shell" && found.commands.length > 0 && { command: found.commands.join("\n") }),
    ...(contents.length > 0 && { content: contents.join("\n") }),
  };
}

class Found {
  readonly commands: string[] = [];
  readonly patches: string[] = [];
  readonly paths: string[] = [];
  readonly urls: string[] = [];
  readonly contents: string[] = [];

  look(value: unknown, key: string, depth: number): void {
    if (typeof value === "string") this.#text(value, key);
    else if (Array.isArray(value)) {
      // Codex's own shell takes the words of a command.
      if (COMMAND.test(plain(key)) && value.every((word) => typeof word === "string")) this.#words(value);
      else for (const member of value) this.look(member, key, depth + 1);
    } else if (typeof value === "object" && value !== null) {
      if (depth > 64) throw new RangeError("The input of the tool is nested too deep.");
      for (const [name, member] of Object.entries(value)) this.look(member, name, depth + 1);
    }
  }

  #words(words: readonly string[]): void {
    this.commands.push(words.map(quoted).join(" "));
    this.patches.push(...words.filter((word) => word.includes(PATCH)));
  }

  #text(value: string, key: string): void {
    if (value.includes(PATCH)) this.patches.push(value);
    const name = plain(key);
    if (COMMAND.test(name)) this.commands.push(value);
    if (CONTENT.test(name)) this.contents.push(value);
    const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value);
    if (!address && PATH.test(snake(key)) && !CONTENT.test(name)) this.paths.push(value);
    if (value.startsWith("file://")) this.paths.push(pathOf(value));
    if (CONTENT.test(name) || COMMAND.test(name)) return;
    for (const [url] of value.matchAll(/\bhttps?:\/\/[^\s"'<>`]+/gi)) this.urls.push(normalized(url));
  }
}

/** A folder and a name in it that stand side by side: together they may be what a tool opens. */
function joinedPaths(input: HookEvent): readonly string[] {
  const texts = Object.entries(input).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && /^[^\n]{1,1000}$/.test(entry[1]),
  );
  const folders = texts.filter(([key]) => FOLDER.test(plain(key))).slice(0, MOST_JOINED);
  const names = texts.filter(([key, value]) => NAME.test(plain(key)) && !/^([/\\~]|\w+:)/.test(value));
  return folders.flatMap(([key, folder]) =>
    names
      .filter(([other]) => other !== key)
      .slice(0, MOST_JOINED)
      .map(([, name]) => `${folder}/${name}`),
  );
}

/** A word as a shell has to be given it. */
function quoted(word: string): string {
  return /^[\w./:,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function plain(key: string): string {
  return key.toLowerCase().replaceAll(/[_-]/g, "");
}

function snake(key: string): string {
  return key
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll("-", "_");
}

function normalized(url: string): string {
  return URL.canParse(url) ? new URL(url).href : url;
}

function pathOf(url: string): string {
  return URL.canParse(url) ? decodeURIComponent(new URL(url).pathname) : url.slice("file://".length);
}

/** The files of a patch in the form of Codex's apply_patch. */
function patchedFiles(patch: string): readonly string[] {
  return [...patch.matchAll(/^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm)].map(
    ([, path = ""]) => path.trim(),
  );
}

function addedLines(patch: string): string {
  return [...patch.matchAll(/^\+(.*)$/gm)].map(([, line = ""]) => line).join("\n");
}
