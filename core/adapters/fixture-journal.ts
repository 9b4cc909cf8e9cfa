import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** For tests: a folder of journals, for its owner only. */
export interface JournalFolder {
  readonly path: string;
  readonly file: (name: string) => string;
}

/** For tests: a new folder that is removed after the test. */
export function folderFor(t: TestContext): JournalFolder {
  const path = mkdtempSync(join(tmpdir(), "skillctl-journal-"));
  t.after(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return { path, file: (name) => join(path, name) };
}

/** For tests: the code an action was refused with; `undefined` when it was not. */
export async function codeOf(action: Promise<unknown>): Promise<string | undefined> {
  try {
    await action;
    return undefined;
  } catch (caught) {
    return (caught as { readonly code?: string }).code ?? String(caught);
  }
}
