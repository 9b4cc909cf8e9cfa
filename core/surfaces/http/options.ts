import { SkillError } from "../../errors/skill-error.ts";
import type { ServedSkills } from "../../catalog.ts";
import { isLoopbackAddress } from "../../loopback.ts";

// Exported by the package, so that this file must not import fastify.
/** Options for `serveHttp`. */
export interface HttpServerOptions {
  /** Address to bind. Default: `127.0.0.1`. Addresses beyond loopback need both `key` and `allowHosts`. */
  readonly host?: string;
  /** Default: 0, any free port. */
  readonly port?: number;
  /** Accepted host names besides loopback: `name` on any port, or `name:port`. Compared exactly. */
  readonly allowHosts?: readonly string[];
  /** Origins whose pages may call and read responses, such as `https://app.example`. Compared exactly. Default: none. */
  readonly allowOrigins?: readonly string[];
  /** The served skills. Default: all. The others still lend ports, and their rules apply. */
  readonly skills?: ServedSkills;
  /** The tools at `/mcp`: one for each command, or three that find, describe and call commands. Default: `all`. */
  readonly tools?: "all" | "compact";
  /** If set, every route except `/health` and the documents for discovery requires `Authorization: Bearer KEY`. Default: none. */
  readonly key?: string;
}

/**
 * Prevents accidental exposure: beyond loopback a server needs a key and host names.
 * @throws SkillError `USAGE`.
 */
export function checkOptions({
  host = "127.0.0.1",
  port = 0,
  allowHosts = [],
  allowOrigins = [],
  key,
}: HttpServerOptions): void {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new SkillError("USAGE", `${port} is not a port.`, {
      hint: "A port is a number from 0 to 65535; 0 is any free one.",
    });
  }
  for (const origin of allowOrigins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
      throw new SkillError("USAGE", `"${origin}" is not an origin.`, {
        hint: "An origin looks like https://app.example.",
      });
    }
  }
  if (isLoopbackAddress(host) || (key && allowHosts.length > 0)) return;
  throw new SkillError(
    "USAGE",
    `${host} can be reached from other machines, so the server needs a key and host names.`,
    {
      hint: "Give both --key-file (or SKILLCTL_KEY) and --allow-host, or listen on 127.0.0.1.",
    },
  );
}
