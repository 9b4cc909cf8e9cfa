import { isUtf8 } from "node:buffer";
import type { IncomingHttpHeaders } from "node:http";
import { SkillError } from "../../errors/skill-error.ts";

/** One JSON document. */
export const JSON_TYPE = "application/json";
/** One JSON document a line; contributed routes get the lines as an array. */
export const NDJSON_TYPE = "application/x-ndjson";

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/**
 * A body as the one value that it states. Nothing in it is coerced, repaired or dropped.
 * @throws SkillError `BODY_UNREADABLE`, `MEDIA_TYPE_REFUSED`.
 */
export function readJson(bytes: Buffer, headers: IncomingHttpHeaders): unknown {
  return parsed(textOf(bytes, headers), "");
}

/** Empty lines count for nothing. @throws SkillError `BODY_UNREADABLE` with the number of the document as pointer. */
export function readNdjson(bytes: Buffer, headers: IncomingHttpHeaders): readonly unknown[] {
  const lines = textOf(bytes, headers).split(/\r?\n/);
  return lines.filter((line) => line.trim() !== "").map((line, index) => parsed(line, `/${index}`));
}

function textOf(bytes: Buffer, headers: IncomingHttpHeaders): string {
  const { "content-type": type = "", "content-encoding": encoding } = headers;
  if (encoding !== undefined && encoding !== "identity") {
    throw new SkillError("MEDIA_TYPE_REFUSED", "Compressed bodies are not read here.", {
      hint: "Send the body without Content-Encoding.",
    });
  }
  const charset = type === JSON_TYPE ? undefined : CHARSET.exec(type)?.[1];
  if (charset !== undefined && charset.toLowerCase() !== "utf-8" && charset.toLowerCase() !== "utf8") {
    throw new SkillError("MEDIA_TYPE_REFUSED", "Only the charset utf-8 is read here.", {
      hint: "Send UTF-8.",
    });
  }
  if (bytes.length === 0) {
    throw new SkillError("BODY_UNREADABLE", "The content type promises JSON, and the body is empty.", {
      hint: "Send {} or leave the content type out.",
    });
  }
  if (!isUtf8(bytes)) throw new SkillError("BODY_UNREADABLE", "The body is not valid UTF-8.");
  return bytes.toString("utf8");
}

function parsed(text: string, pointer: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new SkillError(
      "BODY_UNREADABLE",
      `The body is no JSON: ${(cause as Error).message.slice(0, 200)}.`,
      {
        cause,
        pointer,
      },
    );
  }
  // A walk through every value is only worth it when the text can hold one of the keys, escaped or not.
  if (text.includes("__proto__") || text.includes("constructor") || text.includes("\\u00")) {
    refusePoison(value, pointer);
  }
  return value;
}

/** Keys that would change the prototype of what the value is copied into. */
function refusePoison(root: unknown, start: string): void {
  const open: [value: unknown, pointer: string][] = [[root, start]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, pointer] = next;
    if (typeof value !== "object" || value === null) continue;
    for (const [key, child] of Object.entries(value)) {
      const place = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      const poison = key === "__proto__" || (key === "constructor" && hasPrototype(child));
      if (poison)
        throw new SkillError("BODY_UNREADABLE", `${place} is a key that is not read here.`, {
          pointer: place,
        });
      open.push([child, place]);
    }
  }
}

function hasPrototype(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "prototype");
}
