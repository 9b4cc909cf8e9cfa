import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sayInProcess, type InProcess, type ProgramResult } from "../../../contract-tests/command-line.ts";
import { FakeService, type ScriptedReply } from "../../../contract-tests/fake-service.ts";
import { TOKEN } from "./host.ts";

/** The command line with the built-in skills, in a folder that is home, state, cache and working folder. */
export interface Desk {
  readonly folder: string;
  readonly service: FakeService;
  /** Runs the program in this process. */
  readonly say: (words: readonly string[], options?: InProcess) => Promise<ProgramResult>;
}

/** A desk whose service answers from a script, and which is removed afterwards. */
export async function atDesk(
  script: readonly ScriptedReply[],
  action: (desk: Desk) => Promise<unknown>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-"));
  const service = await FakeService.start(...script);
  await mkdir(join(folder, ".svc-login"), { mode: 0o700 });
  const cached = JSON.stringify({ token: TOKEN, baseUrl: service.url });
  await writeFile(join(folder, ".svc-login", "token.json"), cached, { mode: 0o600 });
  // The token is in the cache file, not here.
  const variables = {
    HOME: folder,
    USERPROFILE: folder,
    SKILLCTL_STATE: join(folder, "state"),
    SVC_BASE_URL: service.url,
  };
  const say: Desk["say"] = (words, options = {}) =>
    sayInProcess(words, folder, { ...options, variables: { ...variables, ...options.variables } });
  try {
    await action({ folder, service, say });
  } finally {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
}
