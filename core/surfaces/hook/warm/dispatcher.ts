import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import type { Files } from "../../../ports/files.ts";
import { PERL_VARIABLES, PERL_WORDS, WAY_OUT, clientText } from "./client.ts";

/** What a dispatcher is written for. */
export interface DispatcherOptions {
  /** The cold program, absolute, with the words that start it: Node and the file of skillctl. */
  readonly own: readonly string[];
  /** Further variables that rules may look at: what skills name under `permissions.environment`. */
  readonly variables?: readonly string[];
  readonly files: Pick<Files, "readText" | "replace" | "makeFolder">;
}

/** What decides where skillctl keeps, looks for and starts things; and SKILLCTL_... */
const OWN_VARIABLES = [
  "HOME",
  "NODE_OPTIONS",
  "PATH",
  "TMPDIR",
  "USERPROFILE",
  "XDG_CACHE_HOME",
  "XDG_CONFIG_HOME",
  "XDG_STATE_HOME",
] as const;
/** Where perl stands, as systems have it. Not looked for along PATH, which is the caller's to set. */
const PERLS = [
  "/usr/bin/perl",
  "/usr/local/bin/perl",
  "/opt/homebrew/bin/perl",
  "/run/current-system/sw/bin/perl",
];
/** An address of a socket has 104 bytes at least, on every system; a NUL and a longer name while it is made are taken off. */
const MAX_SOCKET_BYTES = 91;

const WRITTEN_FOR = /^# Written for (\{.*\})$/m;

/** Names of variables that the dispatcher sends to the warm host, with blanks between, sorted. */
export function sentVariables(further: readonly string[] = []): string {
  return [...new Set([...OWN_VARIABLES, ...further])].sort().join(" ");
}

/**
 * Where the warm host of a state folder listens: in it, or, when that is too long for the address of a socket, in a
 * folder of this user under /tmp. The dispatcher trusts a folder only that belongs to the user and is open to nobody else.
 */
export function hostSocket(stateFolder: string, user = process.getuid?.() ?? 0): string {
  const near = join(stateFolder, "guard", "host", "socket");
  if (Buffer.byteLength(near) <= MAX_SOCKET_BYTES) return near;
  const hashed = createHash("sha256").update(stateFolder).digest("hex").slice(0, 16);
  return join("/tmp", `skillctl-${user}-${hashed}`, "socket");
}

/**
 * Writes the one program that every agent's hook starts, `sh FILE DIALECT < EVENT`, and answers where it stands. It asks
 * the warm host, and the cold program where that gives no answer; both streams and the exit status are those of
 * `skillctl guard`. A file that is right is not written again.
 * @throws SkillError `FILE_UNWRITABLE`
 */
export async function dispatcherFile(
  stateFolder: string,
  { own, variables = [], files }: DispatcherOptions,
): Promise<string> {
  const file = dispatcherPath(stateFolder);
  const socket = hostSocket(stateFolder);
  const text = dispatcherText({ file, own, socket, variables: sentVariables(variables) });
  if ((await files.readText(file)) === text) return file;
  await files.makeFolder(join(stateFolder, "guard"));
  await files.replace(file, text);
  return file;
}

/** Where the dispatcher of a state folder stands, whether it is written or not. */
export function dispatcherPath(stateFolder: string): string {
  return join(stateFolder, "guard", "dispatcher.sh");
}

/**
 * The words of the cold program that a dispatcher starts; undefined for a text that differs in anything from what this
 * version writes into that file. A comment in it says what it was written for.
 */
export function startedIn(file: string, text: string): readonly string[] | undefined {
  const [, written] = WRITTEN_FOR.exec(text) ?? [];
  if (written === undefined) return undefined;
  let own: unknown;
  let variables: unknown;
  try {
    ({ own, variables } = JSON.parse(written) as { readonly own?: unknown; readonly variables?: unknown });
  } catch {
    return undefined;
  }
  if (!Array.isArray(own) || !own.every((one) => typeof one === "string") || typeof variables !== "string")
    return undefined;
  const socket = hostSocket(dirname(dirname(file)));
  return dispatcherText({ file, own, socket, variables }) === text ? own : undefined;
}

interface Parts {
  /** Where it will stand. */
  readonly file: string;
  readonly own: readonly string[];
  readonly socket: string;
  readonly variables: string;
}

/**
 * The shell becomes perl, which reads the client further down; the command of a hook does the same without this shell
 * where it can. Without perl the cold program answers.
 */
function dispatcherText({ file, own, socket, variables }: Parts): string {
  const cold = own.map(quoted).join(" ");
  return `#!/bin/sh
# Puts an event of an agent's hook before the rules: sh FILE DIALECT < EVENT. Written by \`skillctl hooks install\`.
# Written for ${JSON.stringify({ own, variables })}
dialect=$1
deny() {
  printf '%s\\n' "skillctl guard denies this, because it cannot be judged: $1; ${WAY_OUT}" >&2
  exit 2
}
for perl in ${PERLS.join(" ")}; do
  [ -x "$perl" ] && ${PERL_VARIABLES} exec "$perl" ${PERL_WORDS.map(quoted).join(" ")} ${quoted(file)} "$dialect"
done
for part in ${cold}; do
  case $part in
    /*) [ -e "$part" ] || deny "$part is missing" ;;
  esac
done
${cold} guard --dialect "$dialect"
ended=$?
case $ended in
  0 | 2 | 6? | 7?) exit $ended ;;
esac
deny "the program failed with exit status $ended"
${clientText({ own, socket, variables: variables.split(" ") })}`;
}

/** A word for a POSIX shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
