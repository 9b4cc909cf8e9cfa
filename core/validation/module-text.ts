import { parse } from "acorn";

/**
 * Why a module cannot be loaded, as far as its text alone tells: it is no JavaScript, or a `throw` stands at its top
 * level. Nothing is run, so that what is thrown by something the module calls is only found when it is loaded.
 */
export function moduleFault(text: string): string | undefined {
  try {
    const { body } = parse(text, {
      ecmaVersion: "latest",
      sourceType: "module",
      locations: true,
      allowHashBang: true,
    });
    const thrown = body.find(({ type }) => type === "ThrowStatement");
    return thrown && `throws as soon as it is loaded (line ${thrown.loc?.start.line})`;
  } catch (caught) {
    return `is no JavaScript module: ${(caught as SyntaxError).message}`;
  }
}
