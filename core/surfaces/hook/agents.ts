/** The supported agents, one per line. */
export { CLAUDE_CODE } from "./claude-code.ts";
export { CODEX } from "./codex.ts";
export { CURSOR } from "./cursor.ts";
export { GEMINI } from "./gemini.ts";
