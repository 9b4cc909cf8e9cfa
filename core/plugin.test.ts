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

const routes = { hello: Hello };
const rules = { quiet: Quiet };
const define = definePlugin<Contract>;

test("a plugin that fits its manifest compiles; a missing, superfluous or wrongly typed handler does not", () => {
  const whole = define({ commands: { greet: Greet }, routes, rules });
  // @ts-expect-error: the command greet is missing
  define({ commands: {}, routes, rules });
  // @ts-expect-error: the manifest names no command shout
  define({ commands: { greet: Greet, shout: Greet }, routes, rules });
  // @ts-expect-error: the input of greet has a name, not an age
  define({ commands: { greet: WrongInput }, routes, rules });
  // @ts-expect-error: the output of greet has a text, not words
  define({ commands: { greet: WrongOutput }, routes, rules });
  // @ts-expect-error: the rule quiet is missing
  define({ commands: { greet: Greet }, routes, rules: {} });
  // @ts-expect-error: the route hello is missing
  define({ commands: { greet: Greet }, routes: {}, rules });
  assert.equal(whole.commands.greet, Greet);
});
