import type { Node } from "jsonc-parser/lib/esm/main.js";
import { equal } from "../../../schema/json.ts";
import type { HookClient } from "../client.ts";
import { dialectOfUrl, endingWith, startedBy } from "./command.ts";
import { hasComments, inserted, member, readSettings, removed, unusable, valueOf } from "./settings-text.ts";

/** The action of our hooks: a command, or a request to a server if the agent supports it. */
export interface HookEntry {
  /** The form of the command at events before a call. */
  readonly command: string;
  readonly url?: string | undefined;
}

/** A hook of ours in a settings file. */
interface InstalledHook {
  readonly event: string;
  readonly entry: HookEntry;
  /** It equals the installed form; otherwise it may not run, or its answer may be ignored. */
  readonly right: boolean;
  /** The item in the list of the event: the hook itself, or a group with it. */
  readonly part: Node;
  /** The node to remove: the part, or the hook alone if its group has others. */
  readonly own: Node;
}

/** Our hooks in a settings file. */
export interface Entries {
  /** Their action; undefined without hooks. */
  readonly entry: HookEntry | undefined;
  /** Events without a hook in the installed form. */
  readonly missing: readonly string[];
  /** The whole settings. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** New settings for an agent. Ends in a line feed. */
export function newSettings(client: HookClient, entry: HookEntry): string {
  return `${JSON.stringify({ ...client.head, hooks: allHooks(client, entry) }, undefined, 2)}\n`;
}

/** Finds our hooks in settings. @throws SkillError `CONFIG_INVALID` */
export function entriesIn(text: string, client: HookClient, file: string): Entries {
  const root = readSettings(text, file);
  const found = ours(root, client, file);
  const { command } = found.find(({ entry }) => entry.url === undefined)?.entry ?? { command: "" };
  const url = found.find(({ entry }) => entry.url !== undefined)?.entry.url;
  return {
    entry: found.length === 0 ? undefined : { command, url },
    missing: Object.keys(client.events).filter(
      (event) => !found.some((one) => one.event === event && one.right),
    ),
    settings: valueOf(root) as Entries["settings"],
  };
}

/** Settings with our hook at exactly the events of the agent; the same text if nothing changes. @throws SkillError `CONFIG_INVALID` */
export function withEntries(text: string, client: HookClient, entry: HookEntry, file: string): string {
  const root = readSettings(text, file);
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
    const at = readSettings(next, file);
    const given = member(at, key, file);
    if (!given) next = inserted(next, at, value, key);
    else if (!equal(valueOf(given), value))
      throw unusable(file, `its ${key} is not ${JSON.stringify(value)}`);
  }
  const start = readSettings(next, file);
  if (!member(start, "hooks", file)) return inserted(next, start, allHooks(client, entry), "hooks");
  for (const event of events) {
    const hooks = hooksOf(readSettings(next, file), file) as Node;
    const list = member(hooks, event, file);
    const part = partOf(client, event, entry);
    next = list ? inserted(next, list, part) : inserted(next, hooks, [part], event);
  }
  return next;
}

/**
 * Settings without our hooks and without the lists that become empty, except those that `before` has.
 * @throws SkillError `CONFIG_INVALID`
 */
