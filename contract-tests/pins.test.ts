/** The interface that a consumer sees, as literals: a change here is a change for users. Never read from the pinned code. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { VERBS } from "../core/surfaces/cli/verbs.ts";
import { ROOT, SKILLS } from "./harness.ts";

const DOOR_1 = `
BackgroundProgram
BackgroundRun CLAIMS CLOCK Call Choice ChoiceOption Claim Claims Clock CommandHandler Constructor CoreCode Decision
DocumentName Durability
ENVIRONMENT Environment FILES FileFacts FileMark Files GuardEvent HTTP Http HttpRequest HttpResponse JOURNALS
Journal JournalLoss JournalOptions JournalReader Journals KnownSecrets LOG Language Log McpClient NetworkAddress
OpenServer OptionalPort PHASES PROGRAMS Person PhaseChange Phases Plugin PluginContract ProgramEnd ProgramRun Programs RawBody RouteHandler
RouteReply RouteRequest RuleHandler SERVER STATE Server ServerOptions ServerProblem SkillError SkillErrorOptions State
Subject SurfaceName SurveyEntry Token Verdict Wiring comparable config definePlugin inertMarkdown inject injectable isLoopbackAddress
isLoopbackOrigin languageOf nearest optional ownConfig port quotedName simplified token withoutSignedTokens
`
  .trim()
  .split(/\s+/);

const DOOR_2 = `
Approval CallEvent Catalog CreateHostOptions DecisionEvent Host HostEventMap HostEvents HostPorts HostRequest HostedSkill HttpServerOptions
McpHandler McpHandlerOptions McpInput McpOutput McpServeOptions NodeRequest NodeResponse
OwnRules ServedSkills SkillError SkillFault SkillOutputs TypedHost VERSION createHost mcpHandler nodePorts serveHttp serveMcp
`
  .trim()
  .split(/\s+/);

const DOOR_4 =
  "AiInputSchema AiTool AnthropicTool OpenAiTool ToolOptions aiTools anthropicTools openaiTools".split(" ");

const DOOR_3 = `
Acceptance CaseKind ContractCase ContractTestOptions DerivedValues FixedClock MemoryLog Refusal ScriptedHttp
TestHost TestHostOptions contractCases contractTests createTestHost derive fixedClock memoryLog names
scriptedHttp testEnvironment
`
  .trim()
  .split(/\s+/);

/** Every name that a door exports for its users, types included. */
function exportedNames(door: string): readonly string[] {
  const text = readFileSync(join(ROOT, door), "utf8").replace(
    /\/\*\*[^/]*@internal\s*\*\/\s*export \{[^}]*\}/g,
    "",
  );
  const source = text.replace(/\/\*[\s\S]*?\*\//g, "");
  const listed = [...source.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names = ""]) =>
    names.split(","),
  );
  const named = listed.map(
    (name) =>
      name
        .trim()
        .replace(/^type /, "")
        .split(" as ")
        .at(-1) ?? "",
  );
  const declared = [
    ...source.matchAll(/export (?:async )?(?:function|const|class|interface|type) (\w+)/g),
  ].map(([, name = ""]) => name);
  return [...named, ...declared].filter((name) => name !== "").sort();
}

describe("the entry points of the package", () => {
  test("export exactly the names that authors of plugins, embedders and tests need", () => {
    assert.deepEqual(exportedNames("core/index.ts"), DOOR_1);
    assert.deepEqual(exportedNames("core/host.ts"), DOOR_2);
    assert.deepEqual(exportedNames("core/testing.ts"), DOOR_3);
    assert.deepEqual(exportedNames("core/ai.ts"), DOOR_4);
  });

  test("are those of package.json, plus the built-in skills and the schemas", () => {
    const { exports, bin, engines, type } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      readonly exports: object;
    } & Readonly<Record<string, unknown>>;
    assert.deepEqual(Object.keys(exports), [
      ".",
      "./host",
      "./ai",
      "./testing",
      "./skills",
      "./schemas/*",
      "./package.json",
    ]);
    assert.deepEqual(
      [bin, engines, type],
      [{ skillctl: "./bin/skillctl.cjs" }, { node: ">=20.19" }, "module"],
    );
  });
});

