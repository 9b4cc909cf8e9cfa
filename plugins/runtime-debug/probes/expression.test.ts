import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Script } from "node:vm";
import fc from "fast-check";
import { templateOf, type Language } from "./languages.ts";
import { expressionFault } from "./expression.ts";

import { effort } from "../../../contract-tests/harness.ts";

const fault = (language: Language, expression: string, allowCall = false): string | undefined => {
  const { reason, hint } = expressionFault(expression, templateOf(language).expressions, allowCall) ?? {};
  return reason && `${reason}; ${hint}`;
};

const TAKEN: readonly (readonly [Language, string])[] = [
  ["javascript", "token.expired"],
  ["javascript", "items.map((x) => x.id)"],
  ["javascript", "a / b / c"],
  ["javascript", "total === 3 && rate !== 2 || n >= 1"],
  ["javascript", 'text === "a; b // c"'],
  ["javascript", "this.#items.length"],
  ["typescript", "(user as Admin).name"],
  ["python", 'd["a b"]'],
  ["python", "len(items) // 2 if False else 1".replace("//", "/")],
  ["ruby", "@items.size / 2"],
  ["ruby", "user.admin? ? 1 : 2"],
  ["perl", "$self->{items}{total}"],
  ["perl", "scalar(@items)"],
  ["php", "$this->items['a']->total"],
  ["go", "len(c.items[1:])"],
  ["rust", "self.items.len()"],
  ["c", "node->next->value"],
  ["lua", "#items"],
  ["shell", "$total"],
  ["shell", "${list[3]}"],
  ["csharp", "order?.Total ?? 0"],
];
/** Only with `--allow-call`. */
const CALLING: readonly (readonly [Language, string])[] = [
  ["javascript", 't0(trust("x", 0))'],
  ["javascript", "items.push(1)"],
  ["typescript", "this.cart?.total()"],
  ["python", "items.pop()"],
  ["python", "max(a, f(b))"],
  ["php", "$this->save()"],
  ["ruby", "items.pop"],
  ["ruby", "user.save(1)"],
  ["perl", "$self->total"],
  ["go", "c.Total()"],
  ["java", "account.withdraw(1)"],
  ["rust", "self.items.pop()"],
  ["c", "read_one(a)"],
  ["lua", "self:total()"],
];
const REFUSED: readonly (readonly [Language, string, RegExp])[] = [
  ["javascript", "", /empty/],
  ["javascript", " a", /space/],
  ["javascript", "a; b", /semicolon/],
  ["javascript", "a, b", /comma/],
  ["javascript", "a) + (b", /not opened/],
  ["javascript", "(a]", /do not match/],
  ["javascript", "(a", /not closed/],
  ["javascript", '"a', /string in it is not closed/],
  ["javascript", "a // b", /comment/],
  ["javascript", "a /* b", /comment/],
  ["javascript", "a\nb", /one line/],
  ["javascript", "a\u2028b", /one line/],
  ["javascript", "a\u202eb", /invisible/],
  ["javascript", "`a`", /backquotes/],
  ["javascript", "a = 1", /changes/],
  ["javascript", "a++", /changes/],
  ["javascript", "--a", /changes/],
  ["javascript", "await a", /waits/],
  ["javascript", "delete a.b", /changes/],
  ["javascript", "() => { f() }", /curly/],
  ["javascript", "/((/,x),evil(/))/", /slash|match|comma/],
  ["javascript", "typeof /((/.test(a)", /slash|closed/],
  ["javascript", 'a.replace(/"/g)', /slash|closed/],
  ["javascript", "@X@", /template/],
  ["javascript", "a".repeat(501), /longer/],
  ["typescript", "a <!-- b", /comment|changes/],
  ["python", "a # b", /comment/],
  ["python", '"""a"""', /three quotes/],
  ["python", "(a := 1)", /changes/],
  ["python", "lambda: 1", /changes/],
  ["python", "a \\", /one line/],
  ["ruby", "a # b", /comment/],
  ["ruby", '"#{exit}"', /holds code/],
  ["ruby", "a << b", /changes/],
  ["ruby", "a.sort!", /exclamation/],
  ["ruby", '%q(")', /string/],
  ["ruby", '?"', /string/],
  ["perl", "q(a)", /strings/],
  ["perl", "do { 1 }", /changes/],
  ["perl", "shift @a", /changes/],
  ["perl", '"@{[ f() ]}"', /holds code/],
  ["php", "$a ?> b", /comment|program/],
  ["php", '"{$a["b"]}"', /code|match|string|comma|holds/],
  ["go", "<-ch", /channel/],
  ["rust", 'r#"a"#', /strings/],
  ["rust", "f()?", /leaves/],
  ["cpp", 'R"(a)"', /strings/],
  ["java", "new A()", /makes/],
  ["kotlin", '"${f()}"', /code/],
  ["kotlin", "a!!", /leaves/],
  ["swift", '"\\(f())"', /code/],
  ["csharp", '$"{a}"', /strings/],
  ["lua", "[[a]]", /strings/],
  ["lua", "a -- b", /changes/],
  ["lua", "...", /rest/],
  ["shell", "$(rm x)", /only a variable/],
  ["shell", '"$a"', /only a variable/],
  ["shell", "${a:=1}", /only a variable/],
  ["powershell", "$a | b", /call/],
  ["shell", "r", /written \$r here; Write \$r/],
  ["perl", "total", /written \$total/],
  ["php", "total", /written \$total/],
  ["powershell", "x", /written \$x/],
  ["python", "debug_d", /name of the probe/],
  ["shell", "$_", /only a variable/],
];

describe("an expression of a probe", () => {
  it("can be whatever is one expression", () => {
    for (const [language, expression] of TAKEN)
      assert.equal(fault(language, expression), undefined, `${language}: ${expression}`);
  });

  it("cannot be anything else", () => {
    for (const [language, expression, why] of REFUSED)
      assert.match(fault(language, expression) ?? "taken", why, `${language}: ${JSON.stringify(expression)}`);
  });

  it("that calls what may change something is refused by its name, and taken when calls are allowed", () => {
    for (const [language, expression] of CALLING) {
      assert.match(
        fault(language, expression) ?? "taken",
        /^it calls \S+, and a call may .*--allow-call/,
        expression,
      );
      assert.equal(fault(language, expression, true), undefined, `${language}: ${expression}`);
    }
  });

  it("in JavaScript stays in its brackets, whatever it is", () => {
    const part = fc.constantFrom(" ", ...`a ( ) [ ] , " ' / \\ + => f( .b 1`.split(" "));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 9 }), (parts) => {
        const expression = parts.join("").trim();
        if (fault("javascript", expression) !== undefined || !compiles(`return (${expression})`)) return;
        assert.ok(compiles(`return [(${expression}),(${expression})].length`), expression);
        assert.ok(compiles(`return (\n${expression}\n)`), expression);
      }),
      { numRuns: effort(500, 9_000) },
    );
  });
});

function compiles(body: string): boolean {
  try {
    const script = new Script(`() => { ${body}\n}`);
    return script instanceof Script;
  } catch {
    return false;
  }
}
