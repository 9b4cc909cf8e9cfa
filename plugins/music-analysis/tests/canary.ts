import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";

/** A secret in every encoding in which it could leak: plain, percent-encoded, base64 at any place of a text, hexadecimal. */
export function dressesOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const shifted = ["", "x", "xx"].map((before) => {
    const whole = Buffer.from(before + secret).toString("base64");
    // The first and last letters also hold bits of the neighbouring bytes.
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

/** Ways to write a secret that this program reads, or makes whole again, on the way to a person. */
export function disguisesOf(secret: string): readonly string[] {
  const half = secret.indexOf("/");
  const [before, after] = [secret.slice(0, half), secret.slice(half)];
  const characters = [...secret];
  const inText = ["", "x", "xx"].map((around) => Buffer.from(`${around}${secret}${around} and more`));
  return [
    secret,
    secret.toUpperCase(),
    secret.replaceAll("/", "\\/"),
    encodeURIComponent(secret),
    characters.toReversed().join(""),
    ...inText.flatMap((bytes) => [
      bytes.toString("base64"),
      bytes.toString("base64url"),
      bytes.toString("base64").replaceAll(/.{16}/g, "$&\r\n"),
      bytes.toString("hex"),
    ]),
    characters.map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
    characters.map((each) => `&#${each.charCodeAt(0)};`).join(""),
    characters.map((each) => `&#x${each.charCodeAt(0).toString(16)};`).join(""),
    characters.map((each) => `%${each.charCodeAt(0).toString(16)}`).join(""),
    encodeURIComponent(encodeURIComponent(secret)),
    characters.join("\u200b"),
    characters.join("\u0007"),
    characters.join("\\"),
    `${before}**${after.slice(0, 2)}**${after.slice(2)}`,
    `${before} SUNO ${after}`.replaceAll(" ", ""),
    `《${before}![](https://x.example/)${after}》`,
    `《${before}<b>${after}》`,
  ];
}

/** The encodings of the secrets that occur in a text, in any letter case. */
export function found(text: string, secrets: readonly string[]): readonly string[] {
  const level = text.toLowerCase();
  return secrets.flatMap(dressesOf).filter((dress) => level.includes(dress.toLowerCase()));
}

/** Names and contents of all files below a folder, as one text; each byte is one Latin-1 character. */
export async function filesBelow(folder: string, except: (path: string) => boolean): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const parts = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    if (except(path)) return "";
    return `${path}\n${entry.isFile() ? await readFile(path, "latin1") : ""}`;
  });
  return (await Promise.all(parts)).join("\n");
}
