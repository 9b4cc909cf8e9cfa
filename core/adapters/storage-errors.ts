import { SkillError } from "../errors/skill-error.ts";
import type { JournalLoss } from "../ports/journal.ts";
import { quotedName } from "../quoted-name.ts";

/** No space, no quota left, over the size limit of the process or the file system. */
const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

const LOSSES: Readonly<Record<JournalLoss, string>> = {
  removed: "was removed",
  renamed: "was given another name",
  replaced: "was replaced by another file",
  cut: "was made shorter",
  grown: "was written to by somebody else",
  changed: "does not end any more in what was written",
};

/** What the disk answered, as the error of everything that waits for it. */
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
          hint: "Make room: what is sent then is stored again, without a restart.",
        },
      )
    : new SkillError("STORAGE_FAILED", `${quotedName(file)} cannot be written (${code}).`, {
        cause,
        file,
        hint: "Send it again; if this goes on, look at the disk and at the limits of this process.",
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

/** A failure of opening, renaming or the like. */
export function unwritable(file: string, cause: unknown): SkillError {
  if (cause instanceof SkillError) return cause;
  return new SkillError("FILE_UNWRITABLE", `${quotedName(file)} cannot be written (${codeOf(cause)}).`, {
    cause,
    file,
    hint: "Check that its folder exists and may be written to.",
  });
}

export function unreadable(file: string, cause: unknown): SkillError {
  if (cause instanceof SkillError) return cause;
  return new SkillError("FILE_UNREADABLE", `${quotedName(file)} cannot be read (${codeOf(cause)}).`, {
    cause,
    file,
    hint: "Check who may read it.",
  });
}

export function codeOf(caught: unknown): string {
  return (caught as NodeJS.ErrnoException).code ?? String(caught);
}
