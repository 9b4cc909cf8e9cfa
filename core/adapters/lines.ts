import type { Readable } from "node:stream";

/** A line is handed on at this length in characters, ended or not. */
const MAX_LENGTH = 8_192;

/** Hands on the lines of a stream in UTF-8 as they come, without their ends; a long one in pieces. */
export function followLines(stream: Readable, tell: ((line: string) => void) | undefined): void {
  let rest = "";
  const pieces = (line: string): void => {
    for (let start = 0; start === 0 || start < line.length; start += MAX_LENGTH)
      tell?.(line.slice(start, start + MAX_LENGTH));
  };
  stream.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? "";
    lines.forEach(pieces);
    const whole = rest.length - (rest.length % MAX_LENGTH);
    if (whole > 0) pieces(rest.slice(0, whole));
    rest = rest.slice(whole);
  });
  stream.once("close", () => {
    if (rest !== "") pieces(rest);
  });
}
