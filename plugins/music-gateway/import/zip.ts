import { SkillError } from "skillctl";

/** One file out of a zip folder. */
interface Member {
  /** Without folders: a name with `..` in it leads nowhere. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The most bytes that the tables of one zip folder may unfold to, 1 GiB. */
const MAX_UNFOLDED = 1_073_741_824;
/** From so many bytes on, data that unfold to more than so many times their size are no table. */
const SUSPICIOUS_BYTES = 67_108_864;
const MAX_RATIO = 400;

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

/**
 * The tables in a zip folder, as services hand them out. Other files in it are passed over.
 * @throws SkillError `GATEWAY_FILE_UNKNOWN` for one that cannot be read, or that unfolds beyond all measure.
 */
export async function membersOf(bytes: Uint8Array): Promise<readonly Member[]> {
  const { unzipSync } = await import("fflate");
  let total = 0;
  try {
    const unfolded = unzipSync(bytes, {
      filter: ({ name, size, originalSize }) => {
        if (!isTable(nameOf(name)) || name.startsWith("__MACOSX/")) return false;
        total += originalSize;
        const isBomb = originalSize > SUSPICIOUS_BYTES && originalSize > size * MAX_RATIO;
        if (isBomb || total > MAX_UNFOLDED) throw tooLarge();
        return true;
      },
    });
    return Object.entries(unfolded).map(([name, content]) => ({ name: nameOf(name), bytes: content }));
  } catch (caught) {
    if (caught instanceof SkillError) throw caught;
    throw new SkillError("GATEWAY_FILE_UNKNOWN", "The zip folder is broken.", {
      hint: "Download it again.",
    });
  }
}

/** Whether a name is that of a table, and not hidden. */
export function isTable(name: string): boolean {
  return /^[^.].*\.(?:csv|tsv|txt)$/iu.test(name);
}

/** What stands behind the last folder. Some programs do not mark that names are UTF-8. */
function nameOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  if (!/[\u0080-\u00FF]/u.test(name) || /[^\u0000-\u00FF]/u.test(name)) return name;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(name, "latin1"));
  } catch {
    return name;
  }
}

function tooLarge(): SkillError {
  return new SkillError("GATEWAY_FILE_UNKNOWN", "The zip folder unfolds to far more than an export holds.", {
    hint: "Unfold it yourself and import the tables.",
  });
}
