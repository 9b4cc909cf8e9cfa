/** Hints of the music skills and of login-proxy that name a command, and of their rules. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { SkillError } from "skillctl";
import {
  CANARY,
  FakeLogin,
  asked,
  jwtOf,
  loginHost,
  writeCache,
  type ProgramScript,
} from "../../plugins/login-proxy/tests/login-harness.ts";
import type { OAuthReply } from "../../plugins/login-proxy/tests/oauth-provider.ts";
import { runCli } from "../../core/surfaces/cli/fixture-command-line.ts";
import { BUILT, sayInProcessOfItsOwn } from "../command-line.ts";
import { box } from "../doors-harness.ts";
import { FakeService, answered, refused, type ScriptedReply } from "../fake-service.ts";
import { ROOT, SKILLS } from "../harness.ts";
import type { HintRow, Say } from "./table.ts";

const LOGIN = "skillctl run login-proxy login";
const LOGIN_SKILL = "skills/login-proxy/skill.json";
const MUSIC_SKILL = "skills/music-analysis/skill.json";
/** A login program whose every command yields a token. */
const YIELDS: ProgramScript = { token: { out: CANARY }, check: { out: CANARY }, login: { out: CANARY } };
const LOGGED_IN: HintRow["ends"] = [0, /You are logged in/];

/** The built-in skills, in a folder with a login program. */
async function withProgram(t: TestContext, acts: ProgramScript, more: Readonly<Record<string, string>> = {}) {
  const { path } = await box(t);
  const login = await FakeLogin.in(path, acts);
  const variables = { HOME: path, SKILLCTL_STATE: join(path, "state"), PATH: login.folder, ...more };
  const say: Say = (words, settings) => runCli(path, words, { builtin: SKILLS, variables, ...settings });
  return { path, say, login, file: join(path, ".svc-login", "token.json") };
}

/** The program in a folder, with a token on standard input. */
const piped =
  (folder: string, variables: Readonly<Record<string, string>> = {}): Say =>
  (words) =>
    sayInProcessOfItsOwn(words, folder, { start: BUILT, input: CANARY, variables });

/** A service that gives this reply, and a question to it. */
async function asking(
  t: TestContext,
  reply: ScriptedReply,
  token: string | undefined,
  acts: ProgramScript = {},
) {
  const service = await FakeService.start(reply);
  t.after(() => service.close());
  const variables = { SVC_BASE_URL: service.url, ...(token !== undefined && { SVC_HEADER_TOKEN: token }) };
  const desk = await withProgram(t, acts, variables);
  return { ...desk, service, ask: async (words = QUESTION) => (await desk.say(words)).err };
}

const QUESTION = ["run", "music-analysis", "How many plays did I get last week?"];

/** The end of a device login at a terminal, and the command line in its home. */
const device =
  (path: string, body: (url: string) => object): HintRow["shown"] =>
  async (t) => {
    const { deviceHost } = await import("../../plugins/login-proxy/tests/device-harness.ts");
    const { OAuthProvider } = await import("../../plugins/login-proxy/tests/oauth-provider.ts");
    const provider = await OAuthProvider.start();
    t.after(() => provider.close());
    const test = await deviceHost(provider);
    t.after(() => test.close());
    const scripted = provider.play((request): OAuthReply | undefined =>
      request.path === path ? { status: 200, body: body(provider.url) } : undefined,
    );
    const error = await test.attended().catch((caught: unknown) => caught as SkillError);
    scripted[Symbol.dispose]();
    const { home, workingFolder, stateFolder } = test.environment;
    const variables = {
      HOME: home,
      SKILLCTL_STATE: stateFolder,
      SVC_LOGIN_ISSUER: provider.url,
      SVC_LOGIN_CLIENT_ID: "skillctl",
    };
    const say: Say = (words, settings) =>
      runCli(workingFolder, words, { builtin: SKILLS, variables, ...settings });
    const isPaste = path.includes("well-known");
    return [`${(error as SkillError).hint}`, isPaste ? piped(workingFolder, variables) : say];
  };

