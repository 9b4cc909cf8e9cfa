import { follow } from "./follow.ts";
import { hasScript, installs, packageScript } from "./package-scripts.ts";
import type { Scene } from "./scene.ts";
import { runHere } from "./started.ts";
import type { Table } from "./table.ts";
import type { Word } from "./effects.ts";
import { literal } from "./words.ts";

const NPM =
  "v | + prefix:d C:d dir:d cwd:d w: workspace: filter: F: registry:u userconfig:c globalconfig:c script-shell:c node-options:c loglevel: reporter: cache: omit: include: tag: otp: depth: color::";
const BUN = `${NPM} = e:c eval:c p:c print:c r:x preload:x config:c env-file:r`;
const NPX = "v | + p: package: c:s call:s w: workspace: node-options:c registry:u shell:c script-shell:c";
const READS =
  /^(?:ls|list|ll|la|view|info|show|v|outdated|search|s|find|help|help-search|root|bin|prefix|whoami|ping|fund|explain|why|docs|home|bugs|repo|doctor|query|sbom|licenses|-v|completion|diff|stars|team|access|owner|token|profile|audit|org|config|c|get|cache|versions|pm|node|licenses)$/;
const RUNS = /^(?:run|run-script|rum|urn)$/;
const LIFE = /^(?:test|t|tst|start|stop|restart|build|dev|lint|format|typecheck|check)$/;
const EXEC = /^(?:exec|x|dlx)$/;

