import { encode, renderSVG } from "uqr";

/** The light edge that a code needs around it, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4;
/** Black on white, whatever the colours of the terminal. */
const DARK_ON_LIGHT = "\u001B[38;5;16;48;5;231m";
const RESET = "\u001B[0m";
/** Two modules, one above the other, as one character; the first is the upper. */
const HALVES = [" ", "▄", "▀", "█"] as const;

/**
 * A text as a QR code of half blocks, a line an element; undefined when the terminal is too narrow for it. Up to 53
 * bytes take 37 columns and 19 lines.
 */
export function qrLines(text: string, columns: number): readonly string[] | undefined {
  const { size, data } = encode(text, { border: QUIET_ZONE });
  if (size > columns) return undefined;
  const dark = (x: number, y: number): number => (data[y]?.[x] === true ? 1 : 0);
  return Array.from({ length: Math.ceil(size / 2) }, (_, line) => {
    const cells = Array.from(
      { length: size },
      (__, x) => HALVES[2 * dark(x, 2 * line) + dark(x, 2 * line + 1)],
    );
    return `${DARK_ON_LIGHT}${cells.join("")}${RESET}`;
  });
}

/** A text as a QR code in an SVG picture. */
export function qrPicture(text: string): string {
  return renderSVG(text, { border: QUIET_ZONE });
}
