const SIGNIFICANT = 17;

/**
 * Whether readers of JSON keep a number's value: whole numbers exactly, others to the 17 digits that a double holds;
 * none becomes infinite, and none 0 that is not.
 */
export function faithful(text: string): boolean {
  if (text.length > 400) return false;
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  if (/^-?\d+$/.test(text)) return BigInt(text) === BigInt(value);
  const digits = text
    .replace(/e.*$/i, "")
    .replace(/[-.]/g, "")
    .replace(/^0+|0+$/g, "");
  return digits.length <= SIGNIFICANT && (value !== 0 || digits === "");
}
