import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { figureRow, median, ratioRow, type Bench, type Row } from "./row.ts";
import {
  FLOOR,
  PROGRAM,
  checkedRun,
  interleaved,
  temporaryPlace,
  type Place,
  type Subject,
} from "./whole-process.ts";

const SIZES = [
  { count: 1_000, limit: 1.2 },
  { count: 10_000, limit: 1.5 },
] as const;
/** What changed this recently is read again by every `list`: with it the index would not be warm. */
const SETTLING_MS = 2_200;
const REBUILDS = 5;

/** How `list` grows with the number of skills. */
export const bench: Bench = {
  name: "discovery",
  describe: "`skillctl list` of foreign skills, a whole process; every answer is held against the folder.",
  run: async () => {
    const rows: Row[] = [];
    for (const { count, limit } of SIZES) {
      const place = temporaryPlace();
      try {
        rows.push(...(await measured(place, count, limit)));
      } finally {
        place.remove();
      }
    }
    return rows;
  },
};

async function measured(place: Place, count: number, limit: number): Promise<readonly Row[]> {
  const folder = join(place.folder, "many");
  const summaries = new Map<string, string>();
  for (let index = 0; index < count; index += 1) {
    const name = `skill-${String(index).padStart(5, "0")}`;
    summaries.set(name, `Does the work that has the number ${index}.`);
    writeSkill(folder, name, summaries.get(name) as string);
  }
  await sleep(SETTLING_MS);
  const list: Subject = {
    label: `list, ${count.toLocaleString("en")} skills, index warm`,
    words: [PROGRAM, "list", "--plugin", folder],
    isRight: ({ out }) => isComplete(out, summaries),
  };
  checkedRun(list, place);
  await checkChanges(list, place, folder, summaries);
  const [bases = [], warm = []] = await interleaved([FLOOR, list], place);
  const row = ratioRow({
    subject: list.label,
    base: FLOOR.label,
    unit: "ms",
    bases,
    candidates: warm,
    limit,
  });
  const rebuild: Subject = { ...list, before: () => rmSync(place.cache, { recursive: true, force: true }) };
  const [floors = [], cold = []] = await interleaved([FLOOR, rebuild], place, REBUILDS);
  const perSkill = cold.map((ms, round) => ((ms - (floors[round] as number)) * 1_000) / count);
  const label = `list, ${count.toLocaleString("en")} skills, without an index`;
  return [
    row,
    figureRow(label, `above ${median(floors).toFixed(0)} ms of ${FLOOR.label}`, "µs a skill", perSkill),
  ];
}

/** Changed, new and gone skills show in the very next list. Leaves the index warm. @throws Error when one does not. */
async function checkChanges(list: Subject, place: Place, folder: string, summaries: Map<string, string>) {
  const middle = `skill-${String(Math.floor(summaries.size / 2)).padStart(5, "0")}`;
  const before = summaries.get(middle) as string;
  // As long as before, so that only the time of the file tells.
  for (const text of [before.replace("Does", "Made"), before.replace("Does", "Done"), before]) {
    summaries.set(middle, text);
    writeSkill(folder, middle, text);
    checkedRun(list, place);
  }
  summaries.set("skill-new", "Came later.");
  writeSkill(folder, "skill-new", "Came later.");
  checkedRun(list, place);
  summaries.delete("skill-new");
  rmSync(join(folder, "skill-new"), { recursive: true });
  checkedRun(list, place);
  await sleep(SETTLING_MS);
  checkedRun(list, place);
}

/** Every skill of the folder with its summary, and no other of its kind. */
function isComplete(out: string, summaries: ReadonlyMap<string, string>): boolean {
  const listed = new Map(out.split("\n").map((line) => [line.split(" ", 1)[0] ?? "", line]));
  const foreign = [...listed.keys()].filter((name) => name.startsWith("skill-"));
  if (foreign.length !== summaries.size) return false;
  return [...summaries].every(([name, summary]) => listed.get(name)?.endsWith(`  ${summary}`));
}

function writeSkill(folder: string, name: string, summary: string): void {
  const command = (what: string): object => ({
    summary: `${what} it.`,
    input: `${name}/${what.toLowerCase()}-input`,
    output: `${name}/${what.toLowerCase()}-output`,
    positional: ["what"],
    display: "text",
  });
  const manifest = {
    $schema: "./node_modules/skillctl/schemas/core/skill-manifest.json",
    manifestVersion: 1,
    name,
    version: "1.2.3",
    summary,
    engines: { skillctl: "*" },
    permissions: { hosts: ["service.example"], environment: ["SERVICE_URL"] },
    commands: { find: command("Find"), make: command("Make"), check: command("Check") },
    rules: {
      "no-secrets": {
        tell: "Secrets are never given as input.",
        on: ["command.pre"],
        when: { type: "object", properties: { input: { type: "object", required: ["secret"] } } },
        decision: "deny",
        message: "A secret is no input.",
      },
    },
  };
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, "skill.json"), JSON.stringify(manifest, undefined, 2));
}
