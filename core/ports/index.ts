import type { Token } from "../container/token.ts";
import { ACCESS_TOKENS } from "./access-tokens.ts";
import { ANALYSIS_SERVICE } from "./analysis-service.ts";
import { LOGIN_PROGRAM } from "./login-program.ts";

/** The ports one skill may lend another, by the name used in `provides` and `requires` of a manifest. */
export const LENT_PORTS: Readonly<Record<string, Token<unknown>>> = {
  "access-tokens": ACCESS_TOKENS,
  "analysis-service": ANALYSIS_SERVICE,
  "login-program": LOGIN_PROGRAM,
};
