import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { dispatcherIn, hookCommand, isOurs, windowsCommand } from "./command.ts";

test("a plain path stands in the command as it is", () => {
  const dispatcher = "/home/ada/.local/state/skillctl/guard/dispatcher.sh";
  const command = hookCommand({ dialect: "codex", dispatcher });
  assert.match(
    command,
    /^sh -c '\. \/home\/ada\/\.local\/state\/skillctl\/guard\/dispatcher\.sh; echo ".*" >&2; exit 2' sh codex \|\| exit 2$/,
  );
});

test("the dispatcher of a command is found again, whatever its path; and nobody fills in a variable", () => {
  const paths = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: fc.constantFrom(..."a '\"$\\/{}HOME;") }),
  );
  fc.assert(
    fc.property(paths, fc.boolean(), (path, named) => {
      const folder = `/${path.replaceAll(/[\r\n\0]/g, "")}`;
      const dispatcher = `${folder}/guard/dispatcher.sh`;
      const command = hookCommand({ dialect: "gemini", dispatcher, state: named ? folder : undefined });
      assert.equal(dispatcherIn(command), dispatcher);
      assert.doesNotMatch(command, /\$(\w|\{)/);
    }),
  );
});

test("commands of others are not ours", () => {
  assert.ok(isOurs(windowsCommand("codex", "C:\\Program Files\\skillctl\\skillctl.cjs")));
  for (const command of [
    "",
    "skillctl guard --dialect codex",
    "sh '/home/ada/guard/dispatcher.sh' codex",
    "sh -c 'echo hello' sh codex || exit 2",
    "cat /s/guard/dispatcher.sh || exit 2",
    'node "/opt/other.cjs" guard --dialect codex',
  ])
    assert.ok(!isOurs(command), command);
});
