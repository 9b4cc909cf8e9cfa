import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";

/** A secret in every dress in which it could leave: plain, percent-encoded, base64 at any place of a text, hexadecimal. */
export function dressesOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const shifted = ["", "x", "xx"].map((before) => {
    const whole = Buffer.from(before + secret).toString("base64");
    // The first and last letters also hold bits of the neighbours.
    return whole.slice(before === "" ? 0 : 4, -4);
  });
  return [
    secret,
    encodeURIComponent(secret),
    secret.replaceAll("/", "\\/"),
    ...shifted,
    ...shifted.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
    bytes.toString("hex"),
    [...secret].toReversed().join(""),
  ];
}

/** Which dresses of the secrets are in a text, in any letter case. */
export function found(text: string, secrets: readonly string[]): readonly string[] {
  const level = text.toLowerCase();
  return secrets.flatMap(dressesOf).filter((dress) => level.includes(dress.toLowerCase()));
}

/** Names and contents of all files below a folder, as one text; bytes that are no UTF-8 stand as Latin letters. */
export async function filesBelow(folder: string, except: (path: string) => boolean): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const parts = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    if (except(path)) return "";
    return `${path}\n${entry.isFile() ? await readFile(path, "latin1") : ""}`;
  });
  return (await Promise.all(parts)).join("\n");
}
