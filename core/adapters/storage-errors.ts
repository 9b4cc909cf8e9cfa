import { SkillError } from "../errors/skill-error.ts";
import type { JournalLoss } from "../ports/journal.ts";
import { quotedName } from "../quoted-name.ts";

/** Error codes for a full disk, an exhausted quota, and size limits of the process or the file system. */
const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

const RIGHTS = "Check its permissions and those of the folders above it.";
const READ_HINTS: Readonly<Record<string, string>> = {
  EACCES: RIGHTS,
  EPERM: RIGHTS,
  ENOENT: "Check its path: it does not exist.",
  ENOTDIR: "Check its path: a part of it is a file, not a folder.",
};

const LOSSES: Readonly<Record<JournalLoss, string>> = {
  removed: "was removed",
  renamed: "was given another name",
  replaced: "was replaced by another file",
  cut: "was made shorter",
  grown: "was extended by another program",
  changed: "no longer ends with the written bytes",
};

/** Translates a disk error for all callers that wait for the write. */
export function storageError(file: string, cause: unknown): SkillError {
  if (cause instanceof SkillError) return cause;
  const code = codeOf(cause);
  return FULL.has(code)
    ? new SkillError(
        "STORAGE_FULL",
        `${quotedName(file)} cannot grow: the disk or its limit is full (${code}).`,
        {
          cause,
          file,
          hint: "Free disk space; later data is stored without a restart.",
        },
      )
    : new SkillError("STORAGE_FAILED", `${quotedName(file)} cannot be written (${code}).`, {
        cause,
        file,
        hint: "Send it again; if this continues, check the disk and the limits of this process.",
      });
}

export function lostError(file: string, loss: JournalLoss): SkillError {
  return new SkillError("STORAGE_LOST", `${quotedName(file)} ${LOSSES[loss]} while it was being written.`, {
    file,
    hint: "Send it again, and leave the file alone while it is in use.",
  });
}

export function unsafeError(file: string, why: string, cause?: unknown): SkillError {
  return new SkillError("STORAGE_UNSAFE", `${quotedName(file)} ${why}; nothing is written there.`, {
    cause,
    file,
    hint: "Remove it, or choose another folder.",
  });
}

/** The error of a failure to open, rename or create. */
export function unwritable(file: string, cause: unknown): SkillError {
  if (cause instanceof SkillError) return cause;
  return new SkillError("FILE_UNWRITABLE", `${quotedName(file)} cannot be written (${codeOf(cause)}).`, {
    cause,
    file,
    hint: "Check that its folder exists and is writable.",
  });
}

export function unreadable(file: string, cause: unknown): SkillError {
  if (cause instanceof SkillError) return cause;
  const code = codeOf(cause);
  const hint = READ_HINTS[code];
  return new SkillError("FILE_UNREADABLE", `${quotedName(file)} cannot be read (${code}).`, {
    cause,
    file,
    ...(hint !== undefined && { hint }),
  });
}

export function codeOf(caught: unknown): string {
  return (caught as NodeJS.ErrnoException).code ?? String(caught);
}
