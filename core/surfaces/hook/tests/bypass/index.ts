import type { BypassCall } from "./call.ts";
import { DAILY } from "./daily.ts";
import { EDITOR_TOOLS } from "./editor-tools.ts";
import { GIT_ROUTES } from "./git-routes.ts";
import { PROGRAMS } from "./programs.ts";
import { SERVICE } from "./service.ts";
import { SHELL_TEXT } from "./shell-text.ts";
import { TAMPERING } from "./tampering.ts";
import { TOKENS } from "./tokens.ts";

/** Calls of tools that try to get round the rules, and such that must not be stopped, by class. */
export const CORPUS: Readonly<Record<string, readonly BypassCall[]>> = {
  "editor tools": EDITOR_TOOLS,
  "shell text": SHELL_TEXT,
  programs: PROGRAMS,
  "git routes": GIT_ROUTES,
  tampering: TAMPERING,
  tokens: TOKENS,
  service: SERVICE,
  "daily work": DAILY,
};
