import { test } from "node:test";
import { comparePartitions } from "./partitions-harness.ts";

test("after random imports and removals a library has the same content as one built from the remaining files", (context) =>
  comparePartitions(context, 34, 3));
