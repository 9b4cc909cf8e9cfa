import { test } from "node:test";
import { comparePartitions } from "./partitions-harness.ts";

test("after random imports and removals a library holds the same as one built from the files that are left", (context) =>
  comparePartitions(context, 35, 8));
