import places from "../question/places.json" with { type: "json" };
import others from "./country-names.json" with { type: "json" };

const LANGUAGES = ["en", "zh-Hans", "zh-Hant", "fr", "de", "es", "ja"];
/** Names that statements use but that are missing from the language data. */
const OTHERS: ReadonlyMap<string, string> = new Map(Object.entries(others));

let names: ReadonlyMap<string, string> | undefined;

/** The ISO 3166 code for a country's code or name in a file; null for an unknown country. */
export function countryCode(text: string): string | null {
  const name = text.trim().toLowerCase();
  if (/^[a-z]{2}$/u.test(name)) return OTHERS.get(name) ?? name.toUpperCase();
  names ??= allNames();
  return names.get(name) ?? null;
}

function allNames(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames([language], { type: "region" });
    for (const code of places.codes.split(" ")) {
      const name = (display.of(code) ?? code).toLowerCase();
      if (!found.has(name)) found.set(name, code);
    }
  }
  return new Map([...found, ...OTHERS]);
}
