import type { Subject } from "skillctl";
import words from "./words.json" with { type: "json" };

/**
 * The effects of tools that are not built into agents, such as those of MCP servers, by the words of their names and the keys
 * of their inputs (`words.json`).
 */

type List = Exclude<keyof typeof words, "about">;

const LISTS = Object.fromEntries(
  Object.entries(words).map(([list, text]) => [list, new Set(text.split(" "))]),
) as unknown as Readonly<Record<List, ReadonlySet<string>>>;

export function isForeign({ tool }: Subject): boolean {
  return tool === "mcp" || tool === "other";
}

/**
 * The words of a tool's name, without the name of its server if it is separate; for a tool `call`, the words of the
 * command that it runs.
 */
function wordsOf({ name = "", input }: Pick<Subject, "name" | "input">): readonly string[] {
  const own = name.slice(name.lastIndexOf("__") + 1).replace(/^(?:mcp[_:])/i, "");
  const { command } = { command: undefined, ...(input as object | undefined) };
  const isCall = /^_?call$/.test(own) && typeof command === "string" && /^[a-z-]+_[a-z-]+$/.test(command);
  return (isCall ? command : own)
    .slice(-100)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
}

function has(list: List, named: readonly string[]): boolean {
  return named.some((word) => LISTS[list].has(word));
}

/** Whether a tool changes the files that its input names. */
export function changesFiles(subject: Subject): boolean {
  const { input } = subject;
  const named = wordsOf(subject);
  // An editor with several commands that is asked to show a file.
  if (named.includes("str") && isAsked(input, "command", "view")) return false;
  if (has("things", named)) return false;
  const isReader = LISTS.first.has(named[0] ?? "") && !named.some((word) => /^(?:and|or|then)$/.test(word));
  if (!isReader && (has("changing", named) || has("removing", named))) return true;
  return !has("reading", named) && (carries(input, "carriers") || [...keysIn(input)].some(isFile));
}

/** Whether a tool removes its arguments. */
export function removesFiles(subject: Subject): boolean {
  return has("removing", wordsOf(subject));
}

/** The whole new text of the file that a tool names; `undefined` if the tool keeps part of the old text. */
export function rewritten({ content = "", ...subject }: Subject): string | undefined {
  return has("rewriting", wordsOf(subject)) ? content : undefined;
}

/** Whether a tool sends data to an address: judged by its name, its method, or a text in its input. */
export function isSending(subject: Subject): boolean {
  const { input } = subject;
  const isMethod = [...textsIn(input)].some(
    ([key, text]) => METHOD.test(text) && (text.length < 8 || LISTS.code.has(plain(key))),
  );
  return isMethod || has("sending", wordsOf(subject)) || carries(input, "carriers", "code");
}

const METHOD = /\b(?:POST|PUT|PATCH|DELETE)\b/i;

/** Whether a tool ends processes. */
export function isEnding(subject: Subject): boolean {
  return has("ending", wordsOf(subject));
}

/**
 * The addresses with a port in an input: whole texts, those in code, and a host and port under separate keys. A mention in
 * prose does not count.
 */
export function addressesNamed({ input }: Subject, port: string): readonly string[] {
  const texts = [...textsIn(input)];
  const whole = texts.filter(([key, text]) => LISTS.code.has(plain(key)) || !/\s/.test(text));
  const found = whole.flatMap(([, text]) => addressesOf(text, port));
  if (!texts.some(([, text]) => text === port || text === `:${port}`)) return found;
  const hosts = some(texts, /^(?:https?:\/\/)?([\w.-]+|\[[\da-f:.]+\])\/?$/i);
  const paths = some(texts, /^(\/[\w%/.?=&-]*)$/);
  return [
    ...found,
    ...hosts.flatMap((host) =>
      (paths.length > 0 ? paths : [""]).map((path) => `http://${host}:${port}${path}`),
    ),
  ];
}

const ADDRESS = /(?<![\w.-])(\[[\da-f:.%]+\]|[\w.-]{1,253})?:(\d{2,5})(?!\d)((?:[/?#][^\s"'`<>\\,;)]*)?)/gi;
/** A host and a port as two words, or as two arguments in code. */
const PAIR =
  /(?<![\w.:-])([\w.-]{1,253}|[\da-f:.]{2,45})["'`]?(?:\s{0,9},\s{0,9}|[ \t]{1,9})["'`]?(\d{2,5})(?!\d)/gi;
const MOST = 100;

/** The addresses with a port in a text. */
export function addressesOf(text: string, port: string): readonly string[] {
  if (!text.includes(port)) return [];
  const pairs = [...text.matchAll(PAIR)].map(([, host = "", own]) => [
    host.includes(":") ? `[${host}]` : host,
    own,
  ]);
  const whole = [...text.matchAll(ADDRESS)].map(([, ...parts]) => parts);
  return [...whole, ...pairs].flatMap(([host = "", own, path = ""]) =>
    own === port ? `http://${host}:${own}${path}` : [],
  );
}

/** The parts of texts that match a form, without duplicates, up to a limit. */
function some(texts: readonly (readonly [key: string, text: string])[], form: RegExp): readonly string[] {
  return [...new Set(texts.flatMap(([, text]) => form.exec(text)?.[1] ?? []))].slice(0, MOST);
}

/** Every number that an input has as one of its values. */
export function numbersIn({ input }: Subject): readonly string[] {
  return [...textsIn(input)].flatMap(([, text]) => (/^\d+$/.test(text) ? text : []));
}

function carries(input: unknown, list: List, but?: List): boolean {
  return [...keysIn(input)]
    .map(plain)
    .some((key) => LISTS[list].has(key) && !(but !== undefined && LISTS[but].has(key)));
}

/** Whether a key is a file name: then its value is the text of that file. */
function isFile(key: string): boolean {
  return /[\w)\]]\.[a-z]\w{0,9}$/i.test(key);
}

function isAsked(input: unknown, key: string, value: string): boolean {
  return [...textsIn(input)].some(([one, text]) => one === key && text === value);
}

function plain(key: string): string {
  return key.toLowerCase().replaceAll(/[_-]/g, "");
}

function* keysIn(input: unknown): Generator<string> {
  if (typeof input !== "object" || input === null) return;
  for (const [key, value] of Object.entries(input)) {
    yield key;
    yield* keysIn(value);
  }
}

/** Texts and numbers of an input, each with its key; members of lists have the key of their list. */
function* textsIn(value: unknown, key = ""): Generator<readonly [key: string, text: string]> {
  if (typeof value === "string" || typeof value === "number") yield [key, String(value)];
  else if (Array.isArray(value)) for (const one of value) yield* textsIn(one, key);
  else if (typeof value === "object" && value !== null)
    for (const [name, one] of Object.entries(value)) yield* textsIn(one, name);
}
