import agents from "../../guard/own/agents.json" with { type: "json" };
import type { Subject } from "../../plugin.ts";
import type { HookEvent } from "./dialect.ts";

/** What kind of tool a call is to. */
export type ToolKind = NonNullable<Subject["tool"]>;

/**
 * Names of built-in tools by the kind of tool, as the agents' documentation named them in November 2026; case, `_` and `-` do
 * not count. Tools that hand on to MCP servers are `mcp`. A tool that is not there (questions, plans and lists of tasks too) is
 * `other`: nothing is taken for harmless because of its name.
 */
const BY_NAME = new Map(
  Object.values(agents).flatMap(({ tools }) =>
    Object.entries(tools).flatMap(([kind, names]) =>
      names.split(" ").map((name) => [plain(name), kind as ToolKind] as const),
    ),
  ),
);

/** The kind of a tool by the name that an agent gives it. Tools of MCP servers are `mcp__<server>__<tool>`. */
export function kindOf(name: string): ToolKind {
  if (/^mcp(__|:)/i.test(name)) return "mcp";
  return BY_NAME.get(plain(name)) ?? "other";
}

/** What a call of a tool says of itself; `paths` as they were written. */
export type ToolFacts = Pick<Subject, "tool" | "name" | "command" | "paths" | "urls" | "content" | "input">;

const COMMAND = /^(command|cmd|script|commandline|chars|input)$/;
const PATH =
  /(^|_)(path|paths|file|files|filename|dir|directory|folder|cwd|workdir|root|target|destination|source|uri)$/;
const CONTENT = /^(content|contents|newstring|newstr|newsource|newtext|text|codeedit|patch|diff|data|body)$/;
const PATCH = "*** Begin Patch";
const MOST = 1_000;
/** Reads the input of a tool. What it names is looked for at every depth, since tools of MCP servers have any shape. */
export function toolFacts(name: string, input: HookEvent, kind: ToolKind = kindOf(name)): ToolFacts {
  const found = new Found();
  found.look(input, "", 0);
  const patch = kind === "edit" && found.patches.length > 0 ? found.patches.join("\n") : undefined;
  const paths = [...found.paths, ...(patch === undefined ? [] : patchedFiles(patch))];
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

/** Tools of the kind `shell` that end a command or wait for one, and need be given nothing. */
const WORDLESS = /^(killshell|writestdin|writeshellstdin)$/;
const COMMANDS = ["command", "cmd", "script"];

/**
 * What a call of a shell runs, when it can be told: `found` is what its input names. Undefined when it names nothing, or
 * something that is no text and no list of texts in its place; empty for a tool that need be given nothing.
 */
export function shellCommand(
  name: string,
  input: HookEvent | undefined,
  found: string | undefined,
): string | undefined {
  if (input && COMMANDS.some((key) => input[key] !== undefined && !isWords(input[key]))) return undefined;
  return found ?? (WORDLESS.test(plain(name)) ? "" : undefined);
}

function isWords(value: unknown): boolean {
  return typeof value === "string" || (Array.isArray(value) && value.every((one) => typeof one === "string"));
}
