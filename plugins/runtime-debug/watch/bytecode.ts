import { basename, dirname } from "node:path";

/** Where Python keeps what it has compiled. */
export const BYTECODE_FOLDER = "__pycache__";

/** Whether a file is compiled Python, by its name. */
export function isBytecode(path: string): boolean {
  return /\.py[co]$/.test(path);
}

/** The source that it is of: `a/__pycache__/b.cpython-312.opt-1.pyc` and `a/b.pyc` are of `a/b.py`. */
export function sourceOf(path: string): string {
  const folder = dirname(path);
  const [module = ""] = basename(path).split(".");
  const beside = basename(folder) === BYTECODE_FOLDER ? dirname(folder) : folder;
  return beside === "." ? `${module}.py` : `${beside}/${module}.py`;
}

/**
 * Whether Python compares it with the time and size of its source before it runs it: the flags behind the magic number
 * are 0 (PEP 552). With others a file of any content is run in the place of the source, or compared by a hash alone.
 */
export function isCompared(bytes: Uint8Array): boolean {
  return bytes.byteLength >= HEADER_BYTES && Buffer.from(bytes).readUInt32LE(4) === 0;
}

const HEADER_BYTES = 16;
