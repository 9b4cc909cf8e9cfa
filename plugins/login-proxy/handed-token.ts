import { SkillError, type Call } from "skillctl";
import { sentence } from "./texts.ts";
import { handedToken } from "./token-text.ts";

/**
 * The token that a person hands in, on standard input or at a prompt that does not show it.
 * @throws SkillError `LOGIN_PASTE_UNUSABLE`, `LOGIN_REQUIRED` where nobody can hand in anything, `CANCELLED`
 */
export async function tokenFrom({ person }: Call): Promise<string> {
  if (!person)
    throw new SkillError("LOGIN_REQUIRED", "A token can only be handed in at the command line.", {
      hint: "skillctl run login-proxy login --mode paste",
    });
  const value = handedToken(await person.secret(sentence("paste-question")));
  if (value !== undefined) return value;
  throw new SkillError("LOGIN_PASTE_UNUSABLE", sentence("paste-unusable"), {
    hint: "Copy the token alone, without the name of its header.",
  });
}
