import type { Check } from "../../schema/schemas.ts";
import { CLAUDE_CODE } from "./claude-code.ts";
import { CODEX } from "./codex.ts";
import { CURSOR } from "./cursor.ts";
import type { Dialect } from "./dialect.ts";
import { GEMINI } from "./gemini.ts";
import { skillctlDialect } from "./skillctl.ts";

/** The names that `--dialect` takes. */
export const DIALECT_NAMES = ["claude-code", "codex", "cursor", "gemini", "skillctl"] as const;

/** A dialect by name; undefined when there is none of it. `check` is asked for only where requests come in our words. */
export async function dialectOf(name: string, check: () => Promise<Check>): Promise<Dialect | undefined> {
  if (name === "skillctl") return skillctlDialect(await check());
  return [CLAUDE_CODE, CODEX, CURSOR, GEMINI].find((dialect) => dialect.name === name);
}
