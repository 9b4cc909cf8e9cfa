import { pointerOf } from "./fault.ts";

/** A document of JSON Schema, or a part of one. */
type Schema = Readonly<Record<string, unknown>>;

const ANCHORS = new Set(["$anchor", "$dynamicAnchor"]);
const REFERENCES = new Set(["$ref", "$dynamicRef"]);
/** What holds values, and no schemas. */
const DATA = new Set(["const", "enum", "examples", "default"]);

/**
 * A schema whose references are all pointers: places go by no names any more. A document is one resource, so that a dynamic
 * reference leads where a plain one does. Who reads schemas, to make help, OpenAPI, types or values of them, knows pointers only.
 */
export function withPointers(document: Schema): Schema {
  const places = new Map<string, string>();
  const find = (part: unknown, at: string): void => {
    if (typeof part !== "object" || part === null) return;
    for (const [key, value] of Object.entries(part) as [string, unknown][]) {
      if (ANCHORS.has(key) && typeof value === "string") places.set(`#${value}`, `#${at}`);
      else if (!DATA.has(key)) find(value, at + encodeURI(pointerOf(key)));
    }
  };
  find(document, "");
  const pointed = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(pointed);
    if (typeof part !== "object" || part === null) return part;
    const entries = Object.entries(part).map(([key, value]: [string, unknown]) => {
      if (typeof value !== "string") return [key, DATA.has(key) ? value : pointed(value)] as const;
      const place = REFERENCES.has(key) ? places.get(value) : undefined;
      return place === undefined ? ([key, value] as const) : (["$ref", place] as const);
    });
    return Object.fromEntries(
      entries.filter(([key, value]) => !(ANCHORS.has(key) && typeof value === "string")),
    );
  };
  return places.size === 0 ? document : (pointed(document) as Schema);
}

/** What a local reference of pointers leads to; undefined when it leads nowhere. */
export function referred(reference: string, root: Schema): unknown {
  let part: unknown = root;
  for (const key of decoded(reference.replace(/^#\/?/, "")).split("/").filter(Boolean)) {
    const name = key.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, name)) return undefined;
    part = (part as Schema)[name];
  }
  return part;
}

/** A percent sign that begins no escape stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
