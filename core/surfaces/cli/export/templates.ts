import { isObject } from "../../../schema/json.ts";

/** The shape of a file: its path and content, in which {NAME} stands for a value. */
export interface Template {
  /** Relative to the folder of the export, with `/`. */
  readonly path: string;
  /** The content of .json and .toml, the front matter of .md. */
  readonly data?: unknown;
  /** The text of .md. */
  readonly body?: string;
}

/** The values of a file by name. A property whose whole value is a name with an undefined value is left out. */
export type Values = Readonly<Record<string, unknown>>;

/** A file of an export. */
export interface ExportFile {
  /** Relative to the folder of the export, with `/`. */
  readonly path: string;
  readonly content: string | Uint8Array;
}

/** A file of a template. Without data and body its content is the value `bytes`. */
export function fileOf({ path, data, body }: Template, values: Values): ExportFile {
  const place = String(filled(path, values));
  const content = filled(data, values);
  if (place.endsWith(".toml")) return { path: place, content: toml(content as Table) };
  if (body !== undefined)
    return { path: place, content: `${frontMatter(content as Table | undefined)}${textOf(body, values)}\n` };
  if (data !== undefined) return { path: place, content: `${JSON.stringify(content, undefined, 2)}\n` };
  return { path: place, content: values["bytes"] as Uint8Array };
}

type Table = Readonly<Record<string, unknown>>;

const WHOLE = /^\{(\w+)\}$/;

/** Replaces names once, so that a brace in a value stays. */
function filled(value: unknown, values: Values): unknown {
  if (typeof value === "string") {
    const [, name] = WHOLE.exec(value) ?? [];
    return name === undefined ? textOf(value, values) : values[name];
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, values));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, values)]));
}

function textOf(text: string, values: Values): string {
  return text.replaceAll(/\{(\w+)\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : place,
  );
}

/** JSON values are YAML values. */
function frontMatter(data: Table | undefined): string {
  if (!data) return "";
  return `---\n${entriesOf(data)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join("")}---\n\n`;
}

function entriesOf(table: Table): readonly [string, unknown][] {
  return Object.entries(table).filter(([, value]) => value !== undefined);
}

/** A table of TOML 1.0: its values first, then its tables. JSON strings and lists of them are values of TOML. */
function toml(table: Table, above: readonly string[] = []): string {
  const entries = entriesOf(table);
  const values = entries.filter(([, value]) => !isObject(value));
  const head = above.length > 0 && values.length > 0 ? `[${above.join(".")}]\n` : "";
  const lines = values.map(([key, value]) => `${tomlKey(key)} = ${tomlValue(value)}\n`).join("");
  const tables = entries
    .filter(([, value]) => isObject(value))
    .map(([key, value]) => toml(value as Table, [...above, tomlKey(key)]));
  return [head + lines, ...tables].filter((part) => part !== "").join("\n");
}

function tomlKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

function tomlValue(value: unknown): string {
  const isLiteral = typeof value === "string" && value.includes("\n") && !/'''|[^\P{Cc}\t\n]/u.test(value);
  // TOML must escape DEL; JSON need not.
  return isLiteral ? `'''\n${value}\n'''` : JSON.stringify(value).replaceAll("\u007f", String.raw`\u007f`);
}
