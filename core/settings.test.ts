import assert from "node:assert/strict";
import { test } from "node:test";
import { Schemas, type JsonSchema } from "./schema/schemas.ts";
import { settingsOf } from "./settings.ts";
import { fixtureSkill } from "./testing/fixture-skills.ts";

const CONFIG: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["language"],
  properties: {
    language: { type: "string", default: "en" },
    retries: { type: "integer", minimum: 0, default: 0 },
    loud: { type: "boolean", default: false },
    note: { type: ["string", "null"], default: null },
    nickname: { type: "string" },
    "a/b": { type: "integer" },
  },
};
const schemas = new Schemas({ read: async (name) => (name === "greeting/config" ? CONFIG : undefined) });
const greeting = fixtureSkill("greeting", { config: "greeting/config" });
const DEFAULTS = { language: "en", retries: 0, loud: false, note: null };

test("without settings a skill gets the defaults of its schema, also zero, false and null", async () => {
  assert.deepEqual(await settingsOf(greeting, undefined, schemas), DEFAULTS);
  assert.deepEqual(await settingsOf(greeting, {}, schemas), DEFAULTS);
});

test("given settings override the defaults and are not modified", async () => {
  const given = Object.freeze({ language: "fr", nickname: "Ada" });
  assert.deepEqual(await settingsOf(greeting, given, schemas), {
    ...DEFAULTS,
    language: "fr",
    nickname: "Ada",
  });
  assert.deepEqual(given, { language: "fr", nickname: "Ada" });
});

test("invalid settings are refused with their place in skillctl.json", async () => {
  const refused: readonly (readonly [unknown, string, string])[] = [
    [{ retries: -1 }, "/config/greeting/retries", "/retries must be at least 0."],
    [{ retries: "1" }, "/config/greeting/retries", "/retries must be an integer."],
    [
      { volume: 3 },
      "/config/greeting/volume",
      "/volume is not a known property; known: language, retries, loud, note, nickname, a/b.",
    ],
    [{ "a/b": "x" }, "/config/greeting/a~1b", "/a~1b must be an integer."],
    [
      JSON.parse('{"__proto__": {"loud": true}}'),
      "/config/greeting/__proto__",
      "/__proto__ is not a known property; known: language, retries, loud, note, nickname, a/b.",
    ],
  ];
  for (const [given, pointer, sentence] of refused) {
    await assert.rejects(settingsOf(greeting, given, schemas), {
      code: "CONFIG_INVALID",
      pointer,
      message: `Settings of greeting in skillctl.json: ${sentence}`,
      hint: "Run `skillctl info greeting` to see its settings.",
    });
  }
});

test("settings that are not an object are refused, and not treated as empty or as an object of characters", async () => {
  for (const given of [null, "loud", 3, true, ["loud"]]) {
    await assert.rejects(settingsOf(greeting, given, schemas), {
      code: "CONFIG_INVALID",
      pointer: "/config/greeting",
      message: "Settings of greeting in skillctl.json must be an object.",
    });
  }
});

test("a skill that takes no settings gets an empty object, and settings for it are refused", async () => {
  const plain = fixtureSkill("plain");
  assert.deepEqual(await settingsOf(plain, undefined, schemas), {});
  await assert.rejects(settingsOf(plain, {}, schemas), {
    code: "CONFIG_INVALID",
    pointer: "/config/plain",
    message: "There are settings for plain in skillctl.json, but it takes none.",
  });
});
