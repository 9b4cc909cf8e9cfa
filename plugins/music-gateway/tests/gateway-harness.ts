import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { SkillError, type Call, type Clock, type Environment } from "skillctl";
import { nodePorts } from "skillctl/host";
import { ChatSyncRoute, GatewayKey, Quota } from "../chat-sync-route.ts";
import type { ImportOutput } from "../contract.ts";
import { ImportCommand } from "../import-command.ts";
import { Importer } from "../library/importer.ts";
import { Rehearsal } from "../faults.ts";
import { Collections } from "../library/collections.ts";
import type { ResultRow } from "../store/database.ts";
import { Library } from "../library/library.ts";

/** 2026-11-01, 10:00 in Shanghai. */
const NOW_MS = Date.UTC(2026, 10, 1, 2);

/** A test, or whatever else does things at its end. */
interface CleanUp {
  readonly after: (action: () => Promise<void>) => void;
}

/** The parts of the plugin over real files in a temporary folder, removed after the test. */
export async function gatewayIn(context: CleanUp, shared?: string) {
  const folder = shared ?? (await mkdtemp(join(tmpdir(), "music-gateway-")));
  const time = { nowMs: NOW_MS };
  const clock: Clock = { now: () => time.nowMs, monotonicMs: () => 0 };
  const environment: Environment = {
    variable: () => undefined,
    home: folder,
    workingFolder: folder,
    stateFolder: join(folder, "state"),
    addresses: () => [],
  };
  const { files, claims } = nodePorts();
  const library = new Library(files, claims, environment);
  const collections = new Collections(library);
  const key = new GatewayKey();
  const notices: string[] = [];
  const log = { notice: (line: string) => void notices.push(line), detail: () => undefined };
  const quota = new Quota(clock, log);
  const rehearsal = new Rehearsal(log);
  const route = new ChatSyncRoute(collections, quota, key, rehearsal);
  const importing = new ImportCommand(files, environment, new Importer(files, library));
  context.after(async () => {
    await collections.close();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    folder,
    time,
    environment,
    library,
    collections,
    quota,
    key,
    rehearsal,
    notices,
    route,
    /** Writes files, and imports them; the report also where files were refused. */
    take: async (
      contents: Readonly<Record<string, string | Uint8Array>>,
      dryRun = false,
    ): Promise<ImportOutput> => {
      for (const [name, content] of Object.entries(contents)) {
        await mkdir(dirname(join(folder, name)), { recursive: true });
        await writeFile(join(folder, name), content);
      }
      try {
        return await importing.run({ files: Object.keys(contents), dryRun }, quietCall().call);
      } catch (caught) {
        if (caught instanceof SkillError && caught.result !== undefined) return caught.result as ImportOutput;
        throw caught;
      }
    },
    /** The rows of a statement over what answers now, each as its values. */
    values: async (sql: string): Promise<readonly (readonly ResultRow[string][])[]> =>
      collections.use(async ({ rows }) => (await rows(sql)).map((row) => Object.values(row))),
  };
}

/** A call that nobody aborts and whose announcements are kept. */
export function quietCall(signal: AbortSignal = new AbortController().signal) {
  const announced: string[] = [];
  const call: Call = {
    surface: "host",
    signal,
    progress: () => undefined,
    announce: (text) => void announced.push(text),
  };
  return { call, announced };
}
