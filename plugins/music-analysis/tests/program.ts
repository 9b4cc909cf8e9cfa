import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { builtinSkills } from "skillctl/skills";
import { main } from "../../../core/surfaces/cli/main.ts";
import { VERSION } from "../../../core/version.ts";
import type { Said } from "../../../contract-tests/command-line.ts";
import { FakeService, type ScriptedReply } from "../../../contract-tests/fake-service.ts";
import { TOKEN } from "./host.ts";

/** The command line with the skills in the box, in a folder that is home, state, cache and working folder. */
export interface Desk {
  readonly folder: string;
  readonly service: FakeService;
  /** What a process of the program would be started with. The token is in the cache file, not here. */
  readonly variables: Readonly<Record<string, string>>;
  /** Runs the program in this process. `heard` is told of everything as it is written. */
  readonly say: (words: readonly string[], options?: SayOptions) => Promise<Said>;
}

interface SayOptions {
  readonly variables?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly heard?: (text: string) => void;
}

/** A desk whose service answers from a script, and which is cleared away afterwards. */
export async function atDesk(
  script: readonly ScriptedReply[],
  action: (desk: Desk) => Promise<unknown>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "skillctl-"));
  const service = await FakeService.start(...script);
  await mkdir(join(folder, ".svc-login"), { mode: 0o700 });
  const cached = JSON.stringify({ token: TOKEN, baseUrl: service.url });
  await writeFile(join(folder, ".svc-login", "token.json"), cached, { mode: 0o600 });
  const variables = {
    HOME: folder,
    USERPROFILE: folder,
    SKILLCTL_STATE: join(folder, "state"),
    SVC_BASE_URL: service.url,
  };
  const say: Desk["say"] = (words, options = {}) =>
    inProcess(words, folder, { ...options, variables: { ...variables, ...options.variables } });
  try {
    await action({ folder, service, variables, say });
  } finally {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function inProcess(words: readonly string[], folder: string, options: SayOptions): Promise<Said> {
  const { variables = {}, signal = new AbortController().signal, heard } = options;
  let out = "";
  let err = "";
  const status = await main(words, {
    version: VERSION,
    builtin: builtinSkills(),
    precompiled: undefined,
    variables,
    workingFolder: folder,
    terminal: () => ({
      out: (text) => {
        out += text;
        heard?.(text);
      },
      err: (text) => {
        err += text;
        heard?.(text);
      },
      lively: false,
      colour: false,
      columns: 80,
      signal,
    }),
  });
  return { status, out, err };
}
