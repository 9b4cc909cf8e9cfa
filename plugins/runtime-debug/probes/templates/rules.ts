/** Slashes that may begin a pattern instead of dividing: what is in a pattern is not seen. */
export const PATTERN_SLASH: readonly [RegExp, string] = [
  /(?<![\w)\]]|[\w)\]"] )\/|(?:^|[^\w.])(?:typeof|in|of|instanceof|void|and|or|not|if|unless|split|grep|return)\s*\/|\w \/\S/,
  "a slash in it can begin a pattern",
];
