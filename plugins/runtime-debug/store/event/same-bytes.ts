/**
 * Whether `length` bytes of ASCII, 4 at least and none of them 0, are the same in two places. Eight are compared at once,
 * as one double: of such bytes none is a NaN or a zero, so that doubles are equal only when their bytes are.
 */
export function sameBytes(
  one: DataView,
  at: number,
  other: DataView,
  otherAt: number,
  length: number,
): boolean {
  if (length < 8) {
    const last = length - 4;
    return (
      one.getInt32(at, true) === other.getInt32(otherAt, true) &&
      one.getInt32(at + last, true) === other.getInt32(otherAt + last, true)
    );
  }
  const last = length - 8;
  for (let place = 0; place < last; place += 8) {
    if (one.getFloat64(at + place, true) !== other.getFloat64(otherAt + place, true)) return false;
  }
  return one.getFloat64(at + last, true) === other.getFloat64(otherAt + last, true);
}
