const KNOWN = 0x80;

/**
 * A kind for each UTF-16 code unit, from 0 to 127, remembered once it was found out: asking regular expressions for
 * every character of many texts costs ten times as much. Takes 64 KB.
 */
export function unitKinds(kindOf: (unit: number) => number): (unit: number) => number {
  const kinds = new Uint8Array(0x1_0000);
  return (unit) => {
    const kind = kinds[unit] ?? 0;
    if (kind !== 0) return kind - KNOWN;
    const found = kindOf(unit);
    kinds[unit] = found + KNOWN;
    return found;
  };
}
