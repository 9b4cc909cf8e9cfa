/**
 * How much a test does: `few` of something in `npm test`, `many` in the long suite, which runs each file that calls this.
 * `few` finds a fault of every run, `many` the rare ones.
 */
export function effort(few: number, many: number): number {
  return process.env["TEST_EFFORT"] === "long" ? many : few;
}
