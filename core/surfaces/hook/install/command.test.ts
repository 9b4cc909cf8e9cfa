import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { endingWith, hookCommand, startedBy } from "./command.ts";

test("the command of a hook is one short line", () => {
  const short = hookCommand({ dialect: "codex", program: ["skillctl"] }, "linux");
  assert.equal(
    short,
    "sh -c 'skillctl guard --hook codex; test $''? = 93 || { echo skillctl guard: not allowed >&2; exit 2; }' || exit 2",
  );
  const program = ["/usr/bin/node", "/opt/skillctl/bin/skillctl.cjs"];
  const named = hookCommand({ dialect: "codex", program, state: "/my state" }, "linux");
  assert.equal(
    named,
    "SKILLCTL_STATE='/my state' sh -c '/usr/bin/node /opt/skillctl/bin/skillctl.cjs guard --hook codex; test $''? = 93 || { echo skillctl guard: not allowed >&2; exit 2; }' || exit 2",
  );
  const windows = hookCommand({ dialect: "codex", program: ["node.exe", "C:\\a\\skillctl.cjs"] }, "win32");
  assert.equal(windows, 'node "C:/a/skillctl.cjs" guard --dialect codex');
});

test("the program and the state folder are read back from the command for all paths, and it contains no variable", () => {
  const paths = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: fc.constantFrom(..."a '\"$\\/{}HOME;") }),
  );
  fc.assert(
    fc.property(paths, fc.boolean(), (path, named) => {
      const folder = `/${path.replaceAll(/[\r\n\0]/g, "")}`;
      const program = [`${folder}/bin/node`, `${folder}/skillctl.cjs`];
      const started = { dialect: "gemini", program, state: named ? folder : undefined };
      const command = hookCommand(started, "linux");
      assert.deepEqual(startedBy(command), started);
      assert.doesNotMatch(command, /\$(\w|\{)/);
    }),
  );
});

test("a command of another program, and skillctl's own with an addition, is not recognised as a hook of skillctl", () => {
  const start = { dialect: "codex", program: ["/usr/bin/node", "/opt/skillctl.cjs"], state: "/s" };
  const ours = hookCommand(start, "linux");
  for (const command of [ours, endingWith(1, ours)]) assert.deepEqual(startedBy(command), start);
  const older = "SKILLCTL_STATE=/s /usr/bin/node /opt/skillctl.cjs guard --dialect codex || exit 2";
  assert.deepEqual(startedBy(older), { ...start, isOlder: true });
  for (const command of [
    "",
    "skillctl guard --dialect codex",
    "true skillctl guard --dialect codex || exit 2",
    "echo /opt/skillctl.cjs guard --dialect codex || exit 2",
    "sh -c 'echo hello' sh codex || exit 2",
    "cat /s/guard/dispatcher.sh || exit 2",
    'node "/opt/other.cjs" guard --dialect codex',
    'exit 0; node "C:/skillctl.cjs" guard --dialect codex',
    `exit 0; ${ours}`,
    `/usr/local/bin/my-audit-log; ${ours}`,
    `true || ${ours}`,
    `${ours}; true`,
    ours.replace("exit 2", "exit 0"),
    ours.replace("exit 2", "exit 12"),
    ours.replace("/usr/bin/node ", "/usr/bin/node -e 0 "),
    ours.replace("= 93", "= 0"),
    ours.replace("; test", "; true; test"),
    older.replace("exit 2", "exit 0"),
    `true || ${older}`,
  ])
    assert.equal(startedBy(command), undefined, command);
});
