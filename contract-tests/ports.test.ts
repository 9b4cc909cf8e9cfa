/** Third-party skills that lend each other their own ports, of which the core knows only what manifests say. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "tsup";
import { linkPackage } from "../core/adapters/link-package.ts";
import { runCli, writeSkill, type Shown, ownFolder } from "../core/surfaces/cli/fixture-command-line.ts";
import { ROOT } from "./harness.ts";

const MOON = `import { port } from "skillctl";
const MOONS = port("moons");
class Moons { phase(night) { return night % 2 ? "spring" : "neap"; } }
class Greet {
  static inject = [MOONS];
  constructor(moons) { this.moons = moons; }
  async run({ name }) { return { text: this.moons.phase(name.length) }; }
}
export default { wire: ({ single }) => single(MOONS, Moons), commands: { greet: Greet } };
`;
const HARBOUR = `import { port } from "skillctl";
class Greet {
  static inject = [port("tides")];
  constructor(tides) { this.tides = tides; }
  async run({ name }) { return { text: this.tides.at(name) }; }
}
export default { commands: { greet: Greet } };
`;
const OPEN_HARBOUR = `import { optional, port } from "skillctl";
class Greet {
  static inject = [optional(port("tides"))];
  constructor(tides) { this.tides = tides; }
  async run({ name }) { return { text: (await this.tides?.())?.at(name) ?? "no tides" }; }
}
export default { commands: { greet: Greet } };
`;
const TIDES = { provides: ["tides"], requires: { moons: "required" } };

interface Lenders {
  /** Runs skillctl with these skills, named by their folders. */
  readonly say: (skills: readonly string[], ...words: readonly string[]) => Promise<Shown>;
}

/** `moon` and `harbour` are plain JavaScript; `tides`, between them, is compiled TypeScript. */
async function lenders(t: TestContext, harbour: "required" | "optional" = "required"): Promise<Lenders> {
  const path = await ownFolder(t);
  await linkPackage(path);
  await writeSkill(path, "moon", { manifest: { provides: ["moons"] }, code: MOON });
  const code = harbour === "required" ? HARBOUR : OPEN_HARBOUR;
  await writeSkill(path, "harbour", { manifest: { requires: { tides: harbour } }, code });
  const folder = await writeSkill(path, "tides", { manifest: TIDES, code: undefined });
  await build({
    entry: { plugin: fileURLToPath(import.meta.resolve("./tides/plugin.ts")) },
    outDir: folder,
    format: "esm",
    tsconfig: join(ROOT, "tsconfig.json"),
    external: ["skillctl"],
    config: false,
    silent: true,
  });
  return {
    say: (skills, ...words) =>
      runCli(path, [...words, ...skills.flatMap((name) => ["--plugin", join(path, name)])], {
        version: "0.1.0",
      }),
  };
}

describe("a port of a third-party skill", () => {
  test("is lent from JavaScript to TypeScript and back, in any order of the skills", async (t) => {
    const { say } = await lenders(t);
    for (const skills of [
      ["moon", "tides", "harbour"],
      ["harbour", "tides", "moon"],
    ]) {
      const shown = await say(skills, "run", "harbour", "Brest");
      assert.deepEqual(shown, { status: 0, out: "spring tide at Brest\n", err: "" });
      assert.equal((await say(skills, "run", "moon", "Kiel")).out, "neap\n");
    }
    const told = await say(["moon", "tides"], "info", "tides");
    assert.match(told.out, /tides +lent\n +moons +borrowed, required/);
    assert.match((await say(["moon", "tides"], "doctor")).out, /^ok .*tides.*moons/m);
  });

  test("is reported by its name if no skill lends it; an optional one is undefined", async (t) => {
    const { say } = await lenders(t);
    const { status, err } = await say(["harbour", "moon"], "run", "harbour", "Brest");
    assert.equal(status, 69);
    assert.match(
      err,
      /^error: harbour needs the port tides, and no hosted skill provides it\.\nhint: Install /,
    );
    assert.match(
      (await say(["harbour"], "doctor")).out,
      /^fail {2}harbour needs tides, and no skill provides it/m,
    );
    const { say: saysOptional } = await lenders(t, "optional");
    assert.equal((await saysOptional(["harbour"], "run", "harbour", "Brest")).out, "no tides\n");
    const all = ["harbour", "tides", "moon"];
    assert.equal((await saysOptional(all, "run", "harbour", "Brest")).out, "spring tide at Brest\n");
  });

  test("in a cycle leaves out the skills in it, with the path of the cycle, and no others", async (t) => {
    const path = await ownFolder(t);
    for (const [name, lends, needs] of [
      ["hen", "eggs", "chicks"],
      ["egg", "chicks", "eggs"],
    ] as const)
      await writeSkill(path, name, { manifest: { provides: [lends], requires: { [needs]: "required" } } });
    await writeSkill(path, "fox", { manifest: {} });
    const { status, err } = await runCli(path, ["run", "hen", "Ada", "--plugin", path], { version: "0.1.0" });
    assert.equal(status, 78);
    assert.match(err, /hen needs itself: hen -> egg -> hen\./);
    assert.equal((await runCli(path, ["run", "fox", "Ada", "--plugin", path])).out, "Hello Ada\n");
    const { out } = await runCli(path, ["validate", path]);
    assert.match(
      out,
      /^\S*egg\/skill\.json#\/requires\/eggs: egg needs itself: egg -> hen -> egg\. \(PORT_CYCLE\)\n/m,
    );
    assert.equal(out.match(/PORT_CYCLE/g)?.length, 1, out);
  });

  test("may have the name of a port of the host, and stays distinct from it", async (t) => {
    const path = await ownFolder(t);
    await linkPackage(path);
    const code = `import { CLOCK, port } from "skillctl";
class Greet {
  static inject = [CLOCK, port("clock")];
  constructor(own, lent) { this.both = [own, lent]; }
  async run() { return { text: typeof this.both[0].now() + " " + this.both[1] }; }
}
export default { wire: ({ value }) => value(port("clock"), "cuckoo"), commands: { greet: Greet } };
`;
    const folder = await writeSkill(path, "wall", { manifest: { provides: ["clock"] }, code });
    assert.equal((await runCli(path, ["run", "wall", "Ada", "--plugin", folder])).out, "number cuckoo\n");
  });
});
