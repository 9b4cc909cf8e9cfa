import { jsonValue } from "../../schema/json.ts";
import agents from "../../guard/own/agents.json" with { type: "json" };
import type { Subject } from "../../plugin.ts";
import { type HookEvent } from "./dialect.ts";

/** The kind of a tool. */
export type ToolKind = NonNullable<Subject["tool"]>;

/**
 * Names of built-in tools by the kind of tool, from the agents' documentation of November 2026; case, `_` and `-` are
 * ignored. Tools that forward calls to MCP servers are `mcp`. A tool without an entry is `other` and judged by its
 * values.
 */
const BY_NAME = new Map(
  Object.values(agents).flatMap(({ tools }) =>
    Object.entries(tools).flatMap(([kind, names]) =>
      names.split(" ").map((name) => [plain(name), kind as ToolKind] as const),
    ),
  ),
);

/**
 * The kind of a tool by the name that an agent gives it. Tools of MCP servers are `mcp__<server>__<tool>`, in Cursor `MCP:<tool>`,
 * in Gemini CLI `mcp_<server>_<tool>`.
 */
export function kindOf(name: string): ToolKind {
  if (/^mcp[_:]/i.test(name)) return "mcp";
  return BY_NAME.get(plain(name)) ?? "other";
}

/** The facts of a tool call; `paths` and `folder` as they were written. */
export type ToolFacts = Pick<
  Subject,
  "tool" | "name" | "command" | "paths" | "urls" | "content" | "input" | "text"
> & {
  /** The working folder in the input of the call. */
  readonly folder?: string;
};

const COMMAND = /^(command|cmd|script|commandline|chars|input)$/;
const PATH =
  /(^|_)(path|paths|file|files|filename|dir|dirs|directory|directories|folder|folders|cwd|workdir|root|target|destination|source|uri|notebook)$/;
const FOLDER = /^(cwd|workdir|workingdir|workingdirectory|dirpath|directory|folder)$/;
/** Keys by which tools of MCP servers name the project folder of their other paths. */
const PROJECT =
  /^(?:project|repo|repository|workspace|base)(?:path|root|dir|folder)$|^root(?:dir|path|folder)?$/;
/** Keys of reading and searching tools with file patterns, and keys whose text is not a path. */
const FILE_PATTERN = /^(glob|globs|globpattern|include|includes|includepattern|filepattern|fileglob)$/;
const QUESTION = /^(pattern|regex|query|search|searchterm|text|explanation|description|prompt|exclude.*)$/;
const CONTENT = /^(content|contents|newstring|newstr|newsource|newtext|text|codeedit|patch|diff|data|body)$/;
const PATCH = "*** Begin Patch";
const MOST_PATHS = 1_000;
const LONGEST_PATH = 4_096;
const DEEPEST = 64;

/**
 * Reads the input of a tool at every depth. Built-in tools of agents have known keys; of all other tools, such as those
 * of MCP servers, each string that looks like a path counts as one, under any key.
 * @throws RangeError for an input that is nested deeper than 64 levels or names more than 1,000 paths
 */
export function toolFacts(name: string, input: HookEvent, kind: ToolKind = kindOf(name)): ToolFacts {
  const reader = new InputReader(name, kind);
  reader.read(input, "", 0);
  const { folder, project, isForeign } = reader;
  const patch = kind === "edit" && reader.patches.length > 0 ? reader.patches.join("\n") : undefined;
  const named = [...reader.paths, ...(patch === undefined ? [] : patchedFiles(patch))];
  const start = folder ?? project;
  const fromFolder = start === undefined || kind === "shell" ? [] : inFolder(named, start);
  const words = isForeign && folder !== undefined ? inFolder(wordsOf(reader.texts), folder) : [];
  const paths = [...new Set([...named, ...fromFolder, ...words])];
  refuseMany(paths.length);
  const contents = patch === undefined ? reader.contents : [...reader.contents, addedLines(patch)];
  return {
    tool: kind,
    name: name.slice(0, 200),
    input,
    paths,
    urls: [...new Set(reader.urls)].slice(0, MOST_PATHS),
    ...(kind === "shell" && reader.commands.length > 0 && { command: reader.commands.join("\n") }),
    ...(contents.length > 0 && { content: contents.join("\n") }),
    ...(isForeign && { text: reader.texts.join("\n") }),
    ...(folder !== undefined && { folder }),
  };
}

