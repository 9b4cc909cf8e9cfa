/** Every command that a hint names works in the state in which the hint is shown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CORE_HINTS } from "./hints/core.ts";
import { DEBUG_HINTS } from "./hints/debug.ts";
import { HOOK_HINTS } from "./hints/hooks.ts";
import { INSTALL_HINTS } from "./hints/install.ts";
import { NOT_HINTS, namedPlaces } from "./hints/places.ts";
import { SERVICE_HINTS } from "./hints/services.ts";
import { tryHints } from "./hints/table.ts";

const CORE = [...CORE_HINTS, ...HOOK_HINTS, ...INSTALL_HINTS];

tryHints(CORE);

test("each place that names a command has a row in the table, or a reason why it needs none", async () => {
  const rows = [...CORE, ...SERVICE_HINTS, ...DEBUG_HINTS].flatMap(({ places }) => places);
  const known = new Set([...rows, ...Object.values(NOT_HINTS).flat()]);
  assert.deepEqual([...known].sort(), await namedPlaces());
});
