/** What a tool without a shape that everybody knows seems to do, by its name. */
export type Conduct = "harmless" | "reads" | "writes" | "runs" | "unknown";

/**
 * Built-in tools of agents that touch no file, as their documentation named them in November 2026, in lower case and
 * without `_` and `-`: questions, lists of tasks, plans, and looks at what already runs.
 */
const HARMLESS = new Set(
  (
    "askuserquestion askuser askfollowupquestion requestuserinput question todowrite todoread writetodos updatetodos " +
    "updateplan createplan taskcreate taskupdate taskget tasklist taskoutput taskstop enterplanmode exitplanmode plan " +
    "skill slashcommand activateskill savememory sendmessage listmcpresources readmcpresource listmcpresourcestool " +
    "readmcpresourcetool structuredoutput croncreate crondelete cronlist sleep wait think sequentialthinking " +
    "completetask attemptcompletion finish notify notebooklmread lsp readlints getdiagnostics fetchrules"
  ).split(" "),
);
const WRITES =
  "write edit create delete remove move rename replace insert apply patch update save put set add append copy mkdir touch modify " +
  "overwrite upload upsert refactor format fix import install commit checkout revert reset stash merge rebase restore generate";
const RUNS =
  "run exec execute shell bash terminal command eval script spawn process python node powershell cmd sql repl";
const READS =
  "read get list search fetch find query view show describe screenshot snapshot look lookup resolve inspect status wait " +
  "navigate click hover press scroll type fill tap swipe drag select open close back forward reload resize tabs tab console " +
  "network ping help info count check compare diff explain analyze browse browser page tree stat directory symbols references";
/** What is kept by services and not in files. */
const ELSEWHERE = new Set(
  (
    "issue issues pull request requests pr comment comments review reply message messages email mail event events calendar " +
    "ticket tickets card board label labels milestone entity entities relation relations observation observations memory " +
    "memories page pages channel thread reaction alert incident"
  ).split(" "),
);
const BROWSER = /chrome|browser|playwright|puppeteer|devtools|selenium/i;
const KINDS: readonly (readonly [Conduct, ReadonlySet<string>])[] = [
  ["runs", new Set(RUNS.split(" "))],
  ["writes", new Set(WRITES.split(" "))],
  ["reads", new Set(READS.split(" "))],
];

/** Words that could mean more than reading count first: `search_and_replace` writes. */
export function conductOf(name: string): Conduct {
  const own = name.split(/__|:|\//).at(-1) ?? name;
  if (/^runtime-debug_[a-z-]+$/.test(own)) return "harmless";
  const words = wordsOf(own);
  if (HARMLESS.has(words.join(""))) return "harmless";
  for (const [conduct, known] of KINDS) if (words.some((word) => known.has(word))) return conduct;
  return "unknown";
}

/** Whether it is a list of tasks that the agent keeps for itself. */
export function isList(name: string): boolean {
  return /^(?:todo(?:write|read)|writetodos|updatetodos|updateplan|createplan|task(?:create|update|get|list))$/.test(
    wordsOf(name).join(""),
  );
}

/** Whether it looks for a text. */
export function isSearch(name: string): boolean {
  return wordsOf(name).some((word) => ["search", "find", "grep", "query", "lookup", "fetch"].includes(word));
}

/** Whether a tool changes something in a service, or in the page of a browser, as long as it names no file. */
export function isElsewhere(name: string): boolean {
  const own = name.split(/__|:|\//).at(-1) ?? name;
  const words = wordsOf(own);
  if (words.some((word) => ["file", "files", "path", "repo", "repository", "code", "branch"].includes(word)))
    return false;
  return words.some((word) => ELSEWHERE.has(word)) || (BROWSER.test(name) && words[0] === "evaluate");
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}
