import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Files } from "../../../ports/files.ts";
import { CLIENT } from "./client.ts";

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
  const text = dispatcherText({ own, socket: hostSocket(stateFolder), variables: sentVariables(variables) });
  if ((await files.readText(file)) === text) return file;
  await files.makeFolder(join(stateFolder, "guard"));
  await files.replace(file, text);
  return file;
}

/** Where the dispatcher of a state folder stands, whether it is written or not. */
export function dispatcherPath(stateFolder: string): string {
  return join(stateFolder, "guard", "dispatcher.sh");
}

interface Parts {
  readonly own: readonly string[];
  readonly socket: string;
  readonly variables: string;
}

/**
 * A shell starts in a millisecond and becomes perl, without a further process. Variables of Perl could put other code in
 * the client's place. Without perl the cold program answers.
 */
export function dispatcherText({ own, socket, variables }: Parts): string {
  const cold = own.map(quoted).join(" ");
  return `#!/bin/sh
# Puts an event of an agent's hook before the rules: sh FILE DIALECT < EVENT. Written by \`skillctl hooks install\`.
dialect=$1
cd -P . 2>/dev/null && cwd=$PWD || cwd=
unset PERL5OPT PERL5LIB PERLLIB PERL_UNICODE PERLIO PERL5DB
PERL_BADLANG=0
export PERL_BADLANG
for perl in ${PERLS.join(" ")}; do
  [ -x "$perl" ] && exec "$perl" -e '${CLIENT}' "$dialect" "$cwd" ${quoted(socket)} ${quoted(variables)} ${cold}
done
${cold} guard --dialect "$dialect"
status=$?
case $status in
  0 | 2 | 6? | 7?) exit $status ;;
esac
echo "skillctl guard denies this, because it cannot be judged: the program failed with exit status $status." >&2
exit 2
`;
}

/** A word for a POSIX shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
