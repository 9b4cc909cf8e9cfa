import type { HereDoc, Redirect, Redirection } from "unbash";
import { FIRST_NAMED, filesBehind, reopened, type Descriptors } from "./descriptors.ts";
import { reckonedIndex } from "./reckoned.ts";
import { isNoFile, joined } from "./paths.ts";
import type { StandardInput, Word } from "./programs/effects.ts";
import type { Reader } from "./reader.ts";
import type { ShellState } from "./shell-state.ts";
import { UNKNOWN_VARIABLE } from "./variable.ts";
import { oneText } from "./word-fields.ts";
import { partPieces } from "./word-pieces.ts";
import { textOf, wordsOf } from "./words.ts";

/** Where the standard streams of a command lead. */
export interface Streams {
  readonly stdin?: StandardInput;
  readonly descriptors?: Descriptors;
  /** `gone`: into a file; `unknown`: perhaps. */
  readonly stdout: "kept" | "gone" | "unknown";
  /** The file that holds nothing but the output. */
  readonly file?: string;
}

/** Redirections (Bash manual 3.6): files that are opened for writing and reading, texts for standard input. */
export function redirected(list: readonly Redirection[], reader: Reader, state: ShellState): Streams {
  const { descriptors } = state;
  let streams: Streams = { stdout: "kept" };
  for (const one of list) {
    if (one.descriptor?.type === "FileDescriptorVariable")
      reckonedIndex({ text: one.descriptor.name }, reader, state);
    if (one.descriptor?.type === "FileDescriptorVariable")
      state.variables.set(one.descriptor.name, UNKNOWN_VARIABLE);
    const input =
      one.descriptor === undefined ||
      (one.descriptor.type === "FileDescriptor" && one.descriptor.value === 0);
    switch (one.type) {
      case "HereString": {
        const { text } = one.target ? textOf(one.target, reader, state) : { text: undefined };
        if (input) streams = { ...streams, stdin: inputOf(text === undefined ? undefined : `${text}\n`) };
        break;
      }
      case "HereDoc":
        if (!one.closing) reader.facts.unknown("syntax");
        if (input) streams = { ...streams, stdin: inputOf(bodyOf(one, reader, state)) };
        else bodyOf(one, reader, state);
        break;
      case "Redirect":
        streams = { ...streams, ...opened(one, reader, state) };
        break;
      default:
        reader.facts.unknown("syntax");
    }
    if (one.type !== "Redirect" && input) state.descriptors = withDescriptor(state.descriptors, 0, []);
  }
  streams = { ...streams, descriptors: state.descriptors };
  state.descriptors = descriptors;
  return streams;
}

function withDescriptor(all: Descriptors, number: number, files: readonly string[] | undefined): Descriptors {
  return new Map([...all, [number, files]]);
}

function inputOf(text: string | undefined): StandardInput {
  return text === undefined ? { kind: "unknown" } : { kind: "text", text };
}

function bodyOf(
  { body, delimiter, operator }: HereDoc,
  reader: Reader,
  state: ShellState,
): string | undefined {
  if (!delimiter) reader.facts.unknown("syntax");
  const { parts } = body;
  const stripped = operator === "<<-";
  if (delimiter?.quoted) return stripped ? body.text.replace(/^\t+/gm, "") : body.text;
  if (!parts)
    return (stripped ? body.text.replace(/^\t+/gm, "") : body.text)
      .replace(/\\\n/g, "")
      .replace(/\\([\\$`])/g, "$1");
  const { text } = oneText(parts.flatMap((part) => partPieces(part, "quoted", reader, state)));
  return stripped ? undefined : text;
}

/** One file, or one stream in the place of another. */
function opened(one: Redirect, reader: Reader, state: ShellState): Partial<Streams> {
  const { operator, target, descriptor } = one;
  if (!target) {
    reader.facts.unknown("syntax");
    return {};
  }
  const number = descriptor?.type === "FileDescriptor" ? descriptor.value : undefined;
  const words = wordsOf(target, reader, state);
  const copied = operator === ">&" || operator === "<&";
  const reads = operator === "<" || operator === "<&" || operator === "<>";
  const outgoing = !reads && (descriptor === undefined || number === 1);
  const incoming = reads && (descriptor === undefined || number === 0);
  const named = descriptor?.type === "FileDescriptorVariable";
  const at = named ? FIRST_NAMED : (number ?? (reads ? 0 : 1));
  const from = /^(\d+)-?$/.exec(words[0]?.text ?? "")?.[1];
  const before = named && state.descriptors.has(at) ? state.descriptors.get(at) : [];
  let files: readonly string[] | undefined;
  if (copied && words[0]?.text === "-") files = [];
  else if (copied && from !== undefined) files = filesBehind(`/dev/fd/${from}`, ["/"], state.descriptors);
  else if (words[0]?.text !== undefined) files = filesBehind(words[0].text, state.cwds, state.descriptors);
  for (const word of words)
    if (operator !== "<&" && !(copied && (from !== undefined || word.text === "-")))
      open(word, operator, reader, state);
  state.descriptors = withDescriptor(
    state.descriptors,
    at,
    files && before && [...new Set([...before, ...files])],
  );
  if (copied && words.length === 1 && /^(\d+-?|-)$/.test(words[0]?.text ?? "")) {
    if (incoming) return { stdin: { kind: "unknown" } };
    return outgoing ? { stdout: "unknown" } : {};
  }
  if (copied && operator === "<&") return { stdin: { kind: "unknown" } };
  if (words.length === 0) reader.facts.unknown(reads ? "read" : "write");
  if (incoming)
    return { stdin: operator === "<" && words[0] ? contentOf(words[0], reader, state) : { kind: "unknown" } };
  const file = words[0]?.text;
  if (!outgoing) return {};
  const gone = file === "/dev/null" || (file !== undefined && !isNoFile(file));
  return { stdout: gone ? "gone" : "unknown", ...(gone && operator === ">" && { file }) };
}

function open(word: Word, operator: Redirect["operator"], { facts }: Reader, state: ShellState): void {
  const { cwds, descriptors } = state;
  const { text, known = "" } = word;
  const socket = /^\/dev\/(?:tcp|udp)\/([^/]+)\/([^/]+)$/.exec(text ?? "");
  if (socket) {
    const address = `http://${socket[1]}:${socket[2]}/`;
    if (URL.canParse(address)) facts.url(new URL(address).href);
    else facts.unknown("address");
    return;
  }
  if (text === undefined) {
    if (known === "" || "/dev/tcp/".startsWith(known) || /^\/dev\/(tcp|udp)/.test(known))
      facts.unknown("address");
    facts.unknown(operator === "<" ? "read" : "write");
    return;
  }
  if (operator === "<" || operator === "<>") facts.read(text, cwds);
  if (operator === "<") return;
  facts.write(text, cwds);
  reopened(text, cwds, descriptors, facts);
}

/** What stands in a file now, when nothing before can have changed it. */
export function contentOf(word: Word, reader: Reader, state: ShellState): StandardInput {
  const { text } = word;
  if (text === undefined) return { kind: "unknown" };
  if (text === "/dev/stdin" || text === "/dev/fd/0") return state.stdin;
  if (text === "/dev/null") return { kind: "none" };
  if (isNoFile(text)) return inputOf(reader.descriptors.get(text));
  const whole = state.cwds?.length === 1 ? joined(text, state.cwds[0]) : undefined;
  return inputOf(
    whole === undefined || reader.facts.mayHaveChanged(whole) ? undefined : reader.files.text(whole),
  );
}
