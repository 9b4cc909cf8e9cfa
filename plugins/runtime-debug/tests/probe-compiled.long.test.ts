/** Probes in compiled languages: each only reports, and changes nothing in a program. */
import { describe, it } from "node:test";
import { needs } from "./faults/needs.ts";
import { assertProbed } from "./probes/probing.ts";
import { COMPILED, NEVER_RUN } from "./probes/compiled.ts";

describe("a probe in", { concurrency: 3 }, () => {
  for (const program of COMPILED)
    it(program.name, { skip: needs(...program.tools) }, (t) => assertProbed(t, program));

  const skip = "has never been run: no machine of the project has had the tools; only its text is tested";
  for (const name of Object.values(NEVER_RUN)) it(name, { skip });
});
