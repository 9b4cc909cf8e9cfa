import { gunzipSync } from "node:zlib";
import { described, SkillError } from "../../../errors/skill-error.ts";
import { quotedName } from "../../../quoted-name.ts";
import { MOST_BYTES, type SourceFiles } from "./content.ts";

/** Headers and padding of the largest allowed number of files. */
const MOST_TAR_BYTES = MOST_BYTES + 16 * 1024 * 1024;
const FILES: ReadonlySet<string> = new Set(["File", "OldFile", "ContiguousFile"]);
const LEADING = /^(?:\.\/)+/;
const FOLDERS: ReadonlySet<string> = new Set(["Directory", "GNUDumpDir"]);

/**
 * Reads a zip archive or a tar archive, compressed with gzip or not, in memory. Links, devices and pipes are refused.
 * @throws SkillError `INSTALL_REFUSED`
 */
export async function readArchive(bytes: Uint8Array, files: SourceFiles): Promise<void> {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return readZip(bytes, files);
  const tar = isGzip(bytes) ? unzipped(bytes, files) : bytes;
  if (isGzip(tar)) throw files.refusal("it is compressed twice");
  const { Parser } = await import("tar/parse");
  await new Promise<void>((resolve, reject) => {
    const parser = new Parser({
      strict: true,
      brotli: false,
      zstd: false,
      onReadEntry: (entry) => {
        const { path, type, size } = entry;
        if (FOLDERS.has(type)) {
          files.count(0);
          files.folder(path.replace(LEADING, ""));
          entry.resume();
          return;
        }
        if (!FILES.has(type)) throw files.refusal(`${quotedName(path)} is a ${type}, not a file`);
        if (size > MOST_BYTES) throw files.refusal(`${quotedName(path)} has over ${MOST_BYTES} bytes`);
        const chunks: Uint8Array[] = [];
        entry.on("data", (chunk) => void chunks.push(chunk));
        entry.on("end", () => files.add(path.replace(LEADING, ""), Buffer.concat(chunks)));
      },
    });
    parser.on("ignoredEntry", ({ path, type }: { readonly path: string; readonly type: string }) => {
      throw files.refusal(`${quotedName(path)} is a ${type}, not a file`);
    });
    parser.on("error", reject).on("end", resolve);
    parser.end(Buffer.from(tar));
  }).catch((caught: unknown) => {
    if (caught instanceof SkillError) throw caught;
    throw files.refusal(`its archive cannot be read (${described(caught)})`);
  });
}

/** Reads a zip archive. A link in it is a file whose text is its target. */
async function readZip(bytes: Uint8Array, files: SourceFiles): Promise<void> {
  const { unzipSync } = await import("fflate");
  const names = new Set<string>();
  let packed = 0;
  let read: Readonly<Record<string, Uint8Array>>;
  try {
    // The filter is called before an entry is unpacked; unpacking takes at most `originalSize` bytes.
    read = unzipSync(bytes, {
      filter: ({ name, size, originalSize, compression }) => {
        files.count(originalSize);
        packed += size;
        if (names.has(name)) throw files.refusal(`it contains ${quotedName(name)} twice`);
        names.add(name);
        if (packed > bytes.length || (compression === 0 && size !== originalSize))
          throw files.refusal(`the sizes of ${quotedName(name)} differ from those that its archive states`);
        if (name.endsWith("/")) files.folder(name);
        return !name.endsWith("/");
      },
    });
  } catch (caught) {
    if (caught instanceof SkillError) throw caught;
    throw files.refusal(`its archive cannot be read (${described(caught)})`);
  }
  for (const [name, content] of Object.entries(read)) files.put(name, content);
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function unzipped(bytes: Uint8Array, files: SourceFiles): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: MOST_TAR_BYTES });
  } catch (caught) {
    const isLarge = (caught as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE";
    throw files.refusal(
      isLarge ? `it has over ${MOST_TAR_BYTES} bytes unpacked` : "its compression is broken",
    );
  }
}
