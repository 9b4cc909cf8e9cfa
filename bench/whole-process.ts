import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { quiet } from "./quiet.ts";

/** The built program. */
export const PROGRAM = fileURLToPath(new URL("../dist/skillctl.cjs", import.meta.url));

/** What a process left behind. */
export interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** A process, most often of Node, that is timed from its start to its end. */
export interface Subject {
  readonly label: string;
  /** Default: Node. */
  readonly program?: string;
  /** Words after the program. */
  readonly words: readonly string[];
  /** Standard input, as a pipe. Default: there is none. */
  readonly input?: string;
  /** Whether the answer is right; a wrong one ends the bench. */
  readonly isRight: (ended: Ended) => boolean;
  /** Done before each start, off the clock. */
  readonly before?: () => void;
}

/** `node -e 0`: nothing that runs on Node can be faster. */
export const FLOOR: Subject = { label: "node -e 0", words: ["-e", "0"], isRight: ({ out }) => out === "" };

/** A folder to run in, with a home of its own, so that nothing of the machine's user counts. */
export interface Place {
  readonly folder: string;
  readonly home: string;
  readonly state: string;
  readonly remove: () => void;
}

export function temporaryPlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), "skillctl-bench-"));
  const home = join(folder, "home");
  mkdirSync(home);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  return { folder, home, state: join(folder, "state"), remove };
}

/** What a process there finds in its environment. */
export function variablesOf({ home, state }: Omit<Place, "folder" | "remove">): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], HOME: home, SKILLCTL_STATE: state };
}

/** Runs Node, or another program, once and answers what came of it, with the milliseconds it took. */
export function runNode(
  words: readonly string[],
  { folder, home, state }: Place,
  input?: string,
  program = process.execPath,
): Ended & { readonly ms: number } {
  const env = variablesOf({ home, state });
  const start = process.hrtime.bigint();
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    cwd: folder,
    env,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    ...(input !== undefined && { input }),
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  if (error) throw error;
  return { status, out: stdout, err: stderr, ms };
}

/** Runs Node and holds the answer against what is right. @throws Error with what came instead. */
export function checkedRun(subject: Subject, place: Place): number {
  subject.before?.();
  const ended = runNode(subject.words, place, subject.input, subject.program);
  if (ended.status === 0 && ended.err === "" && subject.isRight(ended)) return ended.ms;
  const shown = [`exit status ${ended.status}`, ended.out.slice(0, 500), ended.err.slice(0, 2_000)];
  throw new Error(`${subject.label} gave a wrong answer: ${shown.join("\n")}`);
}

/** Milliseconds of each subject, one a round: all of them once a round, a different one first each time. */
export async function interleaved(
  subjects: readonly Subject[],
  place: Place,
  rounds = 31,
): Promise<number[][]> {
  const times = subjects.map((): number[] => []);
  for (const subject of subjects) checkedRun(subject, place);
  for (let round = 0; round < rounds; round += 1) {
    for (let step = 0; step < subjects.length; step += 1) {
      const index = (round + step) % subjects.length;
      await quiet();
      times[index]?.push(checkedRun(subjects[index] as Subject, place));
    }
  }
  return times;
}
