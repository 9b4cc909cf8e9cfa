/**
 * A skill that borrows the token and asks for a new one, for tests. As a program: `login-renewer.ts HOME FAILED`, which
 * says READY, waits for a line, renews once without anybody, and prints what came of it.
 */
import { once } from "node:events";
import { join } from "node:path";
import { argv, stdin, stdout } from "node:process";
import { pathToFileURL } from "node:url";
import { ACCESS_TOKENS, type AccessTokens, type Renewal, type SkillError } from "skillctl";
import { createHost, type HostedSkill } from "skillctl/host";
import { ROOT, SKILLS } from "../../../contract-tests/harness.ts";

/** The service that a new token is asked for. */
export const ORIGIN = "https://music.example";

/** The skill `renewer`: its command asks for another token than `failed` and answers it. */
export function renewer(failed: string, wait: Renewal): HostedSkill {
  class Renew {
    static readonly inject = [ACCESS_TOKENS];
    constructor(readonly tokens: AccessTokens) {}
    readonly run = async (): Promise<object> => {
      const { value, source } = await this.tokens.renew(ORIGIN, failed, wait);
      return { token: value, source };
    };
  }
  return {
    manifest: {
      manifestVersion: 1,
      name: "renewer",
      version: "0.1.0",
      summary: "Asks for a new login.",
      engines: { skillctl: "^0.1.0" },
      requires: { "access-tokens": "required" },
      commands: {
        renew: {
          summary: "Asks for a new login.",
          input: "login-proxy/check-input",
          output: "login-proxy/check-output",
          default: true,
        },
      },
    },
    folder: join(ROOT, "skills", "renewer"),
    schemas: join(ROOT, "schemas", "renewer"),
    builtin: false,
    load: async () => ({ default: { commands: { renew: Renew }, routes: {}, rules: {} } }),
  };
}

async function main([home = "", failed = ""]: readonly string[]): Promise<void> {
  const { processEnvironment } = await import("../../../core/adapters/environment.ts");
  const environment = { ...processEnvironment(), home };
  const signal = new AbortController().signal;
  const wait: Renewal = { signal, progress: () => undefined, interactive: false };
  const host = await createHost({ skills: [...SKILLS, renewer(failed, wait)], ports: { environment } });
  // The code of the skill is loaded before the race, not in it.
  await host.run({ skill: "login-proxy", command: "status", input: {} });
  stdout.write("READY\n");
  await once(stdin, "data");
  try {
    stdout.write(`${JSON.stringify(await host.run({ skill: "renewer", input: {} }))}\n`);
  } catch (caught) {
    const { code, message } = caught as SkillError;
    stdout.write(`${JSON.stringify({ code, message })}\n`);
  } finally {
    await host.close();
    stdin.destroy();
  }
}

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) await main(argv.slice(2));
