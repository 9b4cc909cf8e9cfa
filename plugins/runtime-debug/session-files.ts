import { dirname, join, resolve } from "node:path";
import { quotedName, SkillError, type Environment, type Files } from "skillctl";

const SHAPE = /^[a-z][a-z0-9]*(-[a-z][a-z0-9]*){1,3}$/;
const MAX_LENGTH = 64;
/** Names that some systems reserve for devices, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com[1-9]|lpt[1-9])$/;

/**
 * Returns an id that is safe as a part of file names: docs/runtime-debug.md, section Sessions. Every path with an id
 * uses this result.
 * @throws SkillError `DEBUG_SESSION_INVALID`
 */
export function checkedSession(id: string): string {
  const fault = sessionFault(id);
  if (fault === undefined) return id;
  throw new SkillError("DEBUG_SESSION_INVALID", `The session id ${fault}.`, {
    hint: "Use 2 to 4 words of lower-case letters and digits with hyphens between them, such as login-timeout.",
  });
}

/** The fault of an id, to be put after "The session id"; `undefined` for a valid one. */
export function sessionFault(id: string): string | undefined {
  if (id.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (!SHAPE.test(id))
    return "is not 2 to 4 lower-case words, each a letter and then letters or digits, joined by hyphens";
  const device = id.split("-").find((word) => DEVICE.test(word));
  return device === undefined
    ? undefined
    : `holds the word "${device}", which some systems reserve for a device`;
}

/** The default folder for the files of a session. */
export const DEFAULT_FOLDER = ".dbg";

/** The log of a session and the files next to it: docs/runtime-debug.md, section Files. All absolute. */
export interface SessionFiles {
  readonly folder: string;
  readonly log: string;
  readonly environment: string;
  readonly serveLog: string;
}

/** The paths for an id that has been checked. */
export function sessionFiles(folder: string, session: string): SessionFiles {
  return {
    folder,
    log: join(folder, `svc-debug-log-${session}.ndjson`),
    environment: join(folder, `${session}.env`),
    serveLog: join(folder, `${session}.serve.log`),
  };
}

/** The requested folder, absolute; no file is accessed. */
export function askedFolder(outdir: string | undefined, { workingFolder }: Environment): string {
  return resolve(workingFolder, outdir ?? DEFAULT_FOLDER);
}

/**
 * The requested folder, or the nearest `.dbg`, from the working folder up, that holds a file with one of these names;
 * otherwise that of the working folder. A folder of another user counts only if it was named: in shared folders such as
 * `/tmp` any user can create one. @throws SkillError `STORAGE_UNSAFE` if only another user has one
 */
export async function nearestFolder(
  outdir: string | undefined,
  names: readonly string[],
  environment: Environment,
  files: Files,
): Promise<string> {
  const asked = askedFolder(outdir, environment);
  if (outdir !== undefined) return asked;
  let foreign: string | undefined;
  for (let folder = environment.workingFolder; ; folder = dirname(folder)) {
    const place = join(folder, DEFAULT_FOLDER);
    for (const name of names) {
      const facts = await files.facts(join(place, name));
      if (facts?.kind !== "file") continue;
      if (facts.own && (await files.facts(place))?.own) return place;
      foreign ??= place;
    }
    if (dirname(folder) === folder) break;
  }
  if (foreign === undefined) return asked;
  throw new SkillError(
    "STORAGE_UNSAFE",
    `${quotedName(foreign)}, or a file in it, belongs to another user, so it is not read.`,
    {
      file: foreign,
      hint: `If that is what you want, name it: --outdir ${quotedName(foreign)}.`,
    },
  );
}

/**
 * Creates the folder if it is missing, with mode 0700 and ignored by git, and returns its real path: on case-insensitive
 * disks, every spelling has the same. @throws SkillError `STORAGE_UNSAFE` if it is a link, not a folder, or owned by
 * another user; `FILE_UNWRITABLE`.
 */
export async function ownFolder(path: string, files: Files): Promise<string> {
  const isNew = !(await files.facts(path));
  if (isNew) await files.makeFolder(path);
  await refuseOther(path, "folder", files);
  const real = (await files.realPath(path)) ?? path;
  if (isNew) await files.replace(join(real, ".gitignore"), "*\n");
  return real;
}

/**
 * Refuses a file or folder unless it is a plain one of this user, or does not exist yet.
 * @throws SkillError `STORAGE_UNSAFE`
 */
export async function refuseOther(path: string, kind: "file" | "folder", files: Files): Promise<void> {
  const facts = await files.facts(path);
  if (!facts || (facts.kind === kind && facts.own)) return;
  const why = facts.kind === kind ? "belongs to another user" : `is a link or not a plain ${kind}`;
  throw new SkillError("STORAGE_UNSAFE", `${quotedName(path)} ${why}, so nothing is written there.`, {
    file: path,
    hint: kind === "folder" ? "Remove it, or name another folder with --outdir." : "Remove it.",
  });
}
