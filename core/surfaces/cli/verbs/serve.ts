import { resolve } from "node:path";
import { SkillError } from "../../../errors/skill-error.ts";
import type { HttpServerOptions } from "../../../host.ts";
import { jsonResult } from "../text.ts";
import type { Verb, VerbContext } from "../verb.ts";
import { readWords, single, superfluous, type FlagKind, type ReadWords } from "../words.ts";

const SEE = "skillctl serve --help";
/** Where it listens when no port is named; each next one is tried when it is taken. */
const FIRST_PORT = 7780;
const PORTS_TRIED = 20;
const KEY_VARIABLE = "SKILLCTL_KEY";

const HELP = `Serves the skills over HTTP until it is stopped, and prints the address.

Usage: skillctl serve [--host H] [--port P] [FLAGS]

Flags:
  --host H               Address to listen on. Default 127.0.0.1. Anything
                         beyond this machine needs a key and --allow-host
  --port P               1 to 65535, or 0 for any free one. Default: the first
                         free one from ${FIRST_PORT} on
  --allow-host NAME      Also answer requests to this host name (repeatable)
  --allow-origin ORIGIN  Pages of this origin may call (repeatable)
  --key-file FILE        Ask for the key in this file as a bearer token.
                         ${KEY_VARIABLE} does the same
`;

const FLAGS = new Map<string, FlagKind>([
  ["host", "text"],
  ["port", "text"],
  ["allow-host", "text"],
  ["allow-origin", "text"],
  ["key-file", "text"],
]);

export const verb: Verb = { help: HELP, run };

async function run(words: readonly string[], context: VerbContext): Promise<number> {
  const read = readWords(words, FLAGS, SEE);
  if (read.positionals[0] !== undefined) throw superfluous(SEE);
  const port = portOf(single(read, "port"));
  const options = await optionsOf(read, context);
  const { terminal } = context;
  const { signal } = terminal;
  const server = await open(context, options, port);
  try {
    terminal.out(
      context.options.json ? jsonResult({ url: server.url, port: server.port }) : `${server.url}\n`,
    );
    if (!signal.aborted)
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  } finally {
    await server.close();
  }
  return 0;
}

/** Listens at the named port, or at the first free one from the default on. */
async function open(context: VerbContext, options: HttpServerOptions, port: number | undefined) {
  const [host, { serveHttp }] = await Promise.all([context.host(), import("../../../host.ts")]);
  if (port !== undefined) return serveHttp(host, { ...options, port });
  for (let next = FIRST_PORT; ; next += 1) {
    try {
      return await serveHttp(host, { ...options, port: next });
    } catch (caught) {
      const taken = caught instanceof SkillError && caught.code === "ADDRESS_IN_USE";
      if (!taken || next === FIRST_PORT + PORTS_TRIED - 1) throw caught;
    }
  }
}

async function optionsOf(read: ReadWords, context: VerbContext): Promise<HttpServerOptions> {
  const host = single(read, "host");
  const key = await keyOf(single(read, "key-file"), context);
  return {
    ...(host !== undefined && { host }),
    allowHosts: read.flags.get("allow-host") ?? [],
    allowOrigins: read.flags.get("allow-origin") ?? [],
    ...(key !== undefined && { key }),
  };
}

/** From a file or a variable, never from a word: the words of a process can be seen by others. */
async function keyOf(
  path: string | undefined,
  { variables, workingFolder }: VerbContext,
): Promise<string | undefined> {
  if (path === undefined) return variables[KEY_VARIABLE] || undefined;
  const { nodeFiles } = await import("../../../adapters/files.ts");
  const file = resolve(workingFolder, path);
  const key = (await nodeFiles.readText(file))?.trim();
  if (key) return key;
  throw new SkillError("FILE_UNREADABLE", `${file} holds no key.`, {
    file,
    hint: "Put the key into it, on one line.",
  });
}

function portOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (/^\d{1,5}$/.test(word) && Number(word) <= 65_535) return Number(word);
  throw new SkillError("USAGE", `--port must be a whole number from 0 to 65535, not "${word}".`, {
    hint: `See: ${SEE}`,
  });
}
