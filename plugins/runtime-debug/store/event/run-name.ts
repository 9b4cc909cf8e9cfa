const NAMES: ReadonlyMap<string, string> = new Map([
  ["pre", "pre-fix"],
  ["post", "post-fix"],
]);
const LONGEST = 1000;

/** The run that a name means: `pre` is `pre-fix`, `post` is `post-fix`, every other stays as it is. */
export function runName(text: string): string {
  return NAMES.get(text) ?? text;
}

/**
 * The run that an event names, out of the JSON of its `runId`: empty for null, a text as it is, all else as it was
 * written, so that numbers keep all of their digits. At most 1,000 characters: nobody asks for a run by more.
 */
export function runText(json: string): string {
  if (json === "null") return "";
  const text = json.startsWith('"') ? (JSON.parse(json) as string) : json;
  return text.slice(0, LONGEST);
}