/** The strings of an input by their meaning. */
class InputReader {
  readonly commands: string[] = [];
  readonly patches: string[] = [];
  readonly paths: string[] = [];
  readonly urls: string[] = [];
  readonly contents: string[] = [];
  /** Every key and string. */
  readonly texts: string[] = [];
  folder: string | undefined;
  project: string | undefined;
  /** The tool is not built into an agent. */
  readonly isForeign: boolean;
  readonly #isFinder: boolean;
  /** The pattern of the tool matches file names. */
  readonly #isGlob: boolean;
  /** The remaining number of characters of JSON texts. */
  #room = 512 * 1024;

  constructor(name: string, kind: ToolKind) {
    this.isForeign = kind === "mcp" || kind === "other";
    this.#isFinder = kind === "search" || kind === "read";
    this.#isGlob = /^glob/i.test(name);
  }

  read(value: unknown, key: string, depth: number): void {
    if (depth > DEEPEST) throw new RangeError("The input of the tool is nested too deeply.");
    if (typeof value === "string") this.#text(value, key, depth);
    else if (Array.isArray(value)) {
      // Codex's own shell takes the words of a command.
      if (COMMAND.test(plain(key)) && isWords(value)) this.#words(value);
      else for (const member of value) this.read(member, key, depth + 1);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        this.texts.push(name);
        if (this.isForeign) this.#path(name);
        this.read(member, name, depth + 1);
      }
    }
  }

  #words(words: readonly string[]): void {
    this.commands.push(words.map(quoted).join(" "));
    this.patches.push(...words.filter((word) => word.includes(PATCH)));
    this.texts.push(...words);
    if (this.isForeign) for (const word of words) this.#path(word);
  }

  #text(value: string, key: string, depth: number): void {
    this.texts.push(value);
    if (value.includes(PATCH)) this.patches.push(value);
    const name = plain(key);
    if (FOLDER.test(name)) this.folder ??= value;
    if (this.isForeign) {
      if (PROJECT.test(name)) this.project ??= value;
      this.paths.push(...diffedFiles(value));
      // Some tools take their input as a text.
      const inner = value.length <= this.#room ? jsonIn(value) : undefined;
      if (inner !== undefined) {
        this.#room -= value.length;
        this.read(inner, key, depth + 1);
      }
    }
    if (COMMAND.test(name)) this.commands.push(value);
    if (CONTENT.test(name)) this.contents.push(value);
    const isAddress = /^[a-z][a-z0-9+.-]{0,30}:\/\//i.test(value);
    if (this.isForeign || (this.#isFinder && !QUESTION.test(name))) this.#path(value);
    if (this.#isFinder && (FILE_PATTERN.test(name) || (this.#isGlob && name === "pattern")))
      this.paths.push(value);
    if (!isAddress && PATH.test(snake(key)) && !CONTENT.test(name)) this.paths.push(value);
    else if (/^file:/i.test(value)) this.paths.push(pathOf(value));
    if (CONTENT.test(name) || COMMAND.test(name)) return;
    // Programs remove tabs and line breaks from an address.
    const address = /[\t\n\r]/.test(value) ? value.replaceAll(/[\t\n\r]/g, "").trim() : "";
    if (/^https?:\/\/\S+$/i.test(address)) this.urls.push(normalized(address));
    for (const [url] of value.matchAll(/\bhttps?:\/\/[^\s"'<>`]+/gi)) this.urls.push(normalized(url));
  }

  /**
   * A string of one line that contains a separator, begins like the names of hidden files and of the home folder, or
   * ends like names of files.
   */
  #path(value: string): void {
    if (value.length > LONGEST_PATH || /[\n\r\0]/.test(value)) return;
    if (/^[a-z][a-z0-9+.-]{0,30}:\/\//i.test(value)) return;
    const isFile = this.isForeign && /^[\w@-][\w.@-]*\.[a-z]\w{0,9}(?:$|[#:])/i.test(value);
    if (!/[/\\]/.test(value) && !/^[.~]/.test(value) && !isFile) return;
    this.paths.push(value);
    // A place in a file.
    const [, file] = (this.isForeign && /^(.*\.\w{1,10})(?:#|::?\w)[^/\\]*$/.exec(value)) || [];
    if (file !== undefined) this.paths.push(file);
  }
}

/** The words of texts that can be names of files, each once. @throws RangeError for more than 1,000 */
function wordsOf(texts: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const text of texts) {
    for (const [word] of text.matchAll(/[^\s"'`;|&<>(){}=,]+/g))
      if (word.length <= LONGEST_PATH) found.add(word);
    refuseMany(found.size);
  }
  return [...found];
}

/** @throws RangeError */
function refuseMany(count: number): void {
  if (count > MOST_PATHS) throw new RangeError(`The input of the tool names more than ${MOST_PATHS} paths.`);
}

/** Relative paths from a folder that the call names, which may itself be relative. */
function inFolder(paths: readonly string[], folder: string): readonly string[] {
  return paths.flatMap((path) =>
    path === folder || /^([/\\~]|[A-Za-z]:)/.test(path) ? [] : [`${folder}/${path}`],
  );
}

/** A word, quoted for a shell if necessary. */
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
  try {
    return decodeURIComponent(new URL(url).pathname);
  } catch {
    return url.replace(/^file:(\/\/)?/i, "");
  }
}

const DIFF_HEAD =
  /^(---|\+\+\+|rename (?:from|to)|diff --git|Index:|\*\*\* (?:(?:Add|Update|Delete) File|Move to):) ([^\t\r\n]{1,4096})/gm;

/** The files that the heads of a diff, or of a patch of Codex, name. @throws RangeError for more than 1,000 */
function diffedFiles(text: string): readonly string[] {
  const found = new Set<string>();
  for (const [, head = "", rest = ""] of text.matchAll(DIFF_HEAD)) {
    // A deleted file, or a change of mode, has no other line: `diff --git a/x b/x`.
    const names = head.startsWith("diff") ? rest.split(/ (?=[a-z]\/)/) : [rest];
    for (const name of names) if (name !== "/dev/null") found.add(name).add(name.replace(/^[a-z]\//, ""));
    refuseMany(found.size);
  }
  return [...found];
}

/** The object or list in a JSON text. */
function jsonIn(text: string): unknown {
  return text.length >= 4 && /^\s*[{[]/.test(text) ? jsonValue(text) : undefined;
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

/** Keys with shell commands, or with a program next to its words, of tools that are not built into an agent. */
const COMMAND_TEXT = /^(?:(?:command|cmd|script|commandline)s?|run|while)$/;
/** Tools whose commands, or whose scripts, are in another language. */
const OTHER_COMMANDS = /sql|query|database|redis|mongo|(?:^|[_:])db_/i;
const OTHER_SCRIPTS = /browser|evaluat|page|playwright|puppeteer|javascript|python/i;
const PROGRAM = /^(?:command|cmd|script|program|executable)$/;
const WORDS = /^(?:args|arguments|argv)$/;
const MOST_JSON = 512 * 1024;

/**
 * The commands in the input of a tool that is not built into an agent: texts, lists of words, and a program with its
 * words.
 */
export function* commandsIn(tool: string, value: unknown, key = "", depth = 0): Generator<string> {
  if (depth > DEEPEST) return;
  if (typeof value === "string") {
    const isOther = OTHER_COMMANDS.test(tool) || (key.startsWith("script") && OTHER_SCRIPTS.test(tool));
    if (COMMAND_TEXT.test(key) && !isOther) yield value;
    const inner = value.length <= MOST_JSON ? jsonIn(value) : undefined;
    if (inner !== undefined) yield* commandsIn(tool, inner, key, depth + 1);
  } else if (Array.isArray(value)) {
    if (COMMAND.test(key) && isWords(value)) yield value.map(quoted).join(" ");
    else for (const member of value) yield* commandsIn(tool, member, key, depth + 1);
  } else if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([name, member]) => [plain(name), member as unknown] as const);
    const program = members.find(([name, member]) => PROGRAM.test(name) && typeof member === "string")?.[1];
    const words = members.find(([name, member]) => WORDS.test(name) && Array.isArray(member))?.[1];
    if (typeof program === "string" && Array.isArray(words))
      yield [program, ...words.map((word) => quoted(String(word)))].join(" ");
    for (const [name, member] of members) yield* commandsIn(tool, member, name, depth + 1);
  }
}

/** Tools of the kind `shell` that end a command or wait for one, without a command of their own. */
const WORDLESS = /^(killshell|writestdin|writeshellstdin)$/;
const COMMANDS = ["command", "cmd", "script"];

/**
 * The command of a shell call: `found` is the one that its input names. Undefined if the input names none, or has
 * a value other than a text or a list of texts in its place; empty for a tool without a command.
 */
export function shellCommand(
  name: string,
  input: HookEvent | undefined,
  found: string | undefined,
): string | undefined {
  if (input && COMMANDS.some((key) => input[key] !== undefined && !isText(input[key]))) return undefined;
  return found ?? (WORDLESS.test(plain(name)) ? "" : undefined);
}

function isText(value: unknown): boolean {
  return typeof value === "string" || (Array.isArray(value) && isWords(value));
}

function isWords(value: readonly unknown[]): value is readonly string[] {
  return value.every((one) => typeof one === "string");
}
