/** Every rule against its two tables, `skills/<skill>/rules/<rule>.json`. */
import { contractTests } from "skillctl/testing";
import { SKILLS } from "./harness.ts";

await contractTests({ skills: SKILLS, kinds: ["rules"] });
