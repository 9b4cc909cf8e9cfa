/** The semantic model fits its schema, and the schema of a query names what the model has. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createAjv } from "../../../core/schema/ajv.ts";
import modelSchema from "../../../schemas/music-gateway/model.json" with { type: "json" };
import query from "../../../schemas/music-gateway/query.json" with { type: "json" };
import wording from "../answer/wording.json" with { type: "json" };
import model from "../model.json" with { type: "json" };
import type { AnswerOutput } from "../contract.ts";
import { own } from "./doors-harness.ts";

test("the model fits its schema", () => {
  const fits = createAjv().compile(modelSchema);
  assert.ok(fits(model), JSON.stringify(fits.errors));
});

test("a query can ask for every measure and dimension of the model, and for no other measure", () => {
  assert.deepEqual(query.$defs.measure.enum.toSorted(), Object.keys(model.measures).toSorted());
  const dimensions = Object.values(model.tables).flatMap((table) => Object.keys(table.dimensions));
  for (const dimension of dimensions) assert.ok(query.properties.split.enum.includes(dimension), dimension);
});

test("a measure without figures is refused with the measures that the files hold", async (t) => {
  const { run, ask } = await own(t);
  const { refusals, tables } = await run<AnswerOutput>("music-gateway", "query", { measures: ["shazams"] });
  assert.deepEqual(tables, []);
  assert.deepEqual(refusals, [
    "The files hold no figures for “Shazams”. They hold: Plays, Listeners, Monthly listeners, Followers, Followers gained, Units, Income, Refunds, Refunded units, Income per play, Income per 1,000 plays, Plays per listener.",
  ]);
  assert.match(await ask("Shazam识曲次数"), /没有“Shazam 识曲次数”的数据。现有的数据：播放量、/);
});

test("every measure is understood by the name that answers print, in both languages", async (t) => {
  const { ask } = await own(t);
  for (const measure of Object.keys(model.measures))
    for (const name of Object.values(wording[`measure-${measure}` as keyof typeof wording]))
      assert.doesNotMatch(await ask(name), /没有理解|not understood|I do not understand/i, name);
});
