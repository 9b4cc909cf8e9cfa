import type { Node } from "jsonc-parser/lib/esm/main.js";
import { equal } from "../../../schema/predicate.ts";
import type { HookClient } from "./clients.ts";
import { dialectOfUrl, namesGuard, startedBy } from "./command.ts";
import { hasComments, inserted, member, readSettings, removed, unusable, valueOf } from "./settings-text.ts";

/** What hooks of ours run: a command, or where the agent can, and a server is named, a request to it. */
export interface HookEntry {
  readonly command: string;
  readonly url?: string | undefined;
}

/** A hook in a settings file that is ours, or speaks of the guard. */
interface Found {
  readonly event: string;
  readonly entry: HookEntry;
  /** `right`: as it is installed. `differing`: our command in another hook. `foreign`: a command that is not ours. */
  readonly kind: "right" | "differing" | "foreign";
  /** What an event has in its list: the hook itself, or a group with it. */
  readonly part: Node;
  /** What is taken out: the part, or the hook alone where its group has others. */
  readonly own: Node;
}

/** What a settings file says of our hooks. */
export interface Entries {
  /** Commands of ours, each once, and addresses. */
  readonly commands: readonly string[];
  readonly urls: readonly string[];
  /** Events at which one of ours stands. */
  readonly events: readonly string[];
  /** Those of them at which it is not as it is installed: it may not run, or its answer not be heard. */
  readonly differing: readonly string[];
  /** Events at which a command that is not ours names the guard. */
  readonly foreign: readonly string[];
  /** The whole settings. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly comments: boolean;
}

/** The settings of an agent that has none. Ends in a line feed. */
export function newSettings(client: HookClient, entry: HookEntry): string {
  const hooks = Object.fromEntries(
    Object.keys(client.events).map((event) => [event, [partOf(client, event, entry)]]),
  );
  return `${JSON.stringify({ ...client.head, hooks }, undefined, 2)}\n`;
}

/** What of ours stands in settings. @throws SkillError `CONFIG_INVALID` */
export function entriesIn(text: string, client: HookClient, file: string): Entries {
  const { root } = readSettings(text, file);
  const all = guardHooks(root, client, file);
  const found = all.filter(({ kind }) => kind !== "foreign");
  const eventsOf = (wanted: Found["kind"]): readonly string[] => [
    ...new Set(all.filter(({ kind }) => kind === wanted).map(({ event }) => event)),
  ];
  return {
    commands: distinct(found.map(({ entry }) => entry.command)),
    urls: distinct(found.map(({ entry }) => entry.url)),
    events: [...new Set(found.map(({ event }) => event))],
    differing: eventsOf("differing"),
    foreign: eventsOf("foreign"),
    settings: valueOf(root) as Entries["settings"],
    comments: hasComments(text),
  };
}

/** Settings with our hook at every event and nowhere else; the same text when it is so. @throws SkillError `CONFIG_INVALID` */
export function withEntries(text: string, client: HookClient, entry: HookEntry, file: string): string {
  const { root } = readSettings(text, file);
  const found = ours(root, client, file);
  const events = Object.keys(client.events);
  const right = (event: string): boolean => {
    const [one, ...more] = found.filter((found) => found.event === event);
    return one !== undefined && more.length === 0 && equal(valueOf(one.part), partOf(client, event, entry));
  };
  const stray = found.some(({ event }) => !events.includes(event));
  if (!stray && events.every(right)) return text;
  let next = withoutEntries(text, client, file);
  for (const [key, value] of Object.entries(client.head)) {
    const { root: at } = readSettings(next, file);
    const given = member(at, key, file);
    if (!given) next = inserted(next, at, value, key);
    else if (!equal(valueOf(given), value))
      throw unusable(file, `its ${key} is not ${JSON.stringify(value)}`);
  }
  const start = readSettings(next, file).root;
  if (!member(start, "hooks", file)) next = inserted(next, start, {}, "hooks");
  for (const event of events) {
    const hooks = hooksOf(readSettings(next, file).root, file) as Node;
    const list = member(hooks, event, file);
    const part = partOf(client, event, entry);
    next = list ? inserted(next, list, part) : inserted(next, hooks, [part], event);
  }
  return next;
}

/**
 * Settings without any hook of ours. Lists that are empty then go as well, but for those that `before` has.
 * @throws SkillError `CONFIG_INVALID`
 */
export function withoutEntries(text: string, client: HookClient, file: string, before?: string): string {
  let next = text;
  let emptied: readonly string[] = [];
  for (;;) {
    const [one] = ours(readSettings(next, file).root, client, file);
    if (!one) break;
    emptied = [...emptied, one.event];
    next = removed(next, one.own);
  }
  if (emptied.length === 0 || before === undefined) return next;
  const had = valueOf(readSettings(before, file).root) as {
    readonly hooks?: Readonly<Record<string, unknown>>;
  };
  const drop = (pick: (root: Node) => Node | undefined): void => {
    const node = pick(readSettings(next, file).root);
    // Somebody's comment may be all that it holds.
    const inside = node && next.slice(node.offset + 1, node.offset + node.length - 1);
    if (node?.parent && inside?.trim() === "") next = removed(next, node.parent);
  };
  for (const event of new Set(emptied)) {
    if (Object.hasOwn(had.hooks ?? {}, event)) continue;
    drop((root) => member(hooksOf(root, file) as Node, event, file));
  }
  if (!Object.hasOwn(had, "hooks")) drop((root) => hooksOf(root, file));
  const left = valueOf(readSettings(next, file).root) as typeof had;
  if (!equal(left.hooks, had.hooks)) return next;
  for (const key of Object.keys(client.head)) {
    const node = Object.hasOwn(had, key) ? undefined : member(readSettings(next, file).root, key, file);
    if (node?.parent) next = removed(next, node.parent);
  }
  return next;
}

/** Whether nothing stands in settings but what installing writes beside hooks, nor any comment. */
export function isBare(text: string, client: HookClient, file: string): boolean {
  const { root } = readSettings(text, file);
  const rest = Object.entries(valueOf(root) as object).filter(
    ([key, value]) => !equal(client.head[key], value),
  );
  return rest.length === 0 && !hasComments(text);
}

function distinct(texts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(texts)].filter((text) => text !== undefined && text !== "") as readonly string[];
}

