import { OVERALL, type Body, type Song } from "./asking-service.ts";
import { about, plain } from "./conversation-talk.ts";

/** The songs of the model, and the one that answers about the account list. */
export const SONGS: readonly Song[] = [
  ["海盐", 7],
  ["风筝", 8],
  ["山雀(Live)", 9],
  ["山雀(伴奏)", 10],
  ["灯塔", 11],
  ["灯塔", 12],
];
export const LISTED: readonly Song[] = [["海盐", 7]];

/** For each name that is asked for, the ids of equal and of similar names, in the order they are shown. */
const NAMES: Readonly<
  Record<string, { readonly equal: readonly number[]; readonly similar: readonly number[] }>
> = {
  海盐: { equal: [7], similar: [] },
  风筝: { equal: [8], similar: [] },
  "海盐！": { equal: [], similar: [7] },
  山雀: { equal: [], similar: [10, 9] },
  灯塔: { equal: [11, 12], similar: [] },
  星图: { equal: [], similar: [] },
};

/** A message, and what its words alone say. */
export type Message =
  | { readonly text: string; readonly means: "account" | "pointer" | "pronoun" | "none" | "vague" }
  | { readonly text: string; readonly means: "place"; readonly place: number }
  | { readonly text: string; readonly means: "songs"; readonly names: readonly string[] };

export const MESSAGES: readonly Message[] = [
  { text: "我的播放量怎么样", means: "account" },
  { text: "这首歌的听众画像", means: "pointer" },
  { text: "它的播放量", means: "pronoun" },
  { text: "都不是", means: "none" },
  { text: "随便", means: "vague" },
  { text: "1", means: "place", place: 1 },
  { text: "2", means: "place", place: 2 },
  ...Object.keys(NAMES).map((name) => ({ text: `分析《${name}》`, means: "songs", names: [name] }) as const),
  { text: "比较《海盐》和《风筝》", means: "songs", names: ["海盐", "风筝"] },
  { text: "比较《山雀》和《灯塔》", means: "songs", names: ["山雀", "灯塔"] },
  { text: "比较《灯塔》和《星图》", means: "songs", names: ["灯塔", "星图"] },
];

interface Pending {
  readonly message: Extract<Message, { means: "songs" }>;
  readonly name: string;
  readonly ids: readonly number[];
  readonly chosen: Readonly<Record<string, number>>;
  readonly asked: number;
  readonly at: number;
}

interface Memory {
  known: ReadonlySet<number>;
  whole: boolean;
  focus?: number | undefined;
  pending?: Pending | undefined;
}

/** What comes of a message: the kind or `failed`, and what the service was sent. */
export interface Outcome {
  readonly kind: string;
  readonly sent: readonly Body[];
}

class Failed extends Error {}

const PENDING_MS = 3_600_000;
const nothing = (): Memory => ({ known: new Set(), whole: false });

/** A conversation as docs/music-analysis.md tells it, without files, texts and matching. */
export class Model {
  #memory = nothing();
  #owner = "";
  #login = "";
  #now = 0;
  #fails = false;
  #sent: Body[] = [];

  /** What must come of a message; with `fails` the service refuses every question. */
  say(message: Message, login: string, now: number, fails: boolean): Outcome {
    [this.#login, this.#now, this.#fails, this.#sent] = [login, now, fails, []];
    try {
      return { kind: this.#turn(message), sent: this.#sent };
    } catch (caught) {
      if (caught instanceof Failed) return { kind: "failed", sent: this.#sent };
      throw caught;
    }
  }

  get #seen(): Memory {
    return this.#owner === this.#login ? this.#memory : nothing();
  }

  #change(change: (memory: Memory) => void): void {
    this.#memory = this.#seen;
    this.#owner = this.#login;
    change(this.#memory);
  }

  #send(body: Body): void {
    this.#sent.push(body);
    if (this.#fails) throw new Failed();
  }

  #turn(message: Message): string {
    const { pending } = this.#seen;
    if (!pending || this.#now - pending.at > PENDING_MS) {
      if (message.means === "place" || message.means === "none") return "nothing waits";
      return this.#question(message, {});
    }
    const id = chosenId(message, pending.ids);
    if (id === "vague" && pending.asked === 1) return this.#ask({ ...pending, asked: 2 });
    if (id === "new") return this.#question(message, {});
    if (typeof id === "string") return this.#end();
    this.#change((memory) => (memory.focus = id));
    return this.#question(pending.message, { ...pending.chosen, [pending.name]: id });
  }

  #question(message: Message, chosen: Pending["chosen"]): string {
    const { focus, whole } = this.#seen;
    if (message.means === "pointer" || message.means === "pronoun") {
      if (focus !== undefined) return this.#answer(message.text, [focus]);
      if (message.means === "pronoun") return this.#account(message.text);
      if (!whole) this.#lookUp();
      return this.#end();
    }
    if (message.means !== "songs") return this.#account(message.text);
    const exact = this.#resolved(message.names, chosen);
    if (!exact.every((found) => typeof found === "number") && !whole) this.#lookUp();
    const found = this.#resolved(message.names, chosen);
    const place = found.findIndex((one) => typeof one !== "number");
    const other = found[place];
    if (typeof other === "object")
      return this.#ask({ message, name: message.names[place] ?? "", ids: other, chosen, asked: 1, at: 0 });
    if (other !== undefined) return this.#end();
    return this.#answer(message.text, found as number[]);
  }

  #resolved(names: readonly string[], chosen: Pending["chosen"]) {
    return names.map((name) => chosen[name] ?? tierOf(name, this.#seen.known));
  }

  #lookUp(): void {
    this.#send(OVERALL);
    this.#change((memory) => {
      memory.known = new Set(SONGS.map(([, id]) => id));
      memory.whole = true;
    });
  }

  #account(text: string): string {
    this.#send(plain(text));
    this.#change((memory) => (memory.known = new Set([...memory.known, ...LISTED.map(([, id]) => id)])));
    return "account";
  }

  #answer(text: string, ids: readonly number[]): string {
    for (const id of new Set(ids)) this.#send(about(text, id));
    this.#change((memory) => {
      delete memory.pending;
      memory.focus = new Set(ids).size === 1 ? ids[0] : undefined;
    });
    return "song";
  }

  #ask(pending: Pending): string {
    this.#change((memory) => (memory.pending = { ...pending, at: this.#now }));
    return "choice";
  }

  #end(): string {
    if (this.#seen.pending) this.#change((memory) => delete memory.pending);
    return "unsupported";
  }
}

/** The id of tier A, the ids of tier B, or "none". */
function tierOf(name: string, known: ReadonlySet<number>): number | readonly number[] | "none" {
  const { equal, similar } = NAMES[name] ?? { equal: [], similar: [] };
  const same = equal.filter((id) => known.has(id));
  if (same.length === 1) return same[0] as number;
  const ids = [...same, ...similar.filter((id) => known.has(id))];
  return ids.length === 0 ? "none" : ids;
}

function chosenId(message: Message, ids: readonly number[]): number | "vague" | "none" | "new" {
  if (message.means === "place") return ids[message.place - 1] ?? "vague";
  if (message.means === "none" || message.means === "vague") return message.means;
  if (message.means !== "songs" || message.names.length > 1) return "new";
  const tier = tierOf(message.names[0] ?? "", new Set(ids));
  if (tier === "none") return "new";
  return typeof tier === "number" ? tier : tier.length === 1 ? (tier[0] as number) : "vague";
}
