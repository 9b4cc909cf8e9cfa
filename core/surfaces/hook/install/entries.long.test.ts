import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parse } from "jsonc-parser/lib/esm/main.js";
import type { HookClient } from "./client.ts";
import { CLIENTS } from "./clients.ts";
import { hookCommand } from "./command.ts";
import { entriesIn, newSettings, withEntries, withoutEntries } from "./entries.ts";
import { writtenSettings } from "./fixture-settings.ts";
import { effort } from "../../../../contract-tests/harness.ts";

type Json = Readonly<Record<string, unknown>>;
const FILE = "/p/settings.json";
const commandOf = ({ name: dialect }: HookClient): string =>
  hookCommand({ dialect, dispatcher: "/s/guard/dispatcher.sh" });

/** What agents see: no empty lists, nothing of the head. */
function seen(value: Json, { head }: HookClient): Json {
  const hooks = Object.entries((value["hooks"] ?? {}) as Readonly<Record<string, unknown[]>>);
  const full = hooks.filter(([, list]) => list.length > 0);
  const rest = Object.entries(value).filter(([key]) => key !== "hooks" && !Object.hasOwn(head, key));
  return { ...Object.fromEntries(rest), hooks: Object.fromEntries(full) };
}

for (const client of CLIENTS) {
  const command = commandOf(client);

  describe(client.name, () => {
    test("our hook comes to every event once; hooks of others, all else, its order and every comment stay", () => {
      fc.assert(
        fc.property(writtenSettings(client), ({ value, text, comments }) => {
          const next = withEntries(text, client, command, FILE);
          assert.deepEqual(
            entriesIn(next, client, FILE).events.toSorted(),
            Object.keys(client.events).toSorted(),
          );
          assert.equal(next.split(`${client.name} || exit 2`).length - 1, Object.keys(client.events).length);
          const errors: never[] = [];
          const read = parse(next, errors, { allowTrailingComma: true }) as Json;
          assert.deepEqual(errors, []);
          const kept = Object.keys(value);
          assert.deepEqual(Object.keys(read).slice(0, kept.length), kept);
          for (const key of kept) if (key !== "hooks") assert.deepEqual(read[key], value[key]);
          for (const [event, list] of Object.entries((value["hooks"] ?? {}) as Json))
            assert.deepEqual(
              ((read["hooks"] as Json)[event] as unknown[]).slice(0, (list as unknown[]).length),
              list,
            );
          for (const comment of comments) assert.ok(next.includes(comment), comment);
          assert.equal(withEntries(next, client, command, FILE), next);
        }),
        { numRuns: effort(10, 40) },
      );
    });

    test("nothing of ours is left, and nothing of others is gone", () => {
      fc.assert(
        fc.property(writtenSettings(client), ({ value, text, comments }) => {
          const next = withEntries(text, client, command, FILE);
          for (const before of [undefined, text]) {
            const left = withoutEntries(next, client, FILE, before);
            assert.deepEqual(entriesIn(left, client, FILE).events, []);
            const read = parse(left, [], { allowTrailingComma: true }) as Json;
            if (before === undefined) assert.deepEqual(seen(read, client), seen(value, client));
            else assert.deepEqual(read, value);
            for (const comment of comments) assert.ok(left.includes(comment), comment);
          }
        }),
        { numRuns: effort(10, 40) },
      );
    });

    test("a hook from another state folder is replaced, so that there are never two", () => {
      const old = newSettings(
        client,
        hookCommand({ dialect: client.name, dispatcher: "/old/guard/dispatcher.sh" }),
      );
      const next = withEntries(old, client, command, FILE);
      assert.deepEqual(entriesIn(next, client, FILE).commands, [command]);
      assert.deepEqual(JSON.parse(next), JSON.parse(newSettings(client, command)));
    });

    test("settings of a shape that the agent does not know are refused, with the reason", () => {
      const [event = ""] = Object.keys(client.events);
      const rows: readonly (readonly [string, RegExp])[] = [
        ["", /line 1 is no JSON/],
        ["{\n\n  x}", /line 3 is no JSON/],
        ["[]", /it is no JSON object/],
        ['{"hooks": []}', /its "hooks" is no object/],
        ['{"hooks": {}, "hooks": {}}', /it has "hooks" twice/],
        [`{"hooks": {"${event}": {}}}`, new RegExp(`its hooks at ${event} are no list`)],
        [`{"hooks": {"${event}": [], "${event}": []}}`, new RegExp(`it has "${event}" twice`)],
      ];
      for (const [text, reason] of rows) {
        assert.throws(
          () => withEntries(text, client, command, FILE),
          { code: "CONFIG_INVALID", message: reason },
          text,
        );
      }
    });
  });
}

test("somebody's hook in the same group as ours stays when ours goes", () => {
  const [client] = CLIENTS as readonly [HookClient];
  const text = newSettings(client, commandOf(client)).replace(
    '"hooks": [\n          {',
    '"hooks": [\n          { "type": "command", "command": "mine" },\n          {',
  );
  const left = JSON.parse(withoutEntries(text, client, FILE)) as { hooks: Record<string, unknown> };
  assert.deepEqual(left.hooks["SessionStart"], [{ hooks: [{ type: "command", command: "mine" }] }]);
});