/** What an event has in its list for us. */
function partOf(client: HookClient, event: string, { command, url }: HookEntry): object {
  const { http } = client;
  const hook =
    url !== undefined && http && !http.without.includes(event) ? http.hook(url) : client.hook(command);
  const matcher = client.events[event] ?? "";
  return client.form === "flat" ? hook : { ...(matcher !== "" && { matcher }), hooks: [hook] };
}

function hooksOf(root: Node, file: string): Node | undefined {
  const hooks = member(root, "hooks", file);
  if (hooks && hooks.type !== "object") throw unusable(file, `its "hooks" is no object`);
  return hooks;
}

function ours(root: Node, client: HookClient, file: string): readonly Found[] {
  return guardHooks(root, client, file).filter(({ kind }) => kind !== "foreign");
}

function guardHooks(root: Node, client: HookClient, file: string): readonly Found[] {
  const hooks = hooksOf(root, file);
  const found: Found[] = [];
  for (const { children: [key] = [] } of hooks?.children ?? []) {
    const event = String(key?.value);
    const list = hooks && member(hooks, event, file);
    if (list?.type !== "array") {
      if (Object.hasOwn(client.events, event)) throw unusable(file, `its hooks at ${event} are no list`);
      continue;
    }
    for (const part of list.children ?? []) found.push(...hooksIn(part, client, event, file));
  }
  return found;
}

function hooksIn(part: Node, client: HookClient, event: string, file: string): readonly Found[] {
  if (part.type !== "object") return [];
  const hooks = client.form === "flat" ? [part] : (member(part, "hooks", file)?.children ?? []);
  return hooks.flatMap((hook): Found[] => {
    const entry = hook.type === "object" ? entryOf(hook, file) : undefined;
    if (!entry) return [];
    const own = hooks.length === 1 ? part : hook;
    return [{ event, entry, part, own, kind: kindOf(hook, part, client, event, entry) }];
  });
}

function kindOf(hook: Node, part: Node, client: HookClient, event: string, entry: HookEntry): Found["kind"] {
  const dialect = entry.url === undefined ? startedBy(entry.command)?.dialect : dialectOfUrl(entry.url);
  if (dialect === undefined) return "foreign";
  const wanted = partOf(client, event, entry);
  // Hooks of others may stand in the same group.
  const alone = hook === part ? valueOf(hook) : { ...(valueOf(part) as object), hooks: [valueOf(hook)] };
  return dialect === client.name && equal(alone, wanted) ? "right" : "differing";
}

/** What a hook runs, when it speaks of the guard. */
function entryOf(hook: Node, file: string): HookEntry | undefined {
  const [command, url] = ["command", "url"].map((key) => member(hook, key, file)?.value as unknown);
  if (typeof url === "string" && dialectOfUrl(url) !== undefined) return { command: "", url };
  return typeof command === "string" && namesGuard(command) ? { command } : undefined;
}
