const NAMES: ReadonlyMap<string, string> = new Map([
  ["pre", "pre-fix"],
  ["post", "post-fix"],
]);

/** The run that a name means: `pre` is `pre-fix`, `post` is `post-fix`, every other stays as it is. */
export function runName(text: string): string {
  return NAMES.get(text) ?? text;
}
