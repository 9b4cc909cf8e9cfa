import manifest from "../../skills/music-gateway/skill.json" with { type: "json" };
import type { Language } from "./families.ts";

type TextName = keyof typeof manifest.texts;

/** A sentence that the manifest has in both languages. */
export type Sentence = TextName extends infer Name ? (Name extends `${infer Base}-zh` ? Base : never) : never;

/** A fixed text of the manifest with its placeholders filled. */
export function text(name: TextName, values: Readonly<Record<string, string>> = {}): string {
  return manifest.texts[name].text.replaceAll(
    /\{([A-Z][A-Z0-9_]*)\}/g,
    (whole, key: string) => values[key] ?? whole,
  );
}

/** A sentence of an answer in the language of the question. */
export function sentence(
  name: Sentence,
  language: Language,
  values: Readonly<Record<string, string>> = {},
): string {
  return text(`${name}-${language}`, values);
}
