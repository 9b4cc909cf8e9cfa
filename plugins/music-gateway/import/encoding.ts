import { isUtf8 } from "node:buffer";
import { SkillError } from "skillctl";

/** A text encoding, identified by its label in the Encoding Standard. */
export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "gb18030" | "big5" | "shift_jis" | "windows-1252";

/** The minimum share of common characters in a text of an encoding. */
const LEAST_SHARE = 0.75;
/** The minimum lead of the best share over the second best. */
const LEAST_LEAD = 0.15;

/**
 * The encoding of a whole file: determined by its byte-order mark, by the positions of the zero bytes of plain letters, by valid UTF-8,
 * otherwise by the strict decoders of the older encodings. If several of them accept the bytes, known header cells decide, then the share
 * of characters that are common in that encoding.
 * @throws SkillError `GATEWAY_FILE_UNKNOWN` if the encoding remains unclear.
 */
export function encodingOf(bytes: Uint8Array, knownCells: (text: string) => number): Encoding {
  const unicode = unicodeOf(bytes);
  if (unicode !== undefined) return unicode;
  const candidates = Object.entries(SHARES).flatMap(([name, share]) => {
    const encoding = name as Encoding;
    const text = strictly(bytes, encoding);
    return text === undefined ? [] : [{ encoding, known: knownCells(text), share: share(bytes) }];
  });
  const most = Math.max(...candidates.map(({ known }) => known));
  const [best, next] = candidates
    .filter(({ known, share }) => known === most && share >= LEAST_SHARE)
    .toSorted((left, right) => right.share - left.share);
  if (best !== undefined && best.share - (next?.share ?? 0) >= LEAST_LEAD) return best.encoding;
  const doubt =
    next === undefined ? "" : `: it can be read as ${nameOf(best?.encoding)} and as ${nameOf(next.encoding)}`;
  throw new SkillError("GATEWAY_FILE_UNKNOWN", `The encoding of its text is unclear${doubt}.`, {
    hint: "Save it as UTF-8 (in a spreadsheet: CSV UTF-8) and import that file.",
  });
}

/** The text of bytes without a byte-order mark, decoded strictly. @throws SkillError `GATEWAY_FILE_UNKNOWN` for invalid bytes. */
export function decoded(bytes: Uint8Array, encoding: Encoding): string {
  const text = strictly(bytes, encoding);
  if (text !== undefined) return text;
  throw new SkillError("GATEWAY_FILE_UNKNOWN", `Its text is not ${nameOf(encoding)} throughout.`, {
    hint: "Download it again, or save it as UTF-8.",
  });
}

function unicodeOf(bytes: Uint8Array): Encoding | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const head = bytes.subarray(0, 400);
  const [even = 0, odd = 0] = [0, 1].map(
    (place) => head.filter((byte, index) => byte === 0 && index % 2 === place).length,
  );
  if (odd > head.length / 4 && even < odd / 4) return "utf-16le";
  if (even > head.length / 4 && odd < even / 4) return "utf-16be";
  return isUtf8(bytes) ? "utf-8" : undefined;
}

function strictly(bytes: Uint8Array, encoding: Encoding): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const NAMES: Readonly<Partial<Record<Encoding, string>>> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16",
  "utf-16be": "UTF-16",
  gb18030: "GB18030",
  big5: "Big5",
  shift_jis: "Shift JIS",
  "windows-1252": "Windows-1252",
};

function nameOf(encoding: Encoding | undefined): string {
  return (encoding && NAMES[encoding]) ?? "";
}

/** The share of two-byte characters in the part of the character set that holds the common ones. */
function pairs(
  isLead: (byte: number) => boolean,
  isCommon: (lead: number, trail: number) => boolean,
): (bytes: Uint8Array) => number {
  return (bytes) => {
    let [all, common] = [0, 0];
    for (let index = 0; index < bytes.length; index += 1) {
      const byte = bytes[index] ?? 0;
      if (byte < 0x80) continue;
      all += 1;
      if (!isLead(byte)) continue;
      index += 1;
      if (isCommon(byte, bytes[index] ?? 0)) common += 1;
    }
    return all === 0 ? 0 : common / all;
  };
}

/** GB 2312: symbols in rows 1 to 3, the 3,755 most common characters in rows 16 to 55. Big5: 5,401 from A440 to C67E. JIS X 0208: kana, and the first level up to 9872. */
const SHARES: Readonly<Partial<Record<Encoding, (bytes: Uint8Array) => number>>> = {
  gb18030: pairs(
    () => true,
    (lead, trail) => trail >= 0xa1 && ((lead >= 0xb0 && lead <= 0xd7) || (lead >= 0xa1 && lead <= 0xa3)),
  ),
  big5: pairs(
    () => true,
    (lead, trail) =>
      (lead >= 0xa1 && lead <= 0xa3) || (lead >= 0xa4 && (lead < 0xc6 || (lead === 0xc6 && trail <= 0x7e))),
  ),
  shift_jis: pairs(
    (byte) => byte < 0xa1 || byte > 0xdf,
    (lead, trail) =>
      (lead >= 0x81 && lead <= 0x83) || (lead >= 0x88 && (lead < 0x98 || trail <= 0x72) && lead <= 0x98),
  ),
  "windows-1252": lettersAmongLetters,
};

/** In Western text, accented letters occur alone or in pairs next to plain letters. */
function lettersAmongLetters(bytes: Uint8Array): number {
  let [all, common] = [0, 0];
  for (let index = 0; index < bytes.length; index += 1) {
    if ((bytes[index] ?? 0) < 0x80) continue;
    let end = index;
    while ((bytes[end] ?? 0) >= 0x80) end += 1;
    const run = bytes.subarray(index, end);
    all += run.length;
    const isBeside = isLetter(bytes[index - 1]) || isLetter(bytes[end]);
    const isWord = run.length === 1 || (run.length === 2 && isBeside);
    if (isWord && run.every(isWestern)) common += run.length;
    index = end;
  }
  return all === 0 ? 0 : common / all;
}

function isLetter(byte = 0): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a);
}

/** Letters, and the quotes, dashes and symbols that word processors insert. */
function isWestern(byte: number): boolean {
  return (
    (byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7) ||
    (byte >= 0x91 && byte <= 0x97) ||
    [0x80, 0x85, 0x8a, 0x8c, 0x8e, 0x99, 0x9a, 0x9c, 0x9e, 0x9f, 0xa0, 0xa3, 0xa9, 0xae, 0xb0, 0xb7].includes(
      byte,
    )
  );
}