describe("the command line", () => {
  test("has exactly these verbs", () => {
    assert.deepEqual(
      Object.keys(VERBS).sort(),
      "add completion doctor export guard hooks info list mcp new outdated prompt remove run secret serve test trust types untrust update validate verify why".split(
        " ",
      ),
    );
  });

  test("offers no command over HTTP that reads a named file, starts a listener of its own accord, or manages a login", () => {
    const served = SKILLS.map(({ manifest }) => [
      manifest.name,
      ...Object.entries(manifest.commands ?? {})
        .filter(([, { surfaces, keepsRunning }]) => surfaces?.includes("http") ?? !keepsRunning)
        .map(([name]) => name)
        .sort(),
    ]);
    const byName = Object.fromEntries(served.map(([name, ...commands]) => [name, commands.join(" ")]));
    assert.equal(byName["login-proxy"], "status");
    assert.equal(byName["music-analysis"], "ask songs");
    assert.equal(byName["music-gateway"], "explain files query");
  });

  test("hosts exactly these skills and commands", () => {
    const hosted = SKILLS.map(({ manifest }) =>
      [manifest.name, ...Object.keys(manifest.commands ?? {}).sort()].join(" "),
    );
    assert.deepEqual(hosted, [
      "login-proxy check login logout status verify",
      "music-analysis ask chat-sync songs",
      "music-gateway explain files import query remove report reset serve",
      "runtime-debug answer back check cleanup compare doctor fix hypothesize judge keep logs observe probe reproduce serve start status undo verify",
    ]);
  });
});

/** The fixed sentences of the specification and of the message catalogue, character for character. */
const texts = SKILLS.find(({ manifest }) => manifest.name === "music-analysis")?.manifest.texts ?? {};

const SENTENCES: Readonly<Record<string, string>> = {
  // Specification, tier C
  "song-unsupported-line":
    "很抱歉，暂时不支持对《{USER_SONG_NAME}》这首歌进行数据分析，您可以尝试分析其他歌曲~",
  // Specification, presentation rule 3
  "account-hint":
    "💡 如果需要进一步分析单首歌曲的表现，可以告诉我歌曲名，例如：分析歌曲《{TOP_SONG_NAME}》的表现",
  "generic-song-name": "歌曲名",
  "safety-revoked": "您的问题或 AI 回答中可能包含敏感内容，请调整提问方式后重试。",
  timeout: "数据分析耗时较长，请稍后再试~",
  busy: "服务繁忙，请稍后再试",
  quota: "您今天的数据助手提问次数已达上限，欢迎明天再来~",
  "song-blocked": "很抱歉，这首歌当前不支持数据分析。换一首试试？",
  "progress-started": "📊 正在分析中，请稍候...",
  "progress-usual": "⏳ 数据分析通常需要 20~90 秒，马上为您呈现结果",
  "mapping-question": "看看我的整体歌曲表现",
  // Specification, tier B: one text for every such question; the words are ours.
  "song-choice":
    "您想分析的《{USER_SONG_NAME}》是以下哪一首呢？\n\n{CANDIDATES}\n\n请回复歌曲名或前面的编号；如果都不是，也可以告诉我“都不是”。",
};

const gateway = SKILLS.find(({ manifest }) => manifest.name === "music-gateway")?.manifest.texts ?? {};

const GATEWAY: Readonly<Record<string, string>> = {
  "wrong-field": "数据异常，请稍候再试",
  "blank-message": "userMessage 不能为空",
  "song-not-supported": "歌曲不支持分析",
};

test("music-analysis says the fixed sentences, and the embedded gateway those of the service", () => {
  for (const [name, sentence] of Object.entries(SENTENCES)) assert.equal(texts[name]?.text, sentence, name);
  for (const [name, sentence] of Object.entries(GATEWAY)) assert.equal(gateway[name]?.text, sentence, name);
});

test("music-analysis describes the tables that it passes on as music-gateway does", () => {
  const tables = ["music-gateway/answer-output", "music-analysis/ask-output"].map((name) => {
    const found: unknown[] = [];
    JSON.parse(readFileSync(join(ROOT, "schemas", `${name}.json`), "utf8"), (_, value) => {
      if (value?.title === "Figure table") found.push(value);
      return value;
    });
    return found;
  });
  assert.equal(tables[0]?.length, 1);
  assert.deepEqual(tables[1], tables[0]);
});
