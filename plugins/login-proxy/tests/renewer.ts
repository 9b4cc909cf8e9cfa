/** A skill that borrows the token and asks for a new one, for tests. */
import { join } from "node:path";
import { ACCESS_TOKENS, type AccessTokens, type Renewal } from "../../ports.ts";
import type { HostedSkill } from "skillctl/host";
import { ROOT } from "../../../contract-tests/harness.ts";

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
