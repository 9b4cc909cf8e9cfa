import assert from "node:assert/strict";
import { test } from "node:test";
import { inject, injectable } from "./inject.ts";
import { Scope } from "./scope.ts";
import { token } from "./token.ts";

interface Greeter {
  readonly greet: () => string;
}

const NAME = token<string>("name");
const GREETER = token<Greeter>("greeter");

@injectable()
class PlainGreeter implements Greeter {
  constructor(@inject(NAME) private readonly name: string) {}
  readonly greet = (): string => `Hello ${this.name}`;
}

test("a service bound in the root is created by the root for any caller, and gets no binding of the child", () => {
  const root = new Scope("root");
  root.value(NAME, "root");
  root.single(GREETER, PlainGreeter);
  const child = new Scope("child", root);
  child.value(NAME, "child");
  assert.equal(child.get(GREETER).greet(), "Hello root");
  assert.equal(root.get(GREETER), child.get(GREETER));
});

test("a scope closes its services in reverse order, continues after a failure, and returns every failure with its cause", async () => {
  const order: string[] = [];
  const scope = new Scope("skill");
  const closing = (name: string, fails: boolean) =>
    class {
      readonly close = async (): Promise<void> => {
        order.push(name);
        await Promise.resolve();
        if (fails) throw new Error(`${name} is stuck`);
      };
    };
  for (const [name, fails] of [
    ["first", true],
    ["second", false],
    ["third", true],
  ] as const) {
    scope.make(closing(name, fails));
  }
  const failures = await scope.close();
  assert.deepEqual(order, ["third", "second", "first"]);
  assert.deepEqual(
    failures.map(({ cause }) => (cause as Error).message),
    ["third is stuck", "first is stuck"],
  );
});

test("a parameter without a token is refused when the class is decorated, and is never silently undefined", () => {
  assert.throws(() => {
    injectable()(
      class Holed {
        readonly name: string;
        constructor(name: string) {
          this.name = name;
        }
      },
    );
  }, /Holed: parameter 1 has no token/);
});

test("a second binding of a token, a cycle of services and the use of a closed scope are refused by name", async () => {
  const scope = new Scope("skill");
  scope.value(NAME, "Ada");
  assert.throws(() => scope.value(NAME, "Eve"), /"name" is bound twice in skill/);

  const A = token<unknown>("a");
  const B = token<unknown>("b");
  class NeedsB {
    static readonly inject = [B];
    constructor(readonly b: unknown) {}
  }
  class NeedsA {
    static readonly inject = [A];
    constructor(readonly a: unknown) {}
  }
  scope.single(A, NeedsB);
  scope.single(B, NeedsA);
  assert.throws(() => scope.get(A), /"a" of skill needs itself/);

  await scope.close();
  assert.throws(() => scope.make(NeedsA), /closed/);
});

test("a token whose type does not fit the parameter is a compile error", () => {
  const AGE = token<number>("age");
  class Wrong {
    // @ts-expect-error: the token is of type number, the parameter of type string
    constructor(@inject(AGE) readonly name: string) {}
  }
  class Wider {
    constructor(@inject(AGE) readonly age: number | undefined) {}
  }
  const scope = new Scope("skill");
  scope.value(AGE, 36);
  assert.equal(scope.make(Wider).age, 36);
  assert.equal(Wrong.name, "Wrong");
});
