import type { Language } from "skillctl";
import manifest from "../../skills/music-analysis/skill.json" with { type: "json" };

const { texts } = manifest;

/** A fixed sentence of the manifest. */
type TextName = keyof typeof texts;

/** Sentences that exist in both languages: `quota` and `quota-en`. */
export type BilingualName =
  Extract<TextName, `${string}-en`> extends infer Name
    ? Name extends `${infer Base}-en`
      ? Base
      : never
    : never;

/** Sentences with a hint in both languages: `picture-folder` and `picture-folder-hint`. */
export type HintedName =
  Extract<BilingualName, `${string}-hint`> extends infer Name
    ? Name extends `${infer Base}-hint`
      ? Extract<BilingualName, Base>
      : never
    : never;

export function text(name: TextName): string {
  return texts[name].text;
}

/** The sentence in the question's language. */
export function sentence(name: BilingualName, language: Language): string {
  return text(language === "zh" ? name : `${name}-en`);
}
