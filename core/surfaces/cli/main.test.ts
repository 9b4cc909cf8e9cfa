import assert from "node:assert/strict";
import { chmod, chown, mkdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { HostedSkill } from "../../skill.ts";
import { runCli, temporaryFolder, writeSkill, type Shown } from "./fixture-command-line.ts";
import { VERBS } from "./verbs.ts";

const command = (name: string, more: object = {}) => ({
  summary: `Does ${name}.`,
  input: "endings/any-input",
  output: "endings/text",
  display: "text",
  ...more,
});
/** A skill without a default command, with one command that has its own exit statuses and one that runs until it is stopped. */
const ENDINGS = {
  manifest: {
    commands: {
      fail: command("fail"),
      partly: command("partly", {
        exitStatus: { ENDINGS_PARTLY: 2, other: 1 },
        errors: ["ENDINGS_PARTLY", "USAGE"],
      }),
      wait: command("wait", { keepsRunning: true }),
    },
    errors: {
      ENDINGS_OWN: { exit: 42, http: 500, fault: "user", summary: "It ended." },
      ENDINGS_PARTLY: { exit: 43, http: 500, fault: "user", summary: "It ended halfway." },
    },
  },
  schemas: {
    "any-input": { type: "object", properties: { count: { type: "integer", maximum: 5 } } },
    text: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
  },
  code: `const ends = (run) => class { run = run; };
export default { commands: {
  fail: ends(() => ({ text: "" })),
  partly: ends(() => ({ text: "" })),
  wait: ends(async (_, { signal, announce }) => { announce("started"); signal.aborted || await new Promise((r) => signal.addEventListener("abort", r)); return { text: "stopped" }; }),
} };
`,
};

describe("the command line", () => {
  let folder = "";
  let close = async (): Promise<void> => undefined;
  const cli = (...words: readonly string[]): Promise<Shown> => runCli(folder, words);

  before(async () => {
    ({ path: folder, close } = await temporaryFolder());
    await writeSkill(join(folder, "skills"), "greeting");
    await writeSkill(join(folder, "skills"), "endings", ENDINGS);
    await writeFile(join(folder, "skillctl.json"), JSON.stringify({ plugins: ["./skills"] }));
    assert.equal((await cli("trust")).status, 0);
  });
  after(() => close());

  test("without arguments the help of the program goes to standard output", async () => {
    const bare = await cli();
    assert.equal(bare.status, 0);
    assert.match(bare.out, /^skillctl 0\.0\.0-test[^]*\n {2}run SKILL/);
    assert.deepEqual([await cli("--help"), await cli("help")], [bare, bare]);
    for (const line of bare.out.split("\n")) assert.ok(line.length <= 80, line);
  });

  const SLIPS: readonly (readonly [readonly string[], number, RegExp, RegExp])[] = [
    [["lst"], 64, /There is no verb "lst"\./, /Did you mean list\?/],
    [["--jsn", "list"], 64, /There is no flag --jsn\./, /Did you mean --json\?/],
    [["--jsn"], 64, /There is no flag --jsn\./, /Did you mean --json\?/],
    [["list", "greeting"], 64, /There is one word too many\./, /skillctl info SKILL/],
    [["--plugin"], 64, /--plugin needs a path\./, /--plugin \./],
    [["run"], 64, /No skill is named\./, /skillctl run SKILL/],
    [["run", "greting", "Ada"], 64, /There is no skill "greting"\./, /Did you mean greeting\?/],
    [["info", "greting"], 64, /There is no skill "greting"\./, /Did you mean greeting\?/],
    [
      ["run", "greeting", "gret"],
      64,
      /greeting has no command "gret"\./,
      /Did you mean greet\? To pass it as text: skillctl run greeting greet gret/,
    ],
    [["run", "greeting"], 64, /NAME is missing: Who is greeted\./, /skillctl run greeting greet --help/],
    [["run", "greeting", "Ada", "--nam", "x"], 64, /There is no flag --nam\./, /Did you mean --name\?/],
    [
      ["run", "greeting", "--input", '{"nam":"Ada"}'],
      65,
      /The input has no property "nam"\./,
      /Did you mean name\?/,
    ],
    [["run", "endings", "fial"], 64, /endings has no command of that name\./, /Its commands: /],
    [["run", "endings"], 64, /endings has no default command\./, /Name one of its commands: fail, /],
    [
      ["serve", "--port", "x"],
      64,
      /--port must be a whole number from 0 to 65535, not "x"\./,
      /serve --help/,
    ],
  ];
  test("a mistake is reported with a hint", async () => {
    for (const [words, status, message, hint] of SLIPS) {
      const shown = await cli(...words);
      assert.equal(shown.status, status, `skillctl ${words.join(" ")}`);
      assert.equal(shown.out, "", `skillctl ${words.join(" ")}`);
      const [first, second, ...rest] = shown.err.split("\n");
      assert.match(first ?? "", /^error: /, `skillctl ${words.join(" ")}`);
      assert.match(first ?? "", message, `skillctl ${words.join(" ")}`);
      assert.match(second ?? "", /^hint: /, `skillctl ${words.join(" ")}`);
      assert.match(second ?? "", hint, `skillctl ${words.join(" ")}`);
      assert.deepEqual(rest, [""], `skillctl ${words.join(" ")}`);
    }
  });

  test("a skill's default command takes the words, and its display text is the output", async () => {
    assert.deepEqual(await cli("run", "greeting", "王 小明"), { status: 0, out: "Hello 王 小明\n", err: "" });
    assert.equal((await cli("run", "greeting", "greet", "gret")).out, "Hello gret\n");
    assert.equal((await cli("run", "greeting", "--name=--x")).out, "Hello --x\n");
    assert.equal((await cli("run", "greeting", "--", "--json")).out, "Hello --json\n");
  });

  test("a command that keeps running announces itself and ends with 0 when it is stopped", async () => {
    assert.deepEqual(await runCli(folder, ["run", "endings", "wait"], { untilShown: true }), {
      status: 0,
      out: "started\nstopped\n",
      err: "",
    });
    const json = await runCli(folder, ["run", "endings", "wait", "--json"], { untilShown: true });
    assert.deepEqual(json, { status: 0, out: '{"ok":true,"output":{"text":"stopped"}}\n', err: "started\n" });
  });

  test("the key of serve is private to its user; a file or folder that is open to others is refused", async () => {
    const state = join(folder, "key-state");
    const file = join(state, "serve.key");
    const serve = () =>
      runCli(folder, ["serve", "--port", "0"], {
        variables: { HOME: folder, SKILLCTL_STATE: state },
        untilShown: true,
      });
    const refused = async (pattern: RegExp): Promise<void> => {
      const { status, out, err } = await serve();
      assert.deepEqual([status, out], [66, ""]);
      assert.match(err, pattern);
    };
    const keyOf = ({ out }: Shown) => out.split("?k=")[1]?.trim();
    const first = keyOf(await serve());
    assert.equal(keyOf(await serve()), first);
    if (process.platform === "win32") return;

    assert.equal((await stat(file)).mode & 0o777, 0o600);
    await chmod(file, 0o640);
    await refused(/serve\.key is open to other users, who may read or change it\.\nhint: Remove the file, /);
    assert.equal(await readFile(file, "utf8"), `${first}\n`);
    await chmod(file, 0o600);
    await chmod(state, 0o770);
    await refused(/key-state is open to other users, who may change it\.\nhint: .*chmod go-w/);
    await chmod(state, 0o755);
    assert.equal(keyOf(await serve()), first);
    if (process.getuid?.() === 0) {
      await chown(file, 65_534, 65_534);
      await refused(/serve\.key belongs to another user\.\nhint: Remove the file, /);
      await chown(state, 65_534, 65_534);
      await refused(/key-state belongs to another user\.\nhint: .*SKILLCTL_STATE/);
      await chown(state, 0, 0);
    }
    await rm(file);
    await symlink(join(folder, "skillctl.json"), file);
    await refused(/serve\.key is a link or not a regular file\./);
    await rm(file);
    assert.notEqual(keyOf(await serve()), first);
  });

  test(
    "serve refuses a --key-file that others may read or replace",
    { skip: process.platform === "win32" },
    async () => {
      const own = join(folder, "own-keys");
      const file = join(own, "key");
      await mkdir(own, { mode: 0o700 });
      await writeFile(file, "a-key-of-my-own\n", { mode: 0o600 });
      const link = join(folder, "key-link");
      await symlink(file, link);
      const serve = (named: string) =>
        runCli(folder, ["serve", "--port", "0", "--key-file", named], { untilShown: true });
      const refused = async (pattern: RegExp): Promise<void> => {
        for (const named of [file, link]) {
          const { status, out, err } = await serve(named);
          assert.deepEqual([status, out], [66, ""]);
          assert.match(err, pattern);
        }
      };
      for (const named of [file, link]) assert.equal((await serve(named)).status, 0);
      await chmod(file, 0o644);
      await refused(/own-keys\/key is open to other users, who may read or change it\.\nhint: .*chmod 600/);
      await chmod(file, 0o600);
      await chmod(own, 0o777);
      await refused(/own-keys is open to other users, who may change it\.\nhint: .*chmod go-w/);
      await chmod(own, 0o1777);
      assert.equal((await serve(file)).status, 0);
    },
  );

  test("serve prints its address, runs until it is stopped and ends with 0", async () => {
    const shown = await runCli(folder, ["serve", "--port", "0"], { untilShown: true });
    assert.deepEqual([shown.status, shown.err], [0, ""]);
    assert.match(shown.out, /^http:\/\/127\.0\.0\.1:\d+\/\?k=[\w-]{43}\n$/);
    const open = await runCli(folder, ["serve", "--port", "0", "--no-key"], { untilShown: true });
    assert.match(open.out, /^http:\/\/127\.0\.0\.1:\d+\n$/);
    assert.equal((await cli("serve", "--no-key", "--key-file", "none")).status, 64);
    const keyless = await cli("serve", "--port", "0", "--key-file", "none");
    assert.deepEqual([keyless.status, keyless.out], [66, ""]);
    assert.match(keyless.err, /none holds no key\.\nhint: /);
  });

  test("the help of a skill and of a command is derived from manifest and schema", async () => {
    const skill = await cli("run", "greeting", "--help");
    assert.match(
      skill.out,
      /^The skill greeting\.\n\nUsage: skillctl run greeting [^]*greet \(default\) {2}Greets\./,
    );
    const command = await cli("run", "greeting", "greet", "-h");
    assert.match(command.out, /Usage:\n {2}skillctl run greeting \[greet\] NAME\n/);
    assert.match(command.out, /Arguments:\n {2}NAME {2}Who is greeted\. \(text; required\)\n/);
    const partly = await runCli(folder, ["run", "endings", "partly", "--help"], { columns: 60 });
    assert.match(partly.out, /--count INTEGER {2}\(integer; at most 5\)/);
    assert.match(
      partly.out,
      /Exit status:\n {2}0 {2}Success\.\n {2}2 {2}ENDINGS_PARTLY: It ended halfway\.\n {2}1 {2}USAGE: /,
    );
    for (const line of partly.out.split("\n")) assert.ok(line.length <= 60, line);
  });

  test("help, info and lists fit 40 columns, and break no word and no command", async () => {
    const asked = [["--help"], ...Object.keys(VERBS).map((verb) => [verb, "--help"])];
    asked.push(["info", "endings"], ["run", "endings", "--help"], ["run", "greeting", "greet", "--help"]);
    for (const words of asked) {
      const narrow = await runCli(folder, words, { columns: 40 });
      const wide = await runCli(folder, words, { columns: 1_000 });
      const wordsOf = (text: string): string => text.split(/\s+/).join(" ");
      assert.equal(wordsOf(narrow.out), wordsOf(wide.out));
      for (const line of narrow.out.split("\n"))
        assert.ok(
          line.length <= 40 || /^\s*(?:\S+|(?:\S+ +)?skillctl .*|`[^`]*`\S*)$/.test(line),
          `${words.join(" ")}: ${line}`,
        );
    }
    for (const verb of Object.keys(VERBS)) {
      const written = await runCli(folder, [verb, "--help"], { columns: 1_000 });
      for (const line of written.out.split("\n")) assert.ok(line.length <= 80, `${verb}: ${line}`);
    }
  });

  test("lists fit a terminal of 40 columns in whole words, and a pipe gets whole lines", async () => {
    const shown = async (words: readonly string[], showsOut: boolean): Promise<string> =>
      (await runCli(folder, words, { columns: 40, showsOut })).out;
    for (const words of [
      ["hooks", "status"],
      ["trust", "--list"],
      ["info", "endings"],
      ["test", "greeting"],
    ]) {
      const [narrow, whole] = [await shown(words, true), await shown(words, false)];
      assert.equal(narrow.split(/\s+/).join(" "), whole.split(/\s+/).join(" "));
      for (const line of narrow.split("\n"))
        assert.ok(line.length <= 40 || line.trim().split(" ").length === 1, `${words.join(" ")}: ${line}`);
      if (words[0] !== "info") assert.ok(whole.split("\n").some((line) => line.length > 40));
    }
  });

  test("info shows the contributions of one skill", async () => {
    const { out, status } = await cli("info", "endings");
    assert.equal(status, 0);
    assert.match(
      out,
      /^endings 1\.0\.0\nThe skill endings\.\n\nCommands:\n {2}skillctl run endings fail \[--count INTEGER\]/,
    );
    assert.match(out, /\n {2}ENDINGS_OWN \(exit 42\) +It ended\.\n/);
    assert.match(out, /Folder \(from outside\):\n {2}.*endings\n$/);
  });

  test("list shows the built-in skills first, then the third-party ones", async () => {
    const manifest = {
      manifestVersion: 1,
      name: "boxed",
      version: "1.0.0",
      summary: "In the box.",
      engines: { skillctl: "*" },
    } as const;
    const boxed: HostedSkill = {
      manifest,
      folder,
      schemas: folder,
      builtin: true,
      load: () => Promise.reject(new Error("listed only")),
    };
    const shown = await runCli(folder, ["list"], { builtin: [boxed] });
    const rows = [
      "boxed     In the box.",
      "endings   The skill endings.",
      "greeting  The skill greeting.",
      "",
    ];
    assert.deepEqual(shown, { status: 0, out: rows.join("\n"), err: "" });
  });

  test("--plugin and SKILLCTL_PLUGINS name further skills, relative to the working folder", async () => {
    await writeSkill(join(folder, "more"), "alpha");
    await writeSkill(join(folder, "more"), "beta");
    const variables = {
      SKILLCTL_STATE: join(folder, "state"),
      SKILLCTL_PLUGINS: "more/beta",
    };
    const { out } = await runCli(folder, ["list", "--plugin", "more/alpha"], { variables });
    assert.deepEqual(out.match(/^\w+/gm), ["alpha", "beta", "endings", "greeting"]);
    const twice = await runCli(folder, ["list", "--plugin", "more", "--plugin", "more/alpha"], { variables });
    assert.deepEqual(twice, { status: 0, out, err: "" });
    const run = await runCli(folder, ["run", "beta", "Ada"], { variables });
    assert.equal(run.out, "Hello Ada\n");
  });
});