/** npm, pnpm, yarn and bun: scripts of the project are read, installing writes its files. */
function packageManager(scene: Scene): void {
  if (scene.call.name === "npm" || scene.call.name === "pnpm") scene.args = settled(scene);
  scene.args = inWorkspace(scene);
  const line = follow(scene.call.name === "bun" ? BUN : NPM, scene);
  if (line.has("e", "eval", "p", "print") && scene.call.name === "bun") return;
  const [verb, ...rest] = line.operands;
  const name = verb?.text;
  if (name === undefined) {
    if (verb !== undefined) scene.unknown("code", "write");
    else if (scene.call.name === "yarn" && scene.args.length === 0) installs(scene);
    return;
  }
  if (RUNS.test(name)) script(rest, scene);
  else if (/^workspaces?$/.test(name) && scene.call.name === "yarn") scene.unknown("unlisted");
  else if (EXEC.test(name)) execute(rest, scene);
  else if (name === "create" || name === "init" || name === "innit" || name === "initializer")
    created(rest, scene);
  else if (/^(?:config|c)$/.test(name) && /^(?:set|delete|edit|fix)$/.test(rest[0]?.text ?? "get"))
    scene.unknown("code", "write");
  else if (name === "audit" && rest.some(({ text }) => text === "fix" || text === "--fix")) installs(scene);
  else if (name === "pkg" && rest[0]?.text === "get") return;
  else if (scene.call.name === "bun" && /\.[cm]?[jt]sx?$|^\.{0,2}\//.test(name))
    scene.script(verb ?? literal(""));
  else if (scene.call.name === "bun" && name === "test") return;
  else if (scene.call.name === "bun" && name === "build") scene.unknown("code", "write");
  else if (name === "node" && scene.call.name === "yarn") runHere(scene, [literal("node"), ...rest]);
  else if (READS.test(name)) return;
  else if (LIFE.test(name) || (scene.call.name !== "npm" && hasScript(name, scene))) {
    packageScript(literal(/^(?:t|tst)$/.test(name) ? "test" : name), behind(rest, scene), scene);
    if (name === "restart") for (const part of ["stop", "start"]) packageScript(literal(part), [], scene);
  } else if (
    /^(?:ci|clean-install|ic|install-clean)$/.test(name) ||
    (INSTALL.test(name) && rest.length === 0)
  )
    installs(scene, []);
  else if (WRITES.test(name)) installs(scene);
  else if (name === "pack" || name === "publish") {
    packageScript(literal("prepack"), [], scene);
    packageScript(literal("prepare"), [], scene);
    scene.unknown("write");
  } else if (
    scene.call.name === "npm" &&
    !/^(?:login|logout|adduser|star|unstar|deprecate|dist-tag|hook|set|edit|explore)$/.test(name)
  )
    return;
  else if (scene.call.name === "npm") scene.unknown("code");
  else runHere(scene, line.operands);
}

const INSTALL = /^(?:install|i|in|ins|inst|insta|instal|isnt|isnta|isntal)$/;
const WRITES =
  /^(?:install|i|in|ins|inst|insta|instal|isnt|isnta|isntal|add|ci|clean-install|ic|install-clean|cit|install-ci-test|it|install-test|remove|rm|r|un|uninstall|unlink|update|up|upgrade|udpate|dedupe|ddp|prune|link|ln|rebuild|rb|version|shrinkwrap|pkg|import|patch|patch-commit|set|dedup|upgrade-interactive|self-update|trust|approve-builds|fetch|store|create|plugin)$/;

/** Settings that name a shell, code, or a file with settings. npm takes them behind the command too, and shortened. */
const SETTINGS = /^--(?:config\.)?(?:script-s|node-o|shell(?!-)|git(?:$|=)|userc|globalc|init-m|npmrc)/;

/** Without `--prefix` behind the command: what is run is looked for there. */
function settled(scene: Scene): readonly Word[] {
  const end = scene.args.findIndex(({ text }) => text === "--");
  const own = end === -1 ? scene.args : scene.args.slice(0, end);
  if (own.some(({ text, known }) => SETTINGS.test(text ?? known ?? ""))) scene.unknown("code");
  const at = own.findIndex(({ text }) => /^--(?:prefix|dir)(?:=|$)/.test(text ?? ""));
  if (at === -1) return scene.args;
  const attached = /=([^]*)$/.exec(own[at]?.text ?? "")?.[1];
  const folder = attached === undefined ? own[at + 1] : literal(attached);
  if (folder !== undefined) scene.suite(folder);
  scene.change(folder);
  return scene.args.filter((_word, index) => index !== at && (attached !== undefined || index !== at + 1));
}

const WORKSPACE = /^(?:-w|--workspace|--workspaces|-ws|--filter|-F|-r|--recursive)(?:=([^]*))?$/;

/** A part of the project by its folder: what it runs is read there. Of several, or one by its name, it is not known. */
function inWorkspace(scene: Scene): readonly Word[] {
  const end = scene.args.findIndex(({ text }) => text === "--");
  const at = scene.args.findIndex(
    ({ text }, index) => (end === -1 || index < end) && WORKSPACE.test(text ?? ""),
  );
  const option = scene.args[at]?.text;
  if (option === undefined || scene.call.name === "yarn" || scene.call.name === "bun") return scene.args;
  const attached = WORKSPACE.exec(option)?.[1];
  const takes = /^(?:-w|--workspace)$/.test(option) && scene.call.name === "npm";
  const folder = attached !== undefined ? literal(attached) : takes ? scene.args[at + 1] : undefined;
  const known =
    /^(?:-w|--workspace)/.test(option) && folder?.text !== undefined && scene.kind(folder) === "folder";
  if (known) scene.change(folder);
  else scene.unknown("unlisted");
  return scene.args.filter((_word, index) => index !== at && !(takes && index === at + 1));
}

function script(words: readonly Word[], scene: Scene): void {
  scene.args = words;
  const { operands } = follow("v | + prefix:d C:d dir:d w: workspace: filter: script-shell:c", scene);
  const [name, ...rest] = operands;
  if (name?.text === "env" && !hasScript("env", scene)) scene.use(undefined);
  if (name !== undefined) packageScript(name, behind(rest, scene), scene);
}

/** npm keeps options before `--` for itself; the others hand all on. */
function behind(words: readonly Word[], scene: Scene): readonly Word[] {
  const mark = words.findIndex(({ text }) => text === "--");
  if (scene.call.name !== "npm") return mark === 0 ? words.slice(1) : words;
  const before = (mark === -1 ? words : words.slice(0, mark)).filter(
    (word) => word.text?.startsWith("-") !== true,
  );
  return [...before, ...(mark === -1 ? [] : words.slice(mark + 1))];
}

function created(words: readonly Word[], scene: Scene): void {
  const plain = words.every(({ text }) => text?.startsWith("-") === true);
  if (plain) scene.write(literal("package.json"));
  else scene.unknown("code", "write");
}

/** `npx NAME`: the program of that name, without its version. */
export function execute(words: readonly Word[], scene: Scene): void {
  scene.args = words;
  const { operands, has } = follow(NPX, scene);
  const [first, ...rest] = operands;
  if (first === undefined || has("c", "call")) return;
  const name = first.text?.replace(/^(@[^/]+\/)?([^@/]+)@[^/]*$/, "$1$2");
  runHere(scene, [name === undefined ? first : literal(BINARIES[name] ?? name), ...rest]);
}

/** Packages whose program has another name. */
const BINARIES: Readonly<Record<string, string>> = {
  typescript: "tsc",
  "@biomejs/biome": "biome",
  "@playwright/test": "playwright",
  "@anthropic-ai/claude-code": "claude",
  "@openai/codex": "codex",
  "@google/gemini-cli": "gemini",
};

export const PACKAGES: Table = {
  "npm pnpm yarn bun yarnpkg": packageManager,
  "npx bunx pnpx": (scene) => execute(scene.args, scene),
  "npm-run-all run-s run-p npm-run-all2": (scene) => {
    for (const word of follow("v | + n: c:", scene).operands) {
      if (word.text === undefined || /[*:?]\*|\s/.test(word.text)) scene.unknown("code");
      else packageScript(word, [], scene);
    }
  },
};
