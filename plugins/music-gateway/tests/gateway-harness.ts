import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SkillError, type Call } from "skillctl";
import { nodePorts } from "skillctl/host";
import { fixedClock } from "../../../core/testing/fixed-clock.ts";
import { memoryLog } from "../../../core/testing/memory-log.ts";
import { testEnvironment } from "../../../core/testing/test-environment.ts";
import { ChatSyncRoute, GatewayKey } from "../chat-sync-route.ts";
import type { ImportOutput } from "../contract.ts";
import { ImportCommand } from "../import-command.ts";
import { Collections } from "../library/collections.ts";
import { LastQuestions } from "../last-questions.ts";
import type { ResultRow } from "../store/database.ts";
import { Library } from "../library/library.ts";

/** 2026-11-01, 10:00 in Shanghai. */
const NOW_MS = Date.UTC(2026, 10, 1, 2);

/** A test, or another object that runs actions at its end. */
interface CleanUp {
  readonly after: (action: () => Promise<void>) => void;
}

/** The parts of the plugin over real files in a temporary folder, removed after the test. */
export async function gatewayIn(context: CleanUp, shared?: string) {
  const folder = shared ?? (await mkdtemp(join(tmpdir(), "music-gateway-")));
  const clock = fixedClock(NOW_MS);
  const environment = { ...testEnvironment(folder), workingFolder: folder };
  const { files, claims, state } = nodePorts({ clock, environment });
  const library = new Library(files, claims, environment);
  const collections = new Collections(library);
  const key = new GatewayKey();
  const questions = new LastQuestions(state, clock, memoryLog());
  const route = new ChatSyncRoute(collections, key, questions);
  const importing = new ImportCommand(files, environment, library);
  const call: Call = {
    surface: "host",
    signal: new AbortController().signal,
    progress: () => undefined,
    announce: () => undefined,
  };
  /** The report, even if files were refused. */
  const imported = async (names: readonly string[]): Promise<ImportOutput> => {
    try {
      return await importing.run({ files: [...names] }, call);
    } catch (caught) {
      if (caught instanceof SkillError && caught.result !== undefined) return caught.result as ImportOutput;
      throw caught;
    }
  };
  context.after(async () => {
    await collections.close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    folder,
    clock,
    library,
    collections,
    questions,
    key,
    route,
    import: imported,
    /** Writes files, and imports them. */
    take: async (contents: Readonly<Record<string, string | Uint8Array>>): Promise<ImportOutput> => {
      for (const [name, content] of Object.entries(contents)) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), content);
      }
      return imported(Object.keys(contents));
    },
    /** The rows of a statement over the collection that currently answers, each as its values. */
    values: async (sql: string): Promise<readonly (readonly ResultRow[string][])[]> =>
      collections.use(async ({ rows }) => (await rows(sql)).map((row) => Object.values(row))),
  };
}
