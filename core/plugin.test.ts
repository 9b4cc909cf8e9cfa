import assert from "node:assert/strict";
import { test } from "node:test";
import { definePlugin } from "./plugin.ts";

interface Contract {
  commands: { greet: { input: { name: string }; output: { text: string } } };
  routes: { hello: { query: undefined; body: { name: string } } };
  rules: "quiet";
}

class Greet {
  readonly run = async ({ name }: { name: string }): Promise<{ text: string }> => ({ text: `Hello ${name}` });
}
class Hello {
  readonly handle = async ({ body }: { body: { name: string } }) => ({ status: 200, body: body.name });
}
class Quiet {
  readonly judge = () => ({ decision: "allow" }) as const;
}
class WrongInput {
  readonly run = async ({ age }: { age: number }): Promise<{ text: string }> => ({ text: `${age}` });
}
class WrongOutput {
  readonly run = async (): Promise<{ words: string }> => ({ words: "Hello" });
}

test("a plugin that fits its manifest compiles; a missing, superfluous or wrongly typed handler is a compile error", () => {
  const whole = definePlugin<Contract>({ commands: { greet: Greet }, routes: { hello: Hello }, rules: { quiet: Quiet } });
  // @ts-expect-error: the command greet is missing
  definePlugin<Contract>({ commands: {}, routes: { hello: Hello }, rules: { quiet: Quiet } });
  // @ts-expect-error: the manifest names no command shout
  definePlugin<Contract>({ commands: { greet: Greet, shout: Greet }, routes: { hello: Hello }, rules: { quiet: Quiet } });
  // @ts-expect-error: the input of greet has a name, not an age
  definePlugin<Contract>({ commands: { greet: WrongInput }, routes: { hello: Hello }, rules: { quiet: Quiet } });
  // @ts-expect-error: the output of greet has a text, not words
  definePlugin<Contract>({ commands: { greet: WrongOutput }, routes: { hello: Hello }, rules: { quiet: Quiet } });
  // @ts-expect-error: the rule quiet is missing
  definePlugin<Contract>({ commands: { greet: Greet }, routes: { hello: Hello }, rules: {} });
  // @ts-expect-error: the route hello is missing
  definePlugin<Contract>({ commands: { greet: Greet }, routes: {}, rules: { quiet: Quiet } });
  assert.equal(whole.commands.greet, Greet);
});
