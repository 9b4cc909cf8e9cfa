import type { IncomingHttpHeaders } from "node:http";
import { SkillError } from "../../errors/skill-error.ts";

const HEADER = "Skillctl-Session";
const SHAPE = "^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$";
const SESSION = new RegExp(SHAPE);

/** The header in an OpenAPI document. */
export const SESSION_PARAMETER = {
  name: HEADER,
  in: "header",
  required: false,
  description:
    "Names a conversation that goes on over several calls, for commands that keep one: any value of your own choice.",
  schema: { type: "string", pattern: SHAPE, minLength: 1, maxLength: 128, examples: ["tab-7f3a"] },
} as const;

/** What a request names as its session. @throws SkillError `INPUT_INVALID` */
export function sessionOf(headers: IncomingHttpHeaders): string | undefined {
  const given = headers["skillctl-session"];
  if (given === undefined || (typeof given === "string" && SESSION.test(given))) return given;
  throw new SkillError("INPUT_INVALID", `The header ${HEADER} names no session.`, {
    hint: "Send 1 to 128 of the characters A-Z a-z 0-9 . _ - in it, a letter or digit first, once, or leave it out.",
  });
}
