import type { Verb } from "./verb.ts";
import { verb as list } from "./verbs/list.ts";

/** One row of the table of verbs. */
export interface VerbEntry {
  /** For the program's help. */
  readonly summary: string;
  readonly usage: string;
  readonly load: () => Promise<{ readonly verb: Verb }>;
  /** It runs even when skillctl.json is broken, because it tells what is broken. */
  readonly lenient?: true;
  /** The exit status of whatever goes wrong before it answers, where others would take any other for a yes. */
  readonly failsWith?: number;
  /** It offers or names plain SKILL.md folders. The guard and others never read them. */
  readonly documents?: true;
  /** It says itself that a folder waits for trust. */
  readonly tellsTrust?: true;
}

/** Every verb. Its code is loaded when it is asked for; `list`, which starts often, comes with the program. */
export const VERBS: Readonly<Record<string, VerbEntry>> = {
  list: {
    usage: "list",
    summary: "Names and summaries of the hosted skills",
    load: () => Promise.resolve({ verb: list }),
    documents: true,
  },
  info: {
    usage: "info SKILL",
    summary: "Commands, rules and routes of a skill",
    load: () => import("./verbs/info.ts"),
    documents: true,
  },
  run: {
    usage: "run SKILL [COMMAND] [ARGS...]",
    summary: "Run a command; the default one if none is named",
    load: () => import("./verbs/run.ts"),
    documents: true,
  },
  serve: {
    usage: "serve [--host H] [--port P]",
    summary: "Serve the skills over HTTP",
    load: () => import("./verbs/serve.ts"),
    documents: true,
  },
  mcp: {
    usage: "mcp",
    summary: "Serve the skills to an MCP client over stdio",
    load: () => import("./verbs/mcp.ts"),
    documents: true,
  },
  export: {
    usage: "export --client C --out DIR",
    summary: "Write what a client installs: skills, MCP, hook",
    load: () => import("./verbs/export.ts"),
    documents: true,
  },
  guard: {
    usage: "guard --dialect D",
    summary: "Judge one event of an agent's hook",
    load: () => import("./verbs/guard.ts"),
    lenient: true,
    failsWith: 2,
    tellsTrust: true,
  },
  hooks: {
    usage: "hooks install|status|remove",
    summary: "Put the guard into an agent's settings",
    load: () => import("./verbs/hooks.ts"),
    lenient: true,
  },
  prompt: {
    usage: "prompt [SKILL...]",
    summary: "Rules and instructions a model is to be told",
    load: () => import("./verbs/prompt.ts"),
    documents: true,
  },
  why: {
    usage: "why [ID]",
    summary: "Explain a decision of the rules",
    load: () => import("./verbs/why.ts"),
  },
  validate: {
    usage: "validate [PATH...]",
    summary: "Check manifests, schemas and SKILL.md files",
    load: () => import("./verbs/validate.ts"),
    lenient: true,
    documents: true,
  },
  test: {
    usage: "test [SKILL...]",
    summary: "Run contract tests that follow from the schemas",
    load: () => import("./verbs/test.ts"),
  },
  new: {
    usage: "new NAME",
    summary: "Create the skeleton of a skill",
    load: () => import("./verbs/new.ts"),
    lenient: true,
  },
  types: {
    usage: "types [DIR]",
    summary: "Write the contract of a skill as TypeScript",
    load: () => import("./verbs/types.ts"),
    lenient: true,
  },
  add: {
    usage: "add SOURCE [--user]",
    summary: "Install a skill of others",
    load: () => import("./install/verbs.ts"),
  },
  update: {
    usage: "update [NAME...]",
    summary: "Install what has changed at the sources",
    load: async () => ({ verb: (await import("./install/verbs.ts")).update }),
  },
  remove: {
    usage: "remove NAME...",
    summary: "Remove installed skills",
    load: async () => ({ verb: (await import("./install/verbs.ts")).remove }),
  },
  verify: {
    usage: "verify [NAME...]",
    summary: "Compare installed skills with their lock",
    load: async () => ({ verb: (await import("./install/verbs.ts")).verify }),
  },
  outdated: {
    usage: "outdated [NAME...]",
    summary: "Installed skills that have a newer version",
    load: async () => ({ verb: (await import("./install/verbs.ts")).outdated }),
  },
  secret: {
    usage: "secret SKILL [SETTING]",
    summary: "Store a secret setting in your key ring",
    load: () => import("./verbs/secret.ts"),
  },
  trust: {
    usage: "trust [DIR]",
    summary: "Trust the skillctl.json of a folder",
    load: () => import("./verbs/trust.ts"),
    lenient: true,
    tellsTrust: true,
  },
  untrust: {
    usage: "untrust [DIR]",
    summary: "Withdraw the trust in a folder",
    load: async () => ({ verb: (await import("./verbs/trust.ts")).untrust }),
    lenient: true,
    tellsTrust: true,
  },
  completion: {
    usage: "completion bash|zsh|fish",
    summary: "Print what completes words in a shell",
    load: async () => ({
      verb: (await import("./verbs/completion.ts")).completion(VERBS),
    }),
    documents: true,
  },
  doctor: {
    usage: "doctor",
    summary: "Find faults of this installation",
    load: () => import("./verbs/doctor.ts"),
    lenient: true,
    documents: true,
  },
};
