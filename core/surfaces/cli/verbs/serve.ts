import { randomBytes } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import { processEnvironment } from "../../../adapters/environment.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import type { Files } from "../../../ports/files.ts";
import type { HttpServerOptions } from "../../../host.ts";
import { servedSkills } from "../served.ts";
import { jsonResult } from "../text.ts";
import type { Verb, Invocation } from "../verb.ts";
import {
  readWords,
  SERVED_FLAGS,
  SERVED_HELP,
  single,
  TOOLS_FLAG,
  TOOLS_HELP,
  wantsCompactTools,
  type Flags,
  type ReadWords,
} from "../words.ts";
import { quotedName } from "../../../quoted-name.ts";

/** The form of a generated key. */
const KEY = /^[\w-]{43}$/;
const KEY_BYTES = 32;
const STICKY = 0o1000;

/** The first default port. If it is taken, the next ones are tried. */
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
${SERVED_HELP}${TOOLS_HELP}  --key-file FILE        The key that requests must have, in place of the one
                         in the state folder. ${KEY_VARIABLE} does the same
  --no-key               Let in every program on this machine, even other users'
  --watch                Reload third-party skills when their files change

Requests need the key: \`Authorization: Bearer KEY\`, or for GET \`?k=KEY\` after
the path. The first start creates one that only you can read; the address
shows it.
`;

const FLAGS: Flags = {
  host: { type: "string" },
  port: { type: "string" },
  "allow-host": { type: "string" },
  "allow-origin": { type: "string" },
  "key-file": { type: "string" },
  "no-key": { type: "boolean" },
  watch: { type: "boolean" },
  tools: TOOLS_FLAG,
  ...SERVED_FLAGS,
};

export const verb: Verb = { help: HELP, flags: FLAGS, run };

async function run(words: readonly string[], invocation: Invocation): Promise<number> {
  const read = readWords(words, FLAGS, 0);
  if (single(read, "watch") === "true") {
    const { serveWatched } = await import("./serve-watch.ts");
    return serveWatched(read, invocation);
  }
  const port = portOf(single(read, "port"));
  const skills = servedSkills(read, invocation, (await invocation.host()).catalog);
  const key = await keyOf(read, invocation);
  const options = { ...optionsOf(read, key?.value), skills };
  const { terminal } = invocation;
  const { signal } = terminal;
  const server = await open(invocation, options, port);
  try {
    const { url, port: at } = server;
    // A key that the person has named is not shown.
    const shown = key?.file !== undefined && { key: key.value, keyFile: key.file };
    if (invocation.options.json) terminal.out(jsonResult({ url, port: at, ...shown }));
    else terminal.out(shown ? `${url}/?k=${shown.key}\n` : `${url}\n`);
    if (!signal.aborted)
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  } finally {
    await server.close();
  }
  return 0;
}

/** Listens on the named port, or on the first free one from the default on. */
async function open(invocation: Invocation, options: HttpServerOptions, port: number | undefined) {
  const [host, { serveHttp }] = await Promise.all([invocation.host(), import("../../../host.ts")]);
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

function optionsOf(read: ReadWords, key: string | undefined): HttpServerOptions {
  const host = single(read, "host");
  return {
    ...(host !== undefined && { host }),
    tools: wantsCompactTools(read) ? "compact" : "all",
    allowHosts: read.flags.get("allow-host") ?? [],
    allowOrigins: read.flags.get("allow-origin") ?? [],
    ...(key !== undefined && { key }),
  };
}

interface Key {
  readonly value: string;
  /** The file of a generated key. */
  readonly file?: string;
}

/** Reads the key from a file or a variable. Other users could see a key in the arguments of the process. */
async function keyOf(read: ReadWords, { variables, workingFolder }: Invocation): Promise<Key | undefined> {
  const path = single(read, "key-file");
  if (single(read, "no-key") === "true") {
    if (path === undefined) return undefined;
    throw new SkillError("USAGE", "--key-file and --no-key cannot be combined.");
  }
  const variable = variables[KEY_VARIABLE];
  if (path === undefined && variable) return { value: variable };
  const { nodeFiles } = await import("../../../adapters/files.ts");
  if (path === undefined) {
    const { stateFolder } = processEnvironment(variables, workingFolder);
    return keptKey(stateFolder, nodeFiles);
  }
  const file = resolve(workingFolder, path);
  await refuseOpenNamed(file, nodeFiles);
  const value = (await nodeFiles.readText(file))?.trim();
  if (value) return { value };
  throw new SkillError("FILE_UNREADABLE", `${quotedName(file)} holds no key.`, {
    file,
    hint: "Put the key into it, on one line.",
  });
}

/** The generated key of an earlier start, or a new one. */
async function keptKey(stateFolder: string, files: Files): Promise<Key> {
  await files.makeFolder(stateFolder);
  // A user with write access to the folder could replace the key after it was checked.
  const folder = (await files.realPath(stateFolder)) ?? stateFolder;
  await refuseOpen(
    folder,
    "change",
    0o022,
    "Run chmod go-w on it, or name another state folder in SKILLCTL_STATE.",
    files,
  );
  const file = join(folder, "serve.key");
  await refuseOpen(
    file,
    "read or change",
    0o077,
    "Remove the file, so that the next start creates another key, or name your own key with --key-file.",
    files,
  );
  const kept = (await files.readText(file))?.trim();
  if (kept !== undefined && KEY.test(kept)) return { value: kept, file };
  const value = randomBytes(KEY_BYTES).toString("base64url");
  await files.replace(file, `${value}\n`);
  return { value, file };
}

/** Checks the target of a link. In a sticky folder users cannot replace the files of others. */
async function refuseOpenNamed(named: string, files: Files): Promise<void> {
  const file = (await files.realPath(named)) ?? named;
  await refuseOpen(file, "read or change", 0o077, "Name a file that only you can access: chmod 600.", files);
  const folder = dirname(file);
  const [mark] = await files.marks([folder]);
  const mode = mark?.mode ?? 0;
  if (mode & 0o022 && !(mode & STICKY))
    throw openTo(
      folder,
      "is open to other users, who may change it",
      "Run chmod go-w on it, or keep the key in another folder.",
    );
}

/** @throws SkillError `FILE_UNREADABLE` for a link, and for a file of other users or open to them */
async function refuseOpen(
  path: string,
  what: string,
  rights: number,
  hint: string,
  files: Files,
): Promise<void> {
  const facts = await files.facts(path);
  if (facts === undefined) return;
  const fault =
    (facts.kind === "other" && "is a link or not a regular file") ||
    (!facts.own && "belongs to another user") ||
    ((facts.mode ?? 0) & rights && `is open to other users, who may ${what} it`);
  if (fault) throw openTo(path, fault, hint);
}

function openTo(file: string, fault: string, hint: string): SkillError {
  return new SkillError(
    "FILE_UNREADABLE",
    `The key of the server is not safe: ${quotedName(file)} ${fault}.`,
    {
      file,
      hint,
    },
  );
}

function portOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (/^\d{1,5}$/.test(word) && Number(word) <= 65_535) return Number(word);
  throw new SkillError("USAGE", `--port must be a whole number from 0 to 65535, not "${word}".`);
}
