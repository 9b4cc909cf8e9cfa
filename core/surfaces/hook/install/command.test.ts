import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { dispatcherIn, hookCommand, isOurs, namesGuard, windowsCommand } from "./command.ts";

test("a plain path stands in the command as it is", () => {
  const dispatcher = "/home/ada/.local/state/skillctl/guard/dispatcher.sh";
  const command = (perl: boolean) => hookCommand({ dialect: "codex", dispatcher, perl });
  assert.match(
    command(false),
    /^sh -c '\[ -f \S+\/guard\/dispatcher\.sh \] && \. \/home\/ada\/\.local\/state\/skillctl\/guard\/dispatcher\.sh; echo ".*" >&2; exit 2' sh codex \|\| exit 2$/,
  );
  assert.match(
    command(true),
    /^\[ -x .*; PERL5OPT= .* \/usr\/bin\/perl .*' \/home\/ada\/\.local\/state\/skillctl\/guard\/dispatcher\.sh codex \|\| exit 2$/,
  );
});

test("the dispatcher of a command is found again, whatever its path; and nobody fills in a variable", () => {
  const paths = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: fc.constantFrom(..."a '\"$\\/{}HOME;") }),
  );
  fc.assert(
    fc.property(paths, fc.boolean(), fc.boolean(), (path, named, perl) => {
      const folder = `/${path.replaceAll(/[\r\n\0]/g, "")}`;
      const dispatcher = `${folder}/guard/dispatcher.sh`;
      const command = hookCommand({ dialect: "gemini", dispatcher, state: named ? folder : undefined, perl });
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

test("a person's own command with ours in it, or ours with anything more, is not ours", () => {
  const dispatcher = "/s/guard/dispatcher.sh";
  for (const state of [undefined, "/s", "/my state"]) {
    const reading = hookCommand({ dialect: "codex", dispatcher, state });
    const starting = hookCommand({ dialect: "codex", dispatcher, state, perl: true });
    const changed = [
      `SKILLCTL_STATE=/other ${starting}`,
      starting.replace("|| sh -c ", "|| true "),
      starting.replace("exit 2' ", "exit 0' "),
      starting.replace("PERL5OPT= ", "PERL5OPT=-Mmine "),
      reading.replaceAll("/s/guard/dispatcher.sh;", "/s/guard/dispatcher.sh; exit 0;"),
      reading.replace("exit 2' sh", "exit 0' sh"),
    ];
    for (const ours of [reading, starting]) {
      assert.ok(isOurs(ours), ours);
      changed.push(
        `exit 0; ${ours}`,
        `/usr/local/bin/my-audit-log; ${ours}`,
        `${ours}; true`,
        `true || ${ours}`,
      );
    }
    for (const command of changed) {
      assert.ok(!isOurs(command), command);
      assert.equal(dispatcherIn(command), undefined);
      assert.ok(namesGuard(command), command);
    }
  }
  const windows = windowsCommand("codex", "C:\\skillctl.cjs");
  assert.ok(!isOurs(`exit 0; ${windows}`) && !isOurs(`${windows} & exit 0`));
  assert.ok(!namesGuard("npm test"));
});
