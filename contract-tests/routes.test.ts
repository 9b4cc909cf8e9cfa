/** Every route over a real server: each example in, a documented reply out; derived wrong requests are problems. */
import { contractTests } from "skillctl/testing";
import { SKILLS } from "./house.ts";

await contractTests({ skills: SKILLS, kinds: ["routes"] });
