import { isTable } from "./names.ts";
import { Buffer } from "node:buffer";
import { inflateRawSync } from "node:zlib";
import { SkillError } from "skillctl";

/** One file of a zip folder. */
interface Member {
  /** Without folders, so that a name with `..` leads nowhere. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The maximum unpacked size of all tables in a zip folder: 64 MiB, or this many times its own size if that is more. */
const MAX_UNFOLDED = 67_108_864;
const MAX_RATIO = 100;

/** Signatures and lengths of the records of a zip file (APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16). */
const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
const [LOCAL_BYTES, CENTRAL_BYTES, END_BYTES, LONGEST_COMMENT] = [30, 46, 22, 65_535];
const [STORED, DEFLATED] = [0, 8];

export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

/**
 * Yields the tables of a zip folder one by one, and skips other files. Limits apply to the bytes that are actually unpacked, not to the
 * sizes in the directory. @throws SkillError `GATEWAY_FILE_UNKNOWN` for a folder that is unreadable or unpacks to more than the limit.
 */
export function* membersOf(bytes: Uint8Array): Generator<Member> {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let left = Math.max(MAX_UNFOLDED, zip.length * MAX_RATIO);
  try {
    for (const { name, method, size, unfolded, at } of entriesOf(zip)) {
      if (unfolded > left) throw tooLarge();
      if (zip.readUInt32LE(at) !== LOCAL) throw broken();
      const start = at + LOCAL_BYTES + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
      const data = zip.subarray(start, start + size);
      if (data.length < size || (method !== STORED && method !== DEFLATED)) throw broken();
      const content = method === STORED ? data : inflateRawSync(data, { maxOutputLength: left });
      left -= content.length;
      if (left < 0) throw tooLarge();
      yield { name, bytes: content };
    }
  } catch (caught) {
    if (caught instanceof SkillError) throw caught;
    throw (caught as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? tooLarge() : broken();
  }
}

/** A table in the directory of a zip file. */
interface Entry {
  readonly name: string;
  readonly method: number;
  /** The stored size in bytes. */
  readonly size: number;
  /** The size in bytes according to the directory. */
  readonly unfolded: number;
  /** The offset of its own record. */
  readonly at: number;
}

function* entriesOf(zip: Buffer): Generator<Entry> {
  const tail = Math.max(0, zip.length - END_BYTES - LONGEST_COMMENT);
  const end = zip.subarray(tail).lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6])) + tail;
  if (end < tail || zip.readUInt32LE(end) !== END) throw broken();
  let at = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count -= 1) {
    if (zip.readUInt32LE(at) !== CENTRAL) throw broken();
    const nameBytes = zip.readUInt16LE(at + 28);
    const path = textOf(zip.subarray(at + CENTRAL_BYTES, at + CENTRAL_BYTES + nameBytes));
    const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
    if (isTable(name) && !path.startsWith("__MACOSX/"))
      yield {
        name,
        method: zip.readUInt16LE(at + 10),
        size: zip.readUInt32LE(at + 20),
        unfolded: zip.readUInt32LE(at + 24),
        at: zip.readUInt32LE(at + 42),
      };
    at += CENTRAL_BYTES + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
}

/** Some programs do not mark names as UTF-8. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString("latin1");
  }
}

function broken(): SkillError {
  return new SkillError("GATEWAY_FILE_UNKNOWN", "The zip archive is broken.", { hint: "Download it again." });
}

function tooLarge(): SkillError {
  return new SkillError(
    "GATEWAY_FILE_UNKNOWN",
    "The zip archive unpacks to far more than an export contains.",
    {
      hint: "Unpack it yourself and import the tables.",
    },
  );
}
