import { posix, win32 } from "node:path";
import type { HookEvent } from "./dialect.ts";

/** The text at a name of an event; undefined for anything else. */
export function text(event: HookEvent, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = event[name];
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** The object at a name of an event; one that is written as a JSON text is read. */
export function object(event: HookEvent, name: string): HookEvent | undefined {
  const value = event[name];
  if (typeof value === "string") return parsed(value);
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as HookEvent)
    : undefined;
}

/** What remains of an object without the properties that are undefined, so that it is JSON. */
export function defined<T extends object>(given: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };
}

/** Whether a folder can be told without knowing from where: one that is not given, or absolute on any system. */
export function isWhole(folder: string | undefined): boolean {
  return folder === undefined || posix.isAbsolute(folder) || win32.isAbsolute(folder);
}

function parsed(value: string): HookEvent | undefined {
  try {
    const read: unknown = JSON.parse(value);
    return typeof read === "object" && read !== null && !Array.isArray(read)
      ? (read as HookEvent)
      : undefined;
  } catch {
    return undefined;
  }
}
