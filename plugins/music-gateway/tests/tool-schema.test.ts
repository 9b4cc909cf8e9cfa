/** The tool `query` as a real client of each revision of the protocol lists it: measures and splits that the files hold. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import query from "../../../schemas/music-gateway/query.json" with { type: "json" };
import { temporaryFolder } from "../../../core/surfaces/cli/fixture-command-line.ts";
import { ERAS, connect, type OpenClient } from "../../../core/surfaces/mcp/tests/mcp-harness.ts";
import { say } from "./serving.ts";

interface Enums {
  readonly $defs: { readonly measure: { readonly enum: readonly string[] } };
  readonly properties: Readonly<Record<"split" | "order", { readonly enum: readonly string[] }>>;
}

async function listed({ client }: OpenClient) {
  const { tools } = await client.listTools();
  const tool = tools.find(({ name }) => name === "music-gateway_query");
  assert.ok(tool);
  const { $defs, properties } = tool.inputSchema as unknown as Enums;
  return { measures: $defs.measure.enum, splits: properties.split.enum, orders: properties.order.enum };
}

for (const era of ERAS)
  test(`the tool query lists what the imported files hold, also after an import by another process (${era})`, async (context) => {
    const { path: folder, close } = await temporaryFolder();
    context.after(close);
    const songs = "song,listeners,streams,saves,release_date\nAlpha,10,100,5,2024-03-15\n";
    await writeFile(join(folder, "Me-songs-28day.csv"), songs);
    await using opened = await connect({ era, folder });
    const sample = await listed(opened);
    assert.ok(["income", "followers", "views"].every((name) => sample.measures.includes(name)));
    const imported = await say(["run", "music-gateway", "import", "Me-songs-28day.csv"], { home: folder });
    assert.equal(imported.status, 0, imported.err);
    assert.deepEqual(await listed(opened), {
      measures: ["plays", "listeners", "saves", "save_rate", "plays_per_listener", "saves_per_listener"],
      splits: ["song", "store"],
      orders: sample.orders,
    });
    const other = await opened.client.callTool({
      name: "music-gateway_query",
      arguments: { measures: ["income"] },
    });
    assert.match(JSON.stringify(other.structuredContent), /no figures for “Income”[^"]*They hold: Plays/);
  });

test("the tool query lists all its measures if the library cannot be read", async (context) => {
  const { path: folder, close } = await temporaryFolder();
  context.after(close);
  await mkdir(join(folder, "state", "music-gateway"), { recursive: true });
  await writeFile(join(folder, "state", "music-gateway", "library.json"), "{");
  await using opened = await connect({ folder });
  assert.deepEqual((await listed(opened)).measures, query.$defs.measure.enum);
  await opened.said(/music-gateway_query is listed with all its values: .*library\.json.* cannot be read/);
});

test("the tool query lists the measures that the sample has figures of", async (context) => {
  const { path: folder, close } = await temporaryFolder();
  context.after(close);
  await using opened = await connect({ folder });
  const { measures } = await listed(opened);
  for (const name of query.$defs.measure.enum) {
    const asked = { name: "music-gateway_query", arguments: { measures: [name] } };
    const { structuredContent } = await opened.client.callTool(asked);
    assert.equal(!/no figures for/.test(JSON.stringify(structuredContent)), measures.includes(name), name);
  }
});
