import fc from "fast-check";

const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, as `unit` of `fc.string`: what fast-check calls "binary", without its table of a million entries, which
 * makes a test process so big that each program it starts takes ten times as long to start.
 */
export const ANY_CHARACTER = fc
  .nat(0x10ffff - SURROGATES.count)
  .map((at) => String.fromCodePoint(at < SURROGATES.first ? at : at + SURROGATES.count));
