/** Shared state while processes, connections, the server and its disk fail: no update is lost or doubled, no name is held twice. */
import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { systemClock } from "./clock.ts";
import { Database } from "./database.ts";
import { databaseState } from "./database-state.ts";
import { folderFor } from "./fixture-folder.ts";
import { noPostgres, startCluster, type Cluster } from "./fixture-postgres.ts";
import { AN_HOUR_MS } from "./fixture-store-contract.ts";

const NAME = { collection: "faults", id: "all" };
const WRITERS = 8;
/** The number of writers that are killed. */
const KILLS = Number(process.env["TEST_KILLS"] ?? 12);
const HOST = fileURLToPath(new URL("../../dist/host.js", import.meta.url));

/** Counts its updates in the document, and notes when it holds the name, until its input ends. */
const SCRIPT = `
import { appendFileSync } from "node:fs";
import { nodePorts } from ${JSON.stringify(HOST)};
const [, me, journal] = process.argv;
const { state, claims } = nodePorts();
let isOver = false;
process.stdin.on("end", () => (isOver = true)).resume();
process.stdout.write("ready\\n");
while (!isOver) {
  try {
    await state.update(${JSON.stringify(NAME)}, ${AN_HOUR_MS}, (now = { total: 0, of: {} }) => ({
      total: now.total + 1,
      of: { ...now.of, [me]: (now.of[me] ?? 0) + 1 },
    }));
    process.stdout.write("done\\n");
    const claim = await claims.claim("one");
    if (!claim) continue;
    appendFileSync(journal, "in " + me + "\\n");
    await new Promise((resolve) => setTimeout(resolve, 2));
    appendFileSync(journal, "out " + me + "\\n");
    await claim.release();
  } catch (caught) {
    process.stdout.write("failed " + caught.code + " " + caught.message + "\\n");
  }
}
process.exit(0);
`;

interface WriterProcess {
  readonly name: string;
  readonly process: ChildProcess;
  readonly lines: () => readonly string[];
  readonly ready: Promise<unknown>;
  readonly closed: Promise<unknown>;
}

