/** Small edits to exports of every format: a sum is right, or the file is refused. The long suite tries more of them. */
import { test } from "node:test";
import { holdsOfEdits } from "./edits-harness.ts";

test("an edited export is refused or has the right sums and days, in 300 fixed edits", (t) =>
  holdsOfEdits(t, 300, { seed: 20_261_128 }));
