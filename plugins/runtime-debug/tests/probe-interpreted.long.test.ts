/** Probes in languages that run from their source: each only reports, and changes nothing in a program. */
import { describe, it } from "node:test";
import { needs } from "./faults/needs.ts";
import { assertProbed } from "./probes/probing.ts";
import { INTERPRETED } from "./probes/interpreted.ts";

describe("a probe in", { concurrency: 3 }, () => {
  for (const program of INTERPRETED)
    it(program.name, { skip: needs(...program.tools) }, (t) => assertProbed(t, program));
});
