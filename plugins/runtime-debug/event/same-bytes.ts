/** Whether `length` bytes, 4 at least, are the same in two places; four are compared at once. */
export function sameBytes(
  one: DataView,
  at: number,
  other: DataView,
  otherAt: number,
  length: number,
): boolean {
  const last = length - 4;
  for (let place = 0; place < last; place += 4) {
    if (one.getInt32(at + place, true) !== other.getInt32(otherAt + place, true)) return false;
  }
  return one.getInt32(at + last, true) === other.getInt32(otherAt + last, true);
}
