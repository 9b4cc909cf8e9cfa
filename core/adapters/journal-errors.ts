import type { CoreCode } from "../errors/codes.ts";
import { SkillError } from "../errors/skill-error.ts";
import type { JournalLoss } from "../ports/journal.ts";

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
export function storageError(path: string, cause: unknown): SkillError {
  if (cause instanceof SkillError) return cause;
  const code = codeOf(cause);
  return FULL.has(code)
    ? new SkillError("STORAGE_FULL", `${path} cannot grow: the disk or its limit is full (${code}).`, {
        cause,
        file: path,
        hint: "Make room: what is sent then is stored again, without a restart.",
      })
    : new SkillError("STORAGE_FAILED", `${path} cannot be written (${code}).`, {
        cause,
        file: path,
        hint: "Send it again; if this goes on, look at the disk and at the limits of this process.",
      });
}

export function lostError(path: string, loss: JournalLoss): SkillError {
  return new SkillError("STORAGE_LOST", `${path} ${LOSSES[loss]} while it was being written.`, {
    file: path,
    hint: "Send it again, and leave the file alone while it is in use.",
  });
}

export function unsafeError(path: string, why: string, cause?: unknown): SkillError {
  return new SkillError("STORAGE_UNSAFE", `${path} ${why}; nothing is written there.`, {
    cause,
    file: path,
    hint: "Remove it, or choose another folder.",
  });
}

export function busyError(path: string): SkillError {
  return new SkillError("STORAGE_BUSY", `Too much waits to be written to ${path}.`, {
    file: path,
    hint: "Wait a little and send it again.",
  });
}

export function closedError(path: string, code: CoreCode = "STORAGE_FAILED"): SkillError {
  return new SkillError(code, `${path} has been closed.`, { file: path, hint: "Open it again." });
}

export function misusedError(path: string): SkillError {
  return new SkillError(
    "INTERNAL",
    `${path} was to be cut while it was written to, or to more than it has.`,
    {
      file: path,
      hint: "Report this: the journal port says when it can be cut.",
    },
  );
}

/** A failure of opening, renaming or the like. */
export function unwritable(path: string, cause: unknown): SkillError {
  if (cause instanceof SkillError) return cause;
  return new SkillError("FILE_UNWRITABLE", `${path} cannot be written (${codeOf(cause)}).`, {
    cause,
    file: path,
    hint: "Check that its folder exists and may be written to.",
  });
}

export function unreadable(path: string, cause: unknown): SkillError {
  if (cause instanceof SkillError) return cause;
  return new SkillError("FILE_UNREADABLE", `${path} cannot be read (${codeOf(cause)}).`, {
    cause,
    file: path,
    hint: "Check who may read it.",
  });
}

export function codeOf(caught: unknown): string {
  return (caught as NodeJS.ErrnoException).code ?? String(caught);
}
