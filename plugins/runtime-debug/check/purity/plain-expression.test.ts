import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Language } from "../../probes/languages.ts";
import { isPlain } from "./plain-expression.ts";

const PLAIN: readonly (readonly [Language, string])[] = [
  ["javascript", "a"],
  ["javascript", "a.b?.c[0]['d'].e"],
  ["javascript", "this.total * 2 + (a - b) / c"],
  ["javascript", "!a && b.length >= 3 || c === 'x y'"],
  ["javascript", "a ? b : c ?? null"],
  ["javascript", "typeof a"],
  ["python", "a is not None and b in c"],
  ["python", "x.items[-1].name"],
  ["go", "*p.q"],
  ["c", "p->q[i].r"],
  ["php", "$x->y['z'] . 'a'"],
  ["php", "$$x"],
  ["perl", "$x->{items}[0]{name}"],
  ["ruby", "@cart.total"],
  ["lua", "#items"],
  ["shell", "${name}"],
  ["powershell", "$x.Count -gt 3"],
];
const NOT_PLAIN: readonly (readonly [Language, string])[] = [
  ["javascript", ""],
  ["javascript", "a()"],
  ["javascript", "a.b(1)"],
  ["javascript", "a = 1"],
  ["javascript", "a += 1"],
  ["javascript", "a++"],
  ["javascript", "--a"],
  ["javascript", "delete a.b"],
  ["javascript", "await a"],
  ["javascript", "new A"],
  ["javascript", "`${a}`"],
  ["javascript", "a, b"],
  ["javascript", "a) + (b"],
  ["javascript", "a; b"],
  ["javascript", "(a"],
  ["javascript", "a b"],
  ["javascript", "a // b"],
  ["javascript", "a /* b */"],
  ["javascript", "a\n+b\\"],
  ["javascript", "f`x`"],
  ["javascript", "() => a"],
  ["typescript", "save<string>(a)"],
  ["python", "f'{a}'f"],
  ["python", "(n := 1)"],
  ["python", "a # b"],
  ["ruby", "cart.destroy"],
  ["ruby", "cart.save!"],
  ["ruby", "destroy cart"],
  ["ruby", "list << 1"],
  ["perl", "$x->save"],
  ["lua", 'save "x"'],
  ["lua", "save{1}"],
  ["go", "<-ch"],
  ["shell", "$(rm x)"],
  ["javascript", "$x -eq 3"],
  ["swift", '"\\(save())"'],
  ["kotlin", '"${save()}"'],
];

describe("what is plain in an expression", () => {
  test("only reads", () => {
    for (const [language, expression] of PLAIN) {
      assert.equal(isPlain(language, expression), true, `${language}: ${expression}`);
    }
  });
  test("is nothing that may do more", () => {
    for (const [language, expression] of NOT_PLAIN) {
      assert.equal(isPlain(language, expression), false, `${language}: ${JSON.stringify(expression)}`);
    }
  });
});
