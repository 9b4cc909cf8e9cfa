import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** For tests: a folder that only its owner can access. */
export interface TestFolder {
  readonly path: string;
  readonly file: (name: string) => string;
}

/** For tests: a new folder that is removed after the test. */
export function folderFor(t: TestContext, parent = tmpdir()): TestFolder {
  const path = mkdtempSync(join(parent, "skillctl-adapters-"));
  t.after(() => {
    rmSync(path, { recursive: true, force: true });
  });
  return { path, file: (name) => join(path, name) };
}

/** For tests: the error code of an action; `undefined` if it succeeds. */
export async function codeOf(action: Promise<unknown>): Promise<string | undefined> {
  try {
    await action;
    return undefined;
  } catch (caught) {
    return (caught as { readonly code?: string }).code ?? String(caught);
  }
}