export function withoutEntries(text: string, client: HookClient, file: string, before?: string): string {
  let next = text;
  let emptied: readonly string[] = [];
  for (;;) {
    const [one] = ours(readSettings(next, file), client, file);
    if (!one) break;
    emptied = [...emptied, one.event];
    next = removed(next, one.own);
  }
  if (emptied.length === 0 || before === undefined) return next;
  const had = valueOf(readSettings(before, file)) as {
    readonly hooks?: Readonly<Record<string, unknown>>;
  };
  const drop = (pick: (root: Node) => Node | undefined): void => {
    const node = pick(readSettings(next, file));
    // A comment of the person may be the only content.
    const inside = node && next.slice(node.offset + 1, node.offset + node.length - 1);
    if (node?.parent && inside?.trim() === "") next = removed(next, node.parent);
  };
  for (const event of new Set(emptied)) {
    if (Object.hasOwn(had.hooks ?? {}, event)) continue;
    drop((root) => member(hooksOf(root, file) as Node, event, file));
  }
  if (!Object.hasOwn(had, "hooks")) drop((root) => hooksOf(root, file));
  const left = valueOf(readSettings(next, file)) as typeof had;
  if (!equal(left.hooks, had.hooks)) return next;
  for (const key of Object.keys(client.head)) {
    const node = Object.hasOwn(had, key) ? undefined : member(readSettings(next, file), key, file);
    if (node?.parent) next = removed(next, node.parent);
  }
  return next;
}

/** Whether settings contain only the properties that an installation writes besides hooks, and no comment. */
export function isBare(text: string, client: HookClient, file: string): boolean {
  const root = readSettings(text, file);
  const rest = Object.entries(valueOf(root) as object).filter(
    ([key, value]) => !equal(client.head[key], value),
  );
  return rest.length === 0 && !hasComments(text);
}

/** Every event with our hook alone. */
function allHooks(client: HookClient, entry: HookEntry): object {
  return Object.fromEntries(
    Object.keys(client.events).map((event) => [event, [partOf(client, event, entry)]]),
  );
}

/** Our item in the list of an event. */
function partOf(client: HookClient, event: string, { command, url }: HookEntry): object {
  const { http } = client;
  const ours = client.events[event];
  const isEnd = ours === "turn.stop";
  const hook = {
    ...(url !== undefined && http && !http.without.includes(event)
      ? { ...http.hook, url }
      : { ...client.hook, command: endingWith(isEnd ? 1 : 2, command) }),
    ...(!isEnd && client.closed),
  };
  if (client.form === "flat") return hook;
  // Matches every tool.
  return { ...((ours === "tool.pre" || ours === "tool.post") && { matcher: "*" }), hooks: [hook] };
}

function hooksOf(root: Node, file: string): Node | undefined {
  const hooks = member(root, "hooks", file);
  if (hooks && hooks.type !== "object") throw unusable(file, `its "hooks" is not an object`);
  return hooks;
}

function ours(root: Node, client: HookClient, file: string): readonly InstalledHook[] {
  const hooks = hooksOf(root, file);
  const found: InstalledHook[] = [];
  for (const { children: [key] = [] } of hooks?.children ?? []) {
    const event = String(key?.value);
    const list = hooks && member(hooks, event, file);
    if (list?.type !== "array") {
      if (Object.hasOwn(client.events, event)) throw unusable(file, `its hooks at ${event} are not a list`);
      continue;
    }
    for (const part of list.children ?? []) found.push(...hooksIn(part, client, event, file));
  }
  return found;
}

function hooksIn(part: Node, client: HookClient, event: string, file: string): readonly InstalledHook[] {
  if (part.type !== "object") return [];
  const hooks = client.form === "flat" ? [part] : (member(part, "hooks", file)?.children ?? []);
  return hooks.flatMap((hook): InstalledHook[] => {
    if (hook.type !== "object") return [];
    const [command, url] = ["command", "url"].map((key) => String(member(hook, key, file)?.value ?? ""));
    const dialect = startedBy(command ?? "")?.dialect ?? dialectOfUrl(url ?? "");
    if (dialect === undefined) return [];
    const entry = { command: endingWith(2, command ?? ""), url: url === "" ? undefined : url };
    // Hooks of others may be in the same group.
    const alone = hook === part ? valueOf(hook) : { ...(valueOf(part) as object), hooks: [valueOf(hook)] };
    const right = dialect === client.name && equal(alone, partOf(client, event, entry));
    return [{ event, entry, right, part, own: hooks.length === 1 ? part : hook }];
  });
}
