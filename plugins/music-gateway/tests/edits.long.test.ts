/** Small edits to exports of every format, with a new seed each time. */
import { test } from "node:test";
import { holdsOfEdits } from "./edits-harness.ts";

test("an edited export is refused or has the right sums and days, in 2,000 edits", (t) =>
  holdsOfEdits(t, 2000));
