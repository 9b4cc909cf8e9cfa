interface PatternData {
  readonly pattern: string;
  readonly flags: string;
}

/** The regular expressions of a part of songs/patterns.json by name. */
export function compiled<Name extends string>(
  data: Readonly<Record<Name, PatternData>>,
): Readonly<Record<Name, RegExp>> {
  const entries = Object.entries<PatternData>(data);
  return Object.fromEntries(
    entries.map(([name, { pattern, flags }]) => [name, new RegExp(pattern, flags)]),
  ) as Record<Name, RegExp>;
}
