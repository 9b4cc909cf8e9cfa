import { meaning, plainPiece, type ObjectValue, type Piece, type Value } from "./event-model.ts";

const RESERVED = ["_seq", "_at", "_run", "_src", "_flags", "_gap"];
const SAFE_DIGITS = 17;

/** What the server knows beside the event. */
export interface Circumstances {
  readonly session: string;
  readonly seq: number;
  readonly at: number;
  readonly run: string;
  readonly source: string;
}

/** The line that docs/runtime-debug.md promises for an event without secrets, its line feed left out. */
export function expectedLine(event: ObjectValue, { session, seq, at, run, source }: Circumstances): string {
  const flags = new Set<string>();
  const members = membersOf(event, flags, RESERVED);
  const last = (name: string): Value | undefined =>
    event.members.findLast(([sent]) => meaning(sent) === name)?.[1];
  const lacks = (name: string): boolean => last(name) === undefined;
  if (lacks("sessionId")) members.push(`"sessionId":${JSON.stringify(session)}`);
  if (lacks("ts")) members.push(`"ts":${time(last("timestamp")) ?? at}`);
  if (lacks("runId")) members.push(`"runId":${JSON.stringify(run)}`);
  const message = last("message");
  if (lacks("msg") && message?.kind === "text")
    members.push(`"msg":${safe(JSON.stringify(meaning(message.pieces)))}`);
  members.push(`"_seq":${seq}`, `"_at":${at}`, `"_run":${runOf(last("runId"), run)}`, `"_src":"${source}"`);
  const order = ["renamed", "number"].filter((flag) => flags.has(flag));
  if (order.length > 0) members.push(`"_flags":${JSON.stringify(order)}`);
  return `{${members.join(",")}}`;
}

function membersOf(event: ObjectValue, flags: Set<string>, reserved: readonly string[]): string[] {
  return event.members.map(([sent, value]) => {
    const name = meaning(sent);
    const renamed = reserved.includes(name);
    const final = renamed ? `_${name}` : name;
    if (renamed) flags.add("renamed");
    return `${renamed ? JSON.stringify(final) : quoted(sent)}:${stored(value, flags)}`;
  });
}

/** A value's text as it was sent, white space left out and unsafe characters escaped. */
function stored(value: Value, flags: Set<string>): string {
  if (value.kind === "text") return quoted(value.pieces);
  if (value.kind === "list") return `[${value.items.map((item) => stored(item, flags)).join(",")}]`;
  if (value.kind === "object") return `{${membersOf(value, flags, []).join(",")}}`;
  if (/\d/.test(value.text) && !survives(value.text)) flags.add("number");
  return value.text;
}

/** Whether a double carries a number: whole numbers exactly, others to 17 digits, none as infinity, none as nothing. */
function survives(text: string): boolean {
  const [, whole = "", fraction = "", exponent = ""] =
    /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  if (!Number.isFinite(Number(text))) return false;
  if (fraction === "" && exponent === "") return BigInt(Number(text)) === BigInt(text);
  let digits = BigInt(whole + fraction);
  if (digits === 0n) return true;
  while (digits % 10n === 0n) digits /= 10n;
  return Number(text) !== 0 && String(digits).length <= SAFE_DIGITS;
}

/** Whole milliseconds. */
function time(value: Value | undefined): string | undefined {
  const number = value?.kind === "plain" ? Number(value.text) : 0;
  return Number.isSafeInteger(number) && number > 0 ? String(number) : undefined;
}

function runOf(value: Value | undefined, served: string): string {
  const named = value?.kind === "text" ? meaning(value.pieces) : "";
  const normal = named === "pre" ? "pre-fix" : named === "post" ? "post-fix" : named;
  return JSON.stringify(/^(?:pre|post)-fix-?\d*$|^doctor$/.test(normal) ? normal : served);
}

function quoted(pieces: readonly Piece[]): string {
  return `"${pieces.map((piece) => piece.stored).join("")}"`;
}

/** JSON with what is unsafe escaped, by the pieces of the model. */
function safe(json: string): string {
  return Array.from(json, (character) => plainPiece(character).stored).join("");
}
