const UTF8_MARK = [0xef, 0xbb, 0xbf] as const;

/** The bytes without the byte-order mark of UTF-8, which says nothing about the data. */
export function withoutMark(bytes: Uint8Array): Uint8Array {
  return hasMark(bytes) ? bytes.subarray(UTF8_MARK.length) : bytes;
}

/** The text of a file of unknown encoding: UTF-8 with or without a byte-order mark, UTF-16 with one, else ISO-8859-1. */
export function decodeText(bytes: Uint8Array): string {
  if (hasMark(bytes)) return new TextDecoder("utf-8").decode(bytes);
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("iso-8859-1").decode(bytes);
  }
}

function hasMark(bytes: Uint8Array): boolean {
  return UTF8_MARK.every((byte, index) => bytes[index] === byte);
}

/**
 * The records of delimited text (RFC 4180): cells in double quotes may hold the separator, line breaks and
 * doubled quotes. The separator is the tab or the comma, whichever the first line has more of. Blank lines
 * are left out.
 */
export function readRecords(text: string): readonly (readonly string[])[] {
  const firstLine = text.slice(0, text.search(/[\r\n]|$/));
  const separator = firstLine.split("\t").length > firstLine.split(",").length ? "\t" : ",";
  const records: string[][] = [];
  let record: string[] = [];
  let cell = "";
  let isQuoted = false;
  const endRecord = (): void => {
    record.push(cell);
    cell = "";
    if (record.some((value) => value !== "")) records.push(record);
    record = [];
  };
  for (let index = 0; index < text.length; index += 1) {
    const sign = text.charAt(index);
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text.charAt(index + 1) === '"') {
        cell += '"';
        index += 1;
      } else isQuoted = false;
    } else if (sign === '"' && cell === "") isQuoted = true;
    else if (sign === separator) {
      record.push(cell);
      cell = "";
    } else if (sign === "\n" || sign === "\r") {
      if (sign === "\r" && text.charAt(index + 1) === "\n") index += 1;
      endRecord();
    } else cell += sign;
  }
  endRecord();
  return records;
}