/** The text for the model in the first case that a rule stops. */
const ruled =
  (skill: string, rule: string, act: "program" | "pipe" | "box" = "box"): HintRow["shown"] =>
  async (t) => {
    const file = join(ROOT, "skills", skill, "rules", `${rule}.json`);
    const { stops } = JSON.parse(await readFile(file, "utf8")) as { stops: readonly { subject: object }[] };
    const { decided, path, say } = await box(t);
    const { message = "", agentMessage = message } = await decided({ ...stops[0]?.subject });
    if (act === "box") return [agentMessage, say];
    return [agentMessage, act === "pipe" ? piped(path) : (await withProgram(t, YIELDS)).say];
  };

const LOGIN_HINTS: readonly HintRow[] = [
  {
    title: "a login whose token cannot be kept",
    places: ["plugins/login-proxy/login-command.ts: skillctl run login-proxy check"],
    shown: async (t) => {
      const { say, file } = await withProgram(t, YIELDS);
      await mkdir(join(file, "folder"), { recursive: true, mode: 0o700 });
      return [(await say(["run", "login-proxy", "login", "--mode", "device"])).err, say];
    },
    command: "skillctl run login-proxy check",
    ends: [0, new RegExp(CANARY)],
  },
  {
    title: "a login program that fails",
    places: ["plugins/login-proxy/login.ts: skillctl run login-proxy login"],
    shown: async (t) => {
      const { say, path } = await withProgram(t, { login: { status: 1 } });
      return [(await say(["run", "login-proxy", "login", "--mode", "device"])).err, piped(path)];
    },
    command: LOGIN,
    ends: LOGGED_IN,
  },
  {
    title: "a login server without the device login",
    places: ["plugins/login-proxy/oauth/login-server.ts: skillctl run login-proxy login"],
    shown: device("/.well-known/openid-configuration", (url) => ({ issuer: url, token_endpoint: url })),
    command: LOGIN,
    ends: LOGGED_IN,
  },
  {
    title: "a code that was not confirmed in time",
    places: ["plugins/login-proxy/oauth/login-server.ts: skillctl run login-proxy login"],
    shown: device("/device/auth", (url) => ({
      device_code: "d",
      user_code: "ABCD-EFGH",
      verification_uri: `${url}/device`,
      expires_in: 3,
    })),
    command: LOGIN,
    // A code is shown, and the call ends so that the person can confirm it.
    ends: [77, /[A-Z]{4}-[A-Z]{4}/],
  },
  {
    title: "a token that has expired",
    places: ["plugins/login-proxy/status-command.ts: skillctl run login-proxy login"],
    shown: async (t) => {
      const { say, file } = await withProgram(t, YIELDS);
      await writeCache(file, { token: jwtOf({ exp: 1_700_000_000 }) });
      return [(await say(["run", "login-proxy"])).out, say];
    },
    command: LOGIN,
    ends: LOGGED_IN,
  },
  {
    title: "a token that must be pasted at another surface",
    places: ["plugins/login-proxy/token-text.ts: skillctl run login-proxy login"],
    shown: async (t) => {
      const test = await loginHost();
      t.after(() => test.close());
      const error = await asked(test, "login", { mode: "paste" }).catch(
        (caught: unknown) => caught as SkillError,
      );
      return [`${(error as SkillError).hint}`, piped(test.environment.workingFolder)];
    },
    command: LOGIN,
    ends: LOGGED_IN,
  },
  {
    title: "no login program",
    places: [`${LOGIN_SKILL}: ${LOGIN}`],
    shown: async (t) => {
      const { say, path } = await box(t);
      return [(await say(["run", "login-proxy", "login", "--mode", "device"])).err, piped(path)];
    },
    command: LOGIN,
    ends: LOGGED_IN,
  },
  {
    title: "a token without a service",
    places: [],
    shown: async (t) => {
      const desk = await asking(t, answered("## 1"), undefined, YIELDS);
      await writeCache(desk.file, { token: CANARY });
      return [await desk.ask(), desk.say];
    },
    command: LOGIN,
    ends: LOGGED_IN,
  },
  ...(
    [
      ["no-token-argument", LOGIN, "pipe", LOGGED_IN],
      ["no-cache-write", LOGIN, "program", LOGGED_IN],
      ["no-cache-read", "skillctl run login-proxy`", "box", [0, /No login token/]],
      ["no-cache-read", "skillctl run login-proxy verify", "box", [1, /No login token/]],
      ["no-token-print", "skillctl run login-proxy`", "box", [0, /No login token/]],
      ["no-token-print", "skillctl run login-proxy verify", "box", [1, /No login token/]],
      ["pasted-token", LOGIN, "pipe", LOGGED_IN],
    ] as const
  ).map(([rule, command, act, ends]): HintRow => ({
    title: `the rule ${rule}, ${command.replace("`", "")}`,
    places: [`${LOGIN_SKILL}: ${command.replace("`", "")}`],
    shown: ruled("login-proxy", rule, act),
    command,
    ends,
  })),
];

const CHOICE = ["run", "music-analysis", "分析《晚安》的表现"];

/** Own data of the gateway, with a file of its store changed. */
const imported =
  (change: (folder: string) => Promise<unknown>, words: readonly string[]): HintRow["shown"] =>
  async (t) => {
    const { path, say } = await box(t);
    await writeFile(join(path, "Me-timeline.csv"), "date,streams\n2026-10-01,5\n2026-10-02,6\n");
    await say(["run", "music-gateway", "import", "Me-timeline.csv"]);
    await change(join(path, "state", "music-gateway"));
    return [(await say(words)).err, say];
  };

const MUSIC_HINTS: readonly HintRow[] = [
  ...["skillctl list", "skillctl run music-analysis", "skillctl run music-analysis ask"].map(
    (command): HintRow => ({
      title: `an example of the program's help, ${command}`,
      places: [`core/surfaces/cli/main.ts: ${command}`],
      shown: async (t) => {
        const { say } = await box(t);
        return [(await say(["--help"])).out, say];
      },
      command,
      ends: [0, /music-analysis|## 1\. Plays/],
    }),
  ),
  {
    title: "a question without a login",
    places: [`${MUSIC_SKILL}: ${LOGIN}`],
    shown: async (t) => {
      const desk = await asking(t, answered("## 1"), undefined);
      const text = await desk.ask();
      await desk.login.plays(YIELDS);
      return [text, desk.say];
    },
    command: LOGIN,
    ends: LOGGED_IN,
  },
  {
    title: "a choice of songs",
    places: ["plugins/music-analysis/ask-command.ts: skillctl run music-analysis"],
    shown: async (t) => {
      const { say } = await box(t);
      return [(await say(CHOICE)).err, say];
    },
    command: "skillctl run music-analysis --conversation",
    ends: [0, /晚安/],
  },
  {
    title: "the songs with --refresh",
    places: ["plugins/music-analysis/songs-command.ts: skillctl run music-analysis"],
    shown: async (t) => {
      const { say } = await box(t);
      return [(await say(["run", "music-analysis", "songs", "--refresh"])).err, say];
    },
    command: "skillctl run music-analysis --conversation",
    fill: { "...": "How many plays did I get last week?" },
    ends: [0, /Plays/],
  },
  ...(
    [
      ["wrapper-only", 'skillctl run music-analysis "'],
      ["unread-call", "skillctl run music-analysis`"],
      ["whole-reply", 'skillctl run music-analysis "'],
    ] as const
  ).map(([rule, command]): HintRow => ({
    title: `the rule ${rule}`,
    places: [`${MUSIC_SKILL}: skillctl run music-analysis`],
    shown: ruled("music-analysis", rule),
    command,
    fill: { "<the user's question>": "How many plays did I get?", "<question>": "How many plays did I get?" },
    more: command.endsWith("`") ? ["How many plays did I get?"] : [],
    ends: [0, /Plays|plays/],
  })),
  {
    title: "the rule no-song-fallback",
    places: [`${MUSIC_SKILL}: skillctl run music-analysis ask`],
    shown: ruled("music-analysis", "no-song-fallback"),
    command: "skillctl run music-analysis ask",
    more: ["How is Golden Hour doing?"],
    ends: [0, /Golden Hour/],
  },
  {
    title: "a field that the service refuses",
    places: [],
    shown: async (t) => {
      const desk = await asking(t, refused("100010", "x"), "token");
      return [await desk.ask(), (await box(t)).say];
    },
    command: "skillctl run music-analysis",
    more: QUESTION.slice(2),
    ends: [0, /Plays|plays/],
  },
  {
    title: "an answer from the sample data",
    places: ["skills/music-gateway/skill.json: skillctl run music-gateway import"],
    shown: async (t) => {
      const { path, say } = await box(t);
      await writeFile(join(path, "Me-timeline.csv"), "date,streams\n2026-10-01,5\n");
      return [(await say(QUESTION)).err, say];
    },
    command: "skillctl run music-gateway import",
    fill: { FILE: "Me-timeline.csv" },
    ends: [0, /Me-timeline\.csv: imported/],
  },
  {
    title: "a report of files without days",
    places: ["plugins/music-gateway/reports.ts: skillctl run music-gateway import"],
    shown: async (t) => {
      const { path, say } = await box(t, "music-gateway");
      await writeFile(join(path, "songs-28day.csv"), "song,listeners,streams,saves\nBeta,1,5,1\n");
      await writeFile(join(path, "Me-timeline.csv"), "date,streams\n2026-10-01,5\n");
      await say(["run", "music-gateway", "import", "songs-28day.csv"]);
      return [(await say(["run", "music-gateway", "report", "--out", "r.html"])).err, say];
    },
    command: "skillctl run music-gateway import",
    fill: { FILE: "Me-timeline.csv" },
    ends: [0, /Me-timeline\.csv: imported/],
  },
  {
    title: "an answer from imported data",
    places: ["skills/music-gateway/skill.json: skillctl run music-gateway files"],
    shown: imported(async () => undefined, QUESTION),
    command: "skillctl run music-gateway files",
    ends: [0, /Me-timeline\.csv/],
  },
  {
    title: "a table of an unknown format whose columns can be mapped",
    places: ["plugins/music-gateway/import/mapping.ts: skillctl run music-gateway import"],
    shown: async (t) => {
      const { path, say } = await box(t, "music-gateway");
      await writeFile(
        join(path, "own.csv"),
        "Track,Quantity,Month,Net\nHaze,7,2026-09,1.50\nTide,3,2026-10,0.25\n",
      );
      return [(await say(["run", "music-gateway", "import", "own.csv"])).out, say];
    },
    command: "skillctl run music-gateway import --map",
    ends: [0, /own\.csv/],
  },
  {
    title: "a file that was not imported",
    places: ["plugins/music-gateway/remove-command.ts: skillctl run music-gateway files"],
    shown: async (t) => {
      const { say } = await box(t, "music-gateway");
      return [(await say(["run", "music-gateway", "remove", "quite-unknown"])).err, say];
    },
    command: "skillctl run music-gateway files",
    ends: [0, /answers come from this sample data/],
  },
  {
    title: "an imported file that is missing",
    places: ["plugins/music-gateway/library/library.ts: skillctl run music-gateway remove"],
    shown: imported(async (folder) => {
      await rm(join(folder, "exports"), { recursive: true });
      for (const name of await readdir(folder)) if (name.endsWith(".duckdb")) await rm(join(folder, name));
    }, QUESTION),
    command: "skillctl run music-gateway remove",
    more: ["Me-timeline.csv"],
    ends: [0, /Me-timeline\.csv/],
  },
  {
    title: "a damaged register of songs",
    places: ["plugins/music-gateway/library/library.ts: skillctl run music-gateway reset"],
    shown: imported(
      async (folder) => {
        await writeFile(join(folder, "songs.json"), "{");
        await writeFile(join(folder, "..", "..", "You-timeline.csv"), "date,streams\n2026-10-01,5\n");
      },
      ["run", "music-gateway", "import", "You-timeline.csv"],
    ),
    command: "skillctl run music-gateway reset",
    ends: [0, /Removed 1 file/],
  },
];

export const SERVICE_HINTS: readonly HintRow[] = [...LOGIN_HINTS, ...MUSIC_HINTS];
