import { spawnSync } from "node:child_process";

/** Whether the program is on the path. */
export const hasRipgrep = spawnSync("rg", ["--version"]).status === 0;
