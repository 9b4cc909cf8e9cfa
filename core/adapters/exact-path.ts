import * as fs from "node:fs";

/** What stands in a name for bytes that are no UTF-8. */
const REPLACED = "\uFFFD";

/** Whether a path may not be as the file system has it. */
export function isDoubtful(path: string): boolean {
  return path.includes(REPLACED);
}

/** The bytes of a path of which some names may be read wrongly: of each the first of its folder that reads like that. */
export function exactPath(path: string): Buffer {
  let found = Buffer.from(path.startsWith("/") ? "/" : "");
  for (const name of path.split("/").filter((one) => one !== "")) {
    const between = found.byteLength === 0 || found.at(-1) === SLASH ? "" : "/";
    const plain = Buffer.concat([found, Buffer.from(between + name)]);
    const exact = isDoubtful(name) ? (exactName(found, name) ?? Buffer.from(name)) : Buffer.from(name);
    found = fs.lstatSync(plain, { throwIfNoEntry: false })
      ? plain
      : Buffer.concat([found, Buffer.from(between), exact]);
  }
  return found;
}

const SLASH = 0x2f;

function exactName(folder: Buffer, name: string): Buffer | undefined {
  try {
    return fs.readdirSync(folder, { encoding: "buffer" }).find((one) => one.toString() === name);
  } catch {
    // Whoever opens the path is told what is wrong with it.
    return undefined;
  }
}
