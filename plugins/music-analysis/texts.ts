import manifest from "../../skills/music-analysis/skill.json" with { type: "json" };

const { texts } = manifest;

/** A fixed sentence of the manifest. */
type TextName = keyof typeof texts;

/** Sentences that stand in both languages: `quota` and `quota-en`. */
export type BilingualName =
  Extract<TextName, `${string}-en`> extends infer Name
    ? Name extends `${infer Base}-en`
      ? Base
      : never
    : never;

/** Those that have a hint in both languages: `picture-folder` and `picture-folder-hint`. */
export type HintedName =
  Extract<BilingualName, `${string}-hint`> extends infer Name
    ? Name extends `${infer Base}-hint`
      ? Extract<BilingualName, Base>
      : never
    : never;

export type Language = "zh" | "en";

/** Names in marks or quotes, which may be of another language than the question. */
const NAMES = /《[^《》]*》|〈[^〈〉]*〉|“[^“”]*”|「[^「」]*」|『[^『』]*』|"[^"]*"/gu;

/**
 * The language of a question: Chinese when it has a Han character outside of the names in it, and when it has no letter
 * at all, as the number that answers a choice, which is Chinese; else English.
 */
export function languageOf(question: string): Language {
  const plain = question.replaceAll(NAMES, " ");
  const words = /\p{L}/u.test(plain) ? plain : question;
  return /\p{Script=Han}/u.test(words) || !/\p{L}/u.test(words) ? "zh" : "en";
}

export function text(name: TextName): string {
  return texts[name].text;
}

/** The sentence in the question's language. */
export function sentence(name: BilingualName, language: Language): string {
  return text(language === "zh" ? name : `${name}-en`);
}
