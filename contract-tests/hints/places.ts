/** The places in the source that name a command of the program. */
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../harness.ts";

/** Commands that texts of the program name, apart from help and the instructions of rules. */
const NAMED =
  /skillctl (?:run [a-z]+-[a-z]+(?: [a-z]+)?|(?:why|validate|info|list|trust|untrust|doctor|hooks|mcp|serve|add|update|remove|verify)\b)/g;

async function namedIn(folder: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(join(ROOT, folder), { recursive: true })) {
    const file = join(folder, entry);
    const isSource =
      entry.endsWith(".ts") && !/\.test\.ts$|(^|\/)(tests|testing|fixture[^/]*)(\/|\.ts$)/.test(entry);
    if (!isSource && !/^[^/]+\/skill\.json$/.test(entry)) continue;
    for (const line of (await readFile(join(ROOT, file), "utf8")).split("\n")) {
      if (/^\s*(\/?\*|\/\/|Usage:)|^\s*"tell"/.test(line)) continue;
      for (const [command] of line.matchAll(NAMED)) found.push(`${file}: ${command}`);
    }
  }
  return found;
}

/** Each place once, as `FILE: COMMAND`, sorted. */
export async function namedPlaces(): Promise<readonly string[]> {
  const found = await Promise.all(["core", "plugins", "skills"].map(namedIn));
  return [...new Set(found.flat())].sort();
}

/** Places that are not hints, or whose state cannot be reached, by reason. */
export const NOT_HINTS: Readonly<Record<string, readonly string[]>> = {
  "a usage line in a help text": [
    "core/surfaces/cli/verbs/trust.ts: skillctl trust",
    "core/surfaces/cli/verbs/trust.ts: skillctl untrust",
  ],
  "needs 65 installed skills": ["core/surfaces/cli/install/installation.ts: skillctl remove"],
  "needs a running program; observe-life.long.test.ts types it": [
    "plugins/runtime-debug/commands/fix-command.ts: skillctl run runtime-debug observe",
  ],
  "describes a fact, and names no next step": [
    "core/surfaces/cli/verbs/hooks.ts: skillctl serve",
    "plugins/music-analysis/answer/pictures.ts: skillctl run music-analysis",
    "plugins/music-gateway/answer/report-page.ts: skillctl run music-gateway report",
    "plugins/runtime-debug/gate/call-effects.ts: skillctl run runtime-debug serve",
    "plugins/runtime-debug/server/doctor.ts: skillctl doctor",
  ],
  "shown on the page of a session; doors-page.test.ts takes the address from status": [
    "plugins/runtime-debug/page/client/main.ts: skillctl run runtime-debug status",
    "plugins/runtime-debug/page/page-routes.ts: skillctl run runtime-debug status",
  ],
  "no door reaches it: the routes are served only with a session": [
    "plugins/runtime-debug/open-session.ts: skillctl run runtime-debug serve",
  ],
};
