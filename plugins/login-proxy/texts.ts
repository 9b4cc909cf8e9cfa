import manifest from "../../skills/login-proxy/skill.json" with { type: "json" };

/** A text of the manifest with its placeholders filled in. */
export function sentence(
  name: keyof typeof manifest.texts,
  values: Readonly<Record<string, string>> = {},
): string {
  return manifest.texts[name].text.replaceAll(/\{([A-Z_]+)\}/g, (whole, key: string) => values[key] ?? whole);
}
