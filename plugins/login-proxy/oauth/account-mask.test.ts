import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { maskedAccount } from "./account-mask.ts";

describe("an account that is shown", () => {
  const shown: readonly (readonly [Readonly<Record<string, unknown>>, string | undefined])[] = [
    [{ sub: "12345678", email: "ada@example.org" }, "a***rg"],
    [{ sub: "12345678", phone_number: "+86 138 0000 1234" }, "+***34"],
    [{ sub: "12345678", preferred_username: "王小明的歌" }, "王***"],
    [{ sub: "12345678", name: "Ada" }, "***"],
    [{ sub: "12345678", email: "", name: 7 }, "1***78"],
    [{ sub: "a\u001B[31mbcdefg" }, "a***fg"],
    [{}, undefined],
  ];
  test("is masked", () => {
    for (const [claims, masked] of shown) {
      assert.equal(maskedAccount(claims), masked, JSON.stringify(claims));
    }
  });

  test("never holds a name, and at most three characters of one", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (sub) => {
        const masked = maskedAccount({ sub }) ?? "";
        assert.ok([...masked.replace("***", "")].length <= 3);
        assert.notEqual(masked.replace("***", ""), sub);
      }),
    );
  });
});
