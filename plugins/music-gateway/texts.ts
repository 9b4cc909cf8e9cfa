import manifest from "../../skills/music-gateway/skill.json" with { type: "json" };

type TextName = keyof typeof manifest.texts;

/** A fixed text from the manifest with its placeholders filled. */
export function text(name: TextName, values: Readonly<Record<string, string>> = {}): string {
  return manifest.texts[name].text.replaceAll(
    /\{([A-Z][A-Z0-9_]*)\}/g,
    (whole, key: string) => values[key] ?? whole,
  );
}
