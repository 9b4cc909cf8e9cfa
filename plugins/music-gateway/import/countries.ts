const CODE = /^[A-Z]{2}$/u;
const LANGUAGES = ["en", "zh-Hans", "zh-Hant", "fr", "de", "es", "ja"];
/** Names that statements use and the language data do not. */
const OTHERS: Readonly<Record<string, string>> = {
  uk: "GB",
  usa: "US",
  "united states of america": "US",
  "great britain": "GB",
  "china mainland": "CN",
  "mainland china": "CN",
  china: "CN",
  中国大陆: "CN",
  中國大陸: "CN",
  中国内地: "CN",
  "hong kong": "HK",
  香港: "HK",
  中国香港: "HK",
  macau: "MO",
  macao: "MO",
  澳门: "MO",
  中国台湾: "TW",
  "taiwan, china": "TW",
  "republic of korea": "KR",
  "korea, republic of": "KR",
  "korea, south": "KR",
  "russian federation": "RU",
  "czech republic": "CZ",
  turkey: "TR",
  "viet nam": "VN",
};

let names: ReadonlyMap<string, string> | undefined;

/** The ISO 3166 code of a country that a file names by code or name; null when there is none. */
export function countryCode(text: string): string | null {
  const trimmed = text.trim();
  if (CODE.test(trimmed.toUpperCase())) return OTHERS[trimmed.toLowerCase()] ?? trimmed.toUpperCase();
  names ??= allNames();
  return names.get(trimmed.toLowerCase()) ?? null;
}

function allNames(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const letters = Array.from("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  for (const language of LANGUAGES) {
    const display = new Intl.DisplayNames([language], { type: "region", fallback: "none" });
    for (const first of letters) {
      for (const second of letters) {
        const code = first + second;
        const name = display.of(code)?.toLowerCase();
        // Codes that are out of use come after those that are in use, or name what no file means.
        if (
          name !== undefined &&
          !found.has(name) &&
          Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`
        )
          found.set(name, code);
      }
    }
  }
  for (const [name, code] of Object.entries(OTHERS)) found.set(name, code);
  return found;
}
