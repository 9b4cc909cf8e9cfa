import type { Call, LoginWait } from "skillctl";

/** What a login program is told of who waits for it: somebody can be asked where a terminal shows what is said. */
export function waitOf({ signal, progress, person }: Call): LoginWait {
  const columns = person?.columns;
  return { signal, progress, columns, interactive: columns !== undefined };
}
