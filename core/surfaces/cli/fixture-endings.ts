const SKILL_ERROR = new URL("../../errors/skill-error.ts", import.meta.url).href;
const TEXT = { type: "object", required: ["text"], properties: { text: { type: "string" } } };

/** For tests: a skill whose commands end in every way. */
export const ENDINGS = {
  manifest: {
    commands: Object.fromEntries(
      ["fail", "refuse", "partly", "crash", "wait", "talk", "bad", "strange"].map((name) => [
        name,
        {
          summary: `Does ${name}.`,
          input: "endings/any-input",
          output: "endings/text",
          display: "text",
          ...(name === "partly" && {
            exitStatus: { ENDINGS_PARTLY: 2, other: 1 },
            errors: ["ENDINGS_PARTLY", "USAGE"],
          }),
          ...(name === "wait" && { keepsRunning: true }),
          ...(name === "bad" && { exitStatus: { other: 1 } }),
        },
      ]),
    ),
    errors: {
      ENDINGS_OWN: { exit: 42, http: 500, fault: "user", summary: "It ended." },
      ENDINGS_PARTLY: { exit: 43, http: 500, fault: "user", summary: "It ended halfway." },
    },
  },
  schemas: {
    "any-input": { type: "object", properties: { count: { type: "integer", maximum: 5 } } },
    text: TEXT,
  },
  code: `import { SkillError } from ${JSON.stringify(SKILL_ERROR)};
const ends = (run) => class { run = run; };
export default { commands: {
  fail: ends(async () => { throw new SkillError("ENDINGS_OWN", "It \\u001b[31mended.", { hint: "Do not.", cause: new Error("inner", { cause: new Error("innermost") }) }); }),
  refuse: ends(async () => { throw new SkillError("TOKEN_MISSING", "No token.", { hint: "Log in." }); }),
  partly: ends(async () => { throw new SkillError("ENDINGS_PARTLY", "Half.", { result: { text: "half" } }); }),
  crash: ends(async () => { throw new TypeError("boom"); }),
  wait: ends(async (_, { signal, announce }) => { announce("started"); signal.aborted || await new Promise((r) => signal.addEventListener("abort", r)); return { text: "stopped" }; }),
  talk: ends(async (_, { progress }) => { progress("Working."); progress("Working."); return { text: "done\\n" }; }),
  bad: ends(async (_, { signal }) => { signal.aborted || await new Promise((r) => signal.addEventListener("abort", r)); throw new Error("aborted"); }),
  strange: ends(async () => ({ txt: 1 })),
} };
`,
};
