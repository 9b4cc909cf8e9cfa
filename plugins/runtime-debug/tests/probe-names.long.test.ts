/** Every name of one or two letters is reported with its own value, in each language that runs here. */
import { describe, it } from "node:test";
import { needs } from "./faults/needs.ts";
import { assertNamed, NAMES, NODE, OTHERS, SHELLS } from "./probes/names.ts";

describe("a probe reports the value of every short name", { concurrency: 2 }, () => {
  for (const program of [NODE, ...SHELLS, ...OTHERS])
    it(
      `in ${program.language}: ${program.tools[0]}${program.sync ? ", waiting" : ""}`,
      { skip: needs(...program.tools) },
      (t) => assertNamed(t, program, program.sync ? NAMES.slice(0, 90) : NAMES),
    );
});
