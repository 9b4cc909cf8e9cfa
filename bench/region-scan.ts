import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { alternating } from "./alternation.ts";
import { REGIONS, commit, instrument, ripgrepFinds, writeTree } from "./region-tree.ts";
import { hasRipgrep } from "./ripgrep.ts";
import { ratioRow, type Bench, type Row } from "./row.ts";
import { PROGRAM, checkedRun, runNode, temporaryPlace, type Place, type Subject } from "./whole-process.ts";

const ROUNDS = 15;
const GIT_LIMIT = 1.4;
const PLAIN_LIMIT = 2.7;
const BASE = "rg over the whole tree";

interface Checked {
  readonly ok: boolean;
  readonly files: number;
  readonly regions: number;
}

const hasGit = spawnSync("git", ["--version"]).status === 0;
const missing = [...(hasRipgrep ? [] : ["ripgrep"]), ...(hasGit ? [] : ["git"])];
const absent =
  missing.length > 0 ? ` Not measured, because programs are not there: ${missing.join(", ")}.` : "";

/** What it costs to prove that code differs by probes only. */
export const bench: Bench = {
  name: "region-scan",
  describe: `\`check\` as a process of its own, in a tree of 20,000 files (112 MB) with ${REGIONS} probes in 200 of them that are not committed.${absent}`,
  run: async () => {
    if (missing.length > 0) return [];
    const place = temporaryPlace();
    const root = join(place.folder, "tree");
    try {
      writeTree(root);
      const there: Place = { ...place, folder: root };
      const plain = await rows(there, "scan-plain", "a folder without git", PLAIN_LIMIT);
      commit(root);
      return [...(await rows(there, "scan-project", "a project of git", GIT_LIMIT)), ...plain];
    } finally {
      place.remove();
    }
  },
};

async function rows(place: Place, session: string, where: string, limit: number): Promise<readonly Row[]> {
  const begun = runNode([PROGRAM, "run", "runtime-debug", "start", "Slow", "--session", session], place);
  if (begun.status !== 0) throw new Error(begun.err);
  const putBack = instrument(place.folder, session);
  const check = checking(session, `check in ${where}`);
  checkedRun(check, place);
  const [bases = [], candidates = []] = await alternating(ROUNDS, ["rg", check], async (subject) =>
    typeof subject === "string" ? ripgrepFinds(place.folder) : checkedRun(subject, place),
  );
  putBack();
  return [ratioRow({ subject: check.label, base: BASE, unit: "ms", bases, candidates, limit })];
}

function checking(session: string, label: string): Subject {
  return {
    label,
    words: [PROGRAM, "run", "runtime-debug", "check", session, "--json"],
    isRight: ({ out }) => {
      const { output } = JSON.parse(out) as { readonly output: Checked };
      return output.ok && output.files === 200 && output.regions === REGIONS;
    },
  };
}
