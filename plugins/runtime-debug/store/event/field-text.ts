/** A value as it is searched for: a text as it is, null as nothing, all else as JSON. */
export function fieldText(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Hypotheses as they are searched for: of a list the elements, with commas between. */
export function hypothesisText(value: unknown): string {
  return Array.isArray(value) ? value.map(fieldText).join(",") : fieldText(value);
}

/** What names a probe: its location, or its message without the mark in front. At most 200 characters. */
export function probeText(location: string, message: string): string {
  return (location || message.replace(/^\s*\[[^\]]*\]\s*/, "")).slice(0, 200);
}
