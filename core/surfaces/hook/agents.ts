/** The agents whose hooks are known: a line each. */
export { CLAUDE_CODE } from "./claude-code.ts";
export { CODEX } from "./codex.ts";
export { CURSOR } from "./cursor.ts";
export { GEMINI } from "./gemini.ts";
