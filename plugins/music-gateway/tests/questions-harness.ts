/** Somebody who imported the made-up exports asks a table of questions, by the doors that a person has. */
import { writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { TestContext } from "node:test";
import { createTestHost } from "skillctl/testing";
import { SKILLS } from "../../../contract-tests/harness.ts";
import { exportFiles } from "./questions/export-files.ts";
import type { Question } from "./questions/expectation.ts";
import { faultsOf, type Reply } from "./questions/judge.ts";

interface Answered {
  readonly text: string;
  readonly questionsToday?: { readonly used: number };
}

interface Imported {
  readonly files: readonly {
    readonly file: string;
    readonly status: string;
    readonly reason: string | null;
  }[];
}

export interface Musician {
  /** Imports the folder of all exports, and says what was refused. */
  readonly importAll: () => Promise<readonly string[]>;
  readonly ask: (question: string) => Promise<Reply>;
}

/** A host with all exports in its working folder. Its clock stands still: all questions are of one day. */
export async function musician(t: Pick<TestContext, "after">): Promise<Musician> {
  const host = await createTestHost({ skills: SKILLS, now: "2026-11-01T09:00:00Z" });
  t.after(host.close);
  for (const [name, bytes] of Object.entries(exportFiles()))
    await writeFile(join(host.environment.workingFolder, name), bytes);
  const importAll = async (): Promise<readonly string[]> => {
    const input = { files: ["."] };
    const { files } = await host
      .run({ skill: "music-gateway", command: "import", input })
      .then((report) => report as Imported)
      .catch((caught: { readonly result?: Imported }) => caught.result ?? Promise.reject(caught));
    return files
      .filter(({ status }) => status === "refused")
      .map(({ file, reason }) => `${basename(file)}: ${reason}`);
  };
  let spent = 0;
  const ask = async (question: string): Promise<Reply> => {
    try {
      const input = { question };
      const { text, questionsToday } = (await host.run({
        skill: "music-analysis",
        command: "ask",
        input,
      })) as Answered;
      const before = spent;
      spent = questionsToday?.used ?? spent;
      return { text, spent: Math.max(0, spent - before) };
    } catch (caught) {
      const { code, message } = caught as { readonly code?: string; readonly message: string };
      if (code === undefined) throw caught;
      return { text: message, failed: code, spent: 0 };
    }
  };
  return { importAll, ask };
}

/** Asks them in turn; a line for each wrong reply. */
export async function wrongReplies(
  ask: (question: string) => Promise<Reply>,
  asked: readonly Question[],
): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const question of asked) {
    const faults = faultsOf(question, await ask(question.question));
    if (faults.length > 0) wrong.push(`${question.id} ${question.question}: ${faults.join("; ")}`);
  }
  return wrong;
}
