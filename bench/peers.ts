import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startCollector, type Collector } from "./collector.ts";
import { SESSION } from "./event-body.ts";
import type { Place } from "./whole-process.ts";

/** A folder with one folder for each server of peers.json, named as there. They are no part of this repository. */
const FOLDER = process.env["SKILLCTL_BENCH_PEERS"];
const START_PATIENCE_MS = 10_000;
const LOOK_MS = 20;

/** Facts about a public server; `{port}`, `{folder}` and `{session}` stand for those of the run. */
export interface Peer {
  readonly name: string;
  readonly repository: string;
  /** Empty where there is no repository. */
  readonly commit: string;
  /** What is started, from the peer's folder on. */
  readonly file: string;
  readonly program: "node" | "python3";
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Where events are posted. */
  readonly path: string;
  /** Its log, from the folder of the run on. */
  readonly log: string;
  /** Whether it answers more than one request on a connection. */
  readonly keepAlive: boolean;
  /** What was changed in the copy that is measured. */
  readonly changed?: string;
}

const PEERS = JSON.parse(readFileSync(new URL("peers.json", import.meta.url), "utf8")) as readonly Peer[];

/** Those that are there, and the names of those that are not. */
export const peers: { readonly here: readonly Peer[]; readonly missing: readonly string[] } = {
  here: PEERS.filter(isHere),
  missing: PEERS.filter((peer) => !isHere(peer)).map(({ name }) => name),
};

/** Starts a peer in a new folder of the name, and waits until it takes connections. None makes an event last. */
export async function peerCollector(place: Place, name: string, peer: Peer): Promise<Collector> {
  const folder = join(place.folder, name);
  mkdirSync(folder);
  const port = await freePort();
  const filled = (text: string): string =>
    text.replaceAll("{port}", String(port)).replaceAll("{folder}", folder).replaceAll("{session}", SESSION);
  return startCollector({
    label: `${peer.name}, not durable`,
    words: [interpreter(peer), join(FOLDER ?? "", peer.name, peer.file), ...peer.words.map(filled)],
    environment: Object.fromEntries(
      Object.entries(peer.environment).map(([name, text]) => [name, filled(text)]),
    ),
    place: { ...place, folder },
    signal: "SIGKILL",
    isQuiet: true,
    ready: async () => {
      await listening(port);
      return { url: `http://127.0.0.1:${port}${filled(peer.path)}`, log: join(folder, filled(peer.log)) };
    },
  });
}

function isHere({ name, file }: Peer): boolean {
  return FOLDER !== undefined && existsSync(join(FOLDER, name, file));
}

/** The interpreter itself: the name on the path may be a script that needs variables of its own. */
function interpreter({ program }: Peer): string {
  if (program === "node") return process.execPath;
  const words = ["-c", "import sys; print(sys.executable)"];
  const { stdout, error } = spawnSync(program, words, { encoding: "utf8" });
  if (error) throw error;
  return stdout.trim();
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listening(port: number): Promise<void> {
  for (let waited = 0; waited < START_PATIENCE_MS; waited += LOOK_MS) {
    if (await isOpen(port)) return;
    await sleep(LOOK_MS);
  }
  throw new Error(`Nothing listens on port ${port}.`);
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("close", () => resolve(false)).once("connect", () => socket.destroy());
  });
}
