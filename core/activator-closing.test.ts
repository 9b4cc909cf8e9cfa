import assert from "node:assert/strict";
import { test } from "node:test";
import { borrower, greeter, greetingBy, lender } from "./testing/fixture-ports.ts";
import { fixtureHost } from "./testing/fixture-skills.ts";

test("services close in the reverse order of opening, and every failure is returned", async () => {
  const journal: string[] = [];
  const closing = (name: string, fails = false) => {
    class Greet {
      readonly run = async () => ({});
      readonly close = async () => {
        await new Promise(setImmediate);
        journal.push(name);
        if (fails) throw new Error(`${name} is stuck`);
      };
    }
    return greeter(name, { code: { commands: { greet: Greet } } });
  };
  const consumer = borrower("consumer", "required");
  const skills = [
    closing("never-opened"),
    consumer,
    lender("lender", journal),
    closing("a", true),
    closing("b"),
    closing("c", true),
  ];
  const { activator } = fixtureHost(skills);
  for (const name of ["a", "consumer", "b", "c"]) await activator.command(name, "greet");
  const failures = await activator.close();
  assert.deepEqual(journal, ["lender made", "c", "b", "lender closed", "a"]);
  assert.deepEqual(
    failures.map(({ message }) => message),
    ["Greet of c failed to close: c is stuck.", "Greet of a failed to close: a is stuck."],
  );
  assert.deepEqual(
    failures.map(({ cause }) => (cause as Error).message),
    ["c is stuck", "a is stuck"],
  );
});

test("closing waits for a skill that is being opened and closes it; its callers receive the error that the host is closed", async () => {
  const journal: string[] = [];
  const tokens = lender("lender", journal);
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const consumer = borrower("consumer", "required");
  const load = async () => {
    journal.push("loading");
    await gate;
    return consumer.load();
  };
  const host = fixtureHost([{ ...consumer, load }, tokens]);
  const running = assert.rejects(host.run(greetingBy("consumer")), {
    code: "CANCELLED",
    message: "The host is closed: consumer can no longer be used.",
  });
  while (!journal.includes("loading")) await new Promise(setImmediate);
  let closed = false;
  const closing = host.close().then(() => (closed = true));
  await new Promise(setImmediate);
  assert.equal(closed, false);
  release();
  await Promise.all([running, closing]);
  assert.deepEqual(journal, ["lender made", "loading", "lender closed"]);
});

test("a closed host opens nothing more, so that nothing is left open", async () => {
  const load = () => assert.fail("the code was loaded");
  const host = fixtureHost([greeter("a", { load }), greeter("b")]);
  await host.activator.command("b", "greet");
  await host.close();
  for (const name of ["a", "b"])
    await assert.rejects(host.activator.command(name, "greet"), { code: "CANCELLED" });
});