function writer(name: string, journal: string, address: string): WriterProcess {
  const child = spawn(process.execPath, ["--input-type=module", "-e", SCRIPT, name, journal], {
    env: { PATH: process.env["PATH"], SKILLCTL_STATE: address },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  return {
    name,
    process: child,
    lines: () => out.split("\n").slice(0, -1),
    ready: once(child.stdout, "data"),
    closed: once(child, "close"),
  };
}

const pauseMs = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe("shared state under faults", { skip: noPostgres }, () => {
  test("no update is lost with 8 processes, random kills, connections cut within a statement and server restarts", async (t) => {
    const cluster = await startCluster();
    t.after(cluster.close);
    const journal = folderFor(t).file("journal");
    writeFileSync(journal, "");
    const all: WriterProcess[] = [];
    const killed = new Set<string>();
    const begin = (): WriterProcess => {
      const made = writer(`w${all.length}`, journal, cluster.address);
      all.push(made);
      return made;
    };
    const running = Array.from({ length: WRITERS }, begin);
    await Promise.all(running.map(({ ready }) => ready));
    const disturb: Readonly<Record<number, () => Promise<unknown>>> = {
      [Math.floor(KILLS / 3)]: () => restarted(cluster, "SIGINT"),
      [Math.floor((2 * KILLS) / 3)]: () => restarted(cluster, "SIGQUIT"),
    };
    for (let kill = 0; kill < KILLS; kill += 1) {
      await disturb[kill]?.();
      await cluster.ask(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'tester' AND state = 'active'",
      );
      const index = Math.floor(Math.random() * WRITERS);
      const victim = running[index] as WriterProcess;
      await victim.ready;
      await pauseMs(Math.random() * 100);
      killed.add(victim.name);
      victim.process.kill("SIGKILL");
      await victim.closed;
      running[index] = begin();
    }
    await Promise.all(running.map(({ ready }) => ready));
    await pauseMs(300);
    for (const { process: child } of running) child.stdin?.end();
    await Promise.all(all.map(({ closed }) => closed));

    const last = await databaseState(new Database(cluster.address), systemClock).read(NAME);
    const { total, of } = last as { readonly total: number; readonly of: Readonly<Record<string, number>> };
    const faults = all.flatMap(({ name, lines }) => {
      const told = lines().filter((line) => line === "done").length;
      const extra = (of[name] ?? 0) - told;
      // A process that begins while the server restarts is refused: it has never reached the server.
      const failures = lines()
        .slice(told === 0 ? Infinity : lines().indexOf("done"))
        .filter((line) => line.startsWith("failed"))
        .map((line) => `${name} after its first update: ${line}`);
      const isRight = extra === 0 || (extra === 1 && killed.has(name));
      return [...failures, ...(isRight ? [] : [`${name}: ${told} acknowledged, ${of[name] ?? 0} stored`])];
    });
    assert.deepEqual([...faults, ...heldTwice(readFileSync(journal, "utf8"), killed)], []);
    assert.equal(
      total,
      Object.values(of).reduce((sum, count) => sum + count, 0),
    );
    t.diagnostic(
      `${total} updates, ${KILLS} kills, ${/in/g[Symbol.match](readFileSync(journal, "utf8"))?.length} times held`,
    );
  });

  test("with a full disk updates are refused and not stored, reading works, and updates succeed once there is room", async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "skillctl-disk-"));
    const disk = smallDisk(join(folder, "disk"));
    const cluster = disk && (await startCluster());
    t.after(async () => {
      await cluster?.close();
      if (disk) spawnSync("umount", ["--lazy", join(folder, "disk")]);
      rmSync(folder, { recursive: true, force: true });
    });
    if (disk === undefined || cluster === undefined)
      return t.skip("needs root and mounts, which are missing here");
    chmodSync(folder, 0o711);
    await cluster.ask(`CREATE TABLESPACE small LOCATION '${disk.place}'`);
    await cluster.ask("CREATE DATABASE tight OWNER tester TABLESPACE small");
    const state = databaseState(new Database(cluster.address.replace(/shared$/, "tight")), systemClock);
    const id = (number: number) => ({ collection: "faults", id: String(number) });
    const text = (): string => randomBytes(100_000).toString("base64");
    const stored = new Map<number, string>();
    /** The error of an update; undefined if it was stored. */
    const refusal = async (
      number: number,
    ): Promise<{ readonly code?: string; readonly message: string } | undefined> => {
      const value = text();
      try {
        await state.update(id(number), AN_HOUR_MS, () => value);
        stored.set(number, value);
        return undefined;
      } catch (caught) {
        return caught as Error;
      }
    };
    let number = 0;
    let refused = await refusal(number);
    while (refused === undefined && number < 400) refused = await refusal((number += 1));
    assert.equal(refused?.code, "STORAGE_FULL", refused?.message);
    assert.match(refused?.message ?? "", /tight has no space left; nothing was written \(53100\)\.$/);
    assert.equal(await state.read(id(number)), undefined);
    for (const [at, value] of stored) assert.equal((await state.read(id(at))) === value, true);
    rmSync(disk.ballast);
    assert.equal(
      await state.update(id(number), AN_HOUR_MS, () => "x".repeat(100_000)).then(() => "stored"),
      "stored",
    );
  });
});

async function restarted(cluster: Cluster, signal: "SIGINT" | "SIGQUIT"): Promise<void> {
  await cluster.stop(signal);
  await cluster.start();
}

/** The faults in a list of `in NAME` and `out NAME`. A killed holder may leave without an `out` line. */
function heldTwice(journal: string, killed: ReadonlySet<string>): readonly string[] {
  let holder: string | undefined;
  const gone = new Set<string>();
  return journal
    .split("\n")
    .slice(0, -1)
    .flatMap((line) => {
      const [way, name = ""] = line.split(" ");
      const before = holder;
      holder = way === "in" ? name : undefined;
      if (way === "out") return before === name ? [] : [`${name} held the name together with ${before}`];
      if (gone.has(name)) return [`${name} came back`];
      if (before === undefined) return [];
      gone.add(before);
      return killed.has(before) ? [] : [`${name} got the name of ${before}`];
    });
}

/** A small disk in memory with some ballast, for the account of the server; undefined where mounting is not allowed. */
function smallDisk(folder: string): { readonly place: string; readonly ballast: string } | undefined {
  mkdirSync(folder);
  const words = ["-t", "tmpfs", "-o", "size=20m,mode=0711", "none", folder];
  if (process.getuid?.() !== 0 || spawnSync("mount", words).status !== 0) return undefined;
  const place = join(folder, "space");
  mkdirSync(place, { mode: 0o700 });
  chownSync(place, 65_534, 65_534);
  const ballast = join(folder, "ballast");
  writeFileSync(ballast, Buffer.alloc(4 * 1024 * 1024));
  return { place, ballast };
}
