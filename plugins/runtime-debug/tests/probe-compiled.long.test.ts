/** Probes of languages that a compiler makes: each does nothing to a program but to report. */
import { describe, it } from "node:test";
import { needs } from "./faults/needs.ts";
import { assertProbed } from "./probes/probing.ts";
import { COMPILED, NEVER_RUN } from "./probes/compiled.ts";

describe("a probe in", { concurrency: 3 }, () => {
  for (const program of COMPILED)
    it(program.name, { skip: needs(...program.tools) }, (t) => assertProbed(t, program));

  const skip = "has never been run: no machine of the project has had the tools; its text alone is tested";
  for (const name of Object.values(NEVER_RUN)) it(name, { skip });
});
