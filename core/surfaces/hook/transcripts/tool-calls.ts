import { isObject } from "../../../schema/json.ts";

/** A line of a transcript: a JSON object. */
export type Entry = Readonly<Record<string, unknown>>;

/** A call of a tool in a transcript. */
export interface ToolCall {
  /** At most 200 UTF-16 units; empty where the transcript has none, as for searches that the service of Codex makes. */
  readonly id: string;
  /** The agent's name of the tool, at most 100 UTF-16 units. */
  readonly name: string;
  /** The name and the hash of the input that hooks receive. */
  readonly told: readonly [name: string, input: string];
  /** Milliseconds since the epoch, of the call and of its result. */
  readonly atMs?: number | undefined;
  readonly endMs?: number | undefined;
  readonly cwd?: string | undefined;
  readonly isSubagent: boolean;
  /** The agent's note about its hook; `denied` if the result repeats the words of the hook's command. */
  readonly hook?: "late" | "failed" | "answered" | "denied";
}

/** The input of a call, and the name that hooks receive if it differs. */
interface CallMarks {
  readonly input: unknown;
  readonly told?: string;
}

/** A transcript that is being read, in the form of one agent. */
export abstract class Transcript {
  /** The name of the agent. */
  abstract readonly client: string;
  /** The ids of the session by which hooks may know it. */
  readonly sessions = new Set<string>();
  protected cwd: string | undefined;
  readonly #facts: Partial<ToolCall>[] = [];
  /** The last call of each id: some models reuse ids. */
  readonly #last = new Map<string, Partial<ToolCall>>();
  readonly #hash: (input: unknown) => string;

  /** `hash`: the hash function of the log of judged calls. */
  constructor(hash: (input: unknown) => string) {
    this.#hash = hash;
  }

  abstract read(entry: Entry): void;

  /** The calls that were read, in the order of the file. */
  get calls(): readonly ToolCall[] {
    return this.#facts.filter((facts): facts is ToolCall => facts.name !== undefined);
  }

  /** Adds a call, once. `isEvent`: an event that belongs to a call of the same id, if that exists. */
  protected add(
    id: unknown,
    name: unknown,
    { input, told }: CallMarks,
    { timestamp, isSubagent, isEvent }: { timestamp: unknown; isSubagent: boolean; isEvent?: true },
  ): void {
    if (typeof name !== "string") return;
    const [hash, atMs] = [this.#hash(input), timeOf(timestamp)];
    const known = this.#last.get(keyOf(id));
    if (known?.name !== undefined) {
      if (isEvent || (known.told?.[1] === hash && known.atMs === atMs)) return;
      this.#last.delete(keyOf(id));
    }
    const [short, heard] = [name.slice(0, 100), (told ?? name).slice(0, 100)];
    this.note(id, { name: short, told: [heard, hash], atMs, cwd: this.cwd, isSubagent });
  }

  /** Adds facts to a call. */
  protected note(id: unknown, more: Partial<ToolCall>): void {
    const key = keyOf(id);
    const facts = this.#last.get(key) ?? { id: key };
    if (!this.#last.has(key)) this.#facts.push(facts);
    // Calls without an id have no results, and each of them counts separately.
    if (key !== "") this.#last.set(key, facts);
    Object.assign(facts, more);
  }

  /** Adds the result of a call. `refusal`: the beginning of the agent's message about a hook's denial. */
  protected end(id: unknown, timestamp: unknown, output: unknown, refusal: RegExp): void {
    const text = textOf(output).slice(0, 2_000);
    const isDenied = refusal.test(text) && /skillctl guard(?: denies|: not allowed)/.test(text);
    this.note(id, { endMs: timeOf(timestamp), ...(isDenied && { hook: "denied" }) });
  }
}

function keyOf(id: unknown): string {
  return typeof id === "string" ? id.slice(0, 200) : "";
}

function timeOf(value: unknown): number | undefined {
  const ms = typeof value === "string" ? Date.parse(value) : NaN;
  return Number.isNaN(ms) ? undefined : ms;
}

/** The first text of a result: a string, an object or a list of parts. */
function textOf(output: unknown): string {
  if (typeof output === "string") return output;
  if (Array.isArray(output)) return isObject(output[0]) ? textOf(output[0]["text"]) : "";
  return isObject(output) ? textOf(output["content"] ?? output["body"]) : "";
}
