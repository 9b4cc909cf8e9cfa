import type { Verb } from "./verb.ts";
import { verb as list } from "./verbs/list.ts";

/** One row of the table of verbs. */
interface VerbRow {
  /** For the program's help. */
  readonly summary: string;
  readonly usage: string;
  /** It runs even when skillctl.json is broken, because it reports the faults. */
  readonly lenient?: true;
  /** The exit status of every failure before it answers, if its caller takes any other status for a yes. */
  readonly failsWith?: number;
  /** It offers or names plain SKILL.md folders. The guard and others never read them. */
  readonly documents?: true;
  /** Its words name folders whose code it runs. */
  readonly runsFolders?: true;
  /** Its own output says that a folder is not trusted. */
  readonly tellsTrust?: true;
}

const ROWS = {
  list: { usage: "list", summary: "Names and summaries of the hosted skills", documents: true },
  info: { usage: "info SKILL", summary: "Commands, rules and routes of a skill", documents: true },
  run: {
    usage: "run SKILL [COMMAND] [ARGS...]",
    summary: "Run a command; the default one if none is named",
    documents: true,
  },
  serve: { usage: "serve [--host H] [--port P]", summary: "Serve the skills over HTTP", documents: true },
  mcp: { usage: "mcp", summary: "Serve the skills to an MCP client over stdio", documents: true },
  export: {
    usage: "export --client C --out DIR",
    summary: "Write files for a client: skills, MCP, hook",
    documents: true,
  },
  guard: {
    usage: "guard --dialect D",
    summary: "Judge one event of an agent's hook",
    lenient: true,
    failsWith: 2,
    tellsTrust: true,
  },
  hooks: {
    usage: "hooks install|status|remove",
    summary: "Put the guard into an agent's settings",
    lenient: true,
  },
  prompt: {
    usage: "prompt [SKILL...]",
    summary: "Print the rules and instructions for a model",
    documents: true,
  },
  why: { usage: "why [ID]", summary: "Explain a decision of the rules" },
  validate: {
    usage: "validate [PATH...]",
    summary: "Check manifests, schemas and SKILL.md files",
    lenient: true,
    documents: true,
  },
  test: {
    usage: "test [SKILL...]",
    summary: "Run contract tests that follow from the schemas",
    runsFolders: true,
  },
  new: { usage: "new NAME", summary: "Create the skeleton of a skill", lenient: true },
  types: { usage: "types [DIR]", summary: "Write the contract of a skill as TypeScript", lenient: true },
  add: { usage: "add SOURCE [--user]", summary: "Install a third-party skill" },
  update: { usage: "update [NAME...]", summary: "Update installed skills from their sources" },
  remove: { usage: "remove NAME...", summary: "Remove installed skills" },
  verify: { usage: "verify [NAME...]", summary: "Compare installed skills with their lock" },
  outdated: { usage: "outdated [NAME...]", summary: "Installed skills that have a newer version" },
  secret: { usage: "secret SKILL [SETTING]", summary: "Store a secret setting in your key ring" },
  trust: {
    usage: "trust [DIR]",
    summary: "Trust the skillctl.json of a folder",
    lenient: true,
    tellsTrust: true,
  },
  untrust: {
    usage: "untrust [DIR]",
    summary: "Withdraw the trust in a folder",
    lenient: true,
    tellsTrust: true,
  },
  completion: {
    usage: "completion bash|zsh|fish",
    summary: "Print the completion script for a shell",
    documents: true,
  },
  doctor: { usage: "doctor", summary: "Find faults in this installation", lenient: true, documents: true },
} satisfies Readonly<Record<string, VerbRow>>;

type Load = () => Promise<{ readonly verb: Verb }>;

/** The code of each verb is loaded when it is asked for; `list`, which starts often, comes with the program. */
const LOADERS: Readonly<Record<keyof typeof ROWS, Load>> = {
  list: () => Promise.resolve({ verb: list }),
  info: () => import("./verbs/info.ts"),
  run: () => import("./verbs/run.ts"),
  serve: () => import("./verbs/serve.ts"),
  mcp: () => import("./verbs/mcp.ts"),
  export: () => import("./verbs/export.ts"),
  guard: () => import("./verbs/guard.ts"),
  hooks: () => import("./verbs/hooks.ts"),
  prompt: () => import("./verbs/prompt.ts"),
  why: () => import("./verbs/why.ts"),
  validate: () => import("./verbs/validate.ts"),
  test: () => import("./verbs/test.ts"),
  new: () => import("./verbs/new.ts"),
  types: () => import("./verbs/types.ts"),
  add: () => import("./install/verbs.ts"),
  update: async () => ({ verb: (await import("./install/verbs.ts")).update }),
  remove: async () => ({ verb: (await import("./install/verbs.ts")).remove }),
  verify: async () => ({ verb: (await import("./install/verbs.ts")).verify }),
  outdated: async () => ({ verb: (await import("./install/verbs.ts")).outdated }),
  secret: () => import("./verbs/secret.ts"),
  trust: () => import("./verbs/trust.ts"),
  untrust: async () => ({ verb: (await import("./verbs/trust.ts")).untrust }),
  completion: async () => ({ verb: (await import("./verbs/completion.ts")).completion(VERBS) }),
  doctor: () => import("./verbs/doctor.ts"),
};

/** A verb with its code. */
export interface VerbEntry extends VerbRow {
  readonly load: Load;
}

/** Every verb. */
export const VERBS: Readonly<Record<string, VerbEntry>> = Object.fromEntries(
  Object.entries(ROWS).map(([name, row]) => [name, { ...row, load: LOADERS[name as keyof typeof ROWS] }]),
);
