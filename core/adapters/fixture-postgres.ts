import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

const INSTALLED = "/usr/lib/postgresql";
const VERSIONS = existsSync(INSTALLED) ? readdirSync(INSTALLED) : [];
/** TEST_POSTGRES names the folder with the programs of another version. */
const BIN =
  process.env["TEST_POSTGRES"] ??
  VERSIONS.map((version) => join(INSTALLED, version, "bin")).findLast((bin) =>
    existsSync(join(bin, "initdb")),
  );

/** For tests: the reason to skip a test that needs a PostgreSQL server. */
export const noPostgres: string | false = BIN === undefined && "needs postgresql, which is not installed";

/** For tests: another account, since PostgreSQL refuses to run as root. */
const ACCOUNT = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const PASSWORD = "s3cret words";

/** For tests: a private PostgreSQL server. */
export interface Cluster {
  readonly folder: string;
  readonly port: number;
  /** For the owner of the database, without the rights of a superuser. */
  readonly address: string;
  /** Runs statements as the superuser. */
  readonly ask: (text: string, database?: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  readonly stop: (signal?: "SIGINT" | "SIGQUIT") => Promise<void>;
  readonly start: () => Promise<void>;
  readonly process: () => ChildProcess;
  readonly close: () => Promise<void>;
}

/** For tests: starts a server in a separate folder. `settings` are lines of postgresql.conf. */
export async function startCluster(settings: readonly string[] = []): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "skillctl-postgres-"));
  const data = join(folder, "data");
  const secret = join(folder, "password");
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(secret, PASSWORD);
  if (ACCOUNT.uid !== undefined)
    for (const path of [folder, data, secret]) chownSync(path, ACCOUNT.uid, ACCOUNT.gid);
  const options = { cwd: folder, env: { PATH: process.env["PATH"], LC_ALL: "C.UTF-8" }, ...ACCOUNT } as const;
  const words = [
    "-D",
    data,
    "-U",
    "admin",
    "--pwfile",
    secret,
    "--auth=scram-sha-256",
    "-E",
    "UTF8",
    "--no-sync",
  ];
  const made = spawnSync(join(BIN as string, "initdb"), words, { ...options, encoding: "utf8" });
  if (made.status !== 0) throw new Error(made.stderr || String(made.error));
  const port = await freePort();
  const lines = [
    "fsync = off",
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = ''",
    ...settings,
  ];
  const given = [...lines, `port = ${port}`].flatMap((line) => [
    "-c",
    line.replace(" = ", "=").replaceAll("'", ""),
  ]);
  let child: ChildProcess;
  const urlOf = (user: string, database: string): string =>
    `postgres://${user}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/${database}`;
  const ask: Cluster["ask"] = async (text, database = "postgres") => {
    const client = new pg.Client({ connectionString: urlOf("admin", database) });
    await client.connect();
    try {
      return ((await client.query(text)) as { readonly rows: readonly Readonly<Record<string, unknown>>[] })
        .rows;
    } finally {
      await client.end();
    }
  };
  const start = async (): Promise<void> => {
    child = spawn(join(BIN as string, "postgres"), ["-D", data, ...given], {
      ...options,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let log = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (log = (log + text).slice(-10_000)));
    for (;;) {
      if (child.exitCode !== null) throw new Error(log);
      if (
        await ask("SELECT 1").then(
          () => true,
          () => false,
        )
      )
        return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const stop: Cluster["stop"] = async (signal = "SIGINT") => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  await start();
  await ask(`CREATE ROLE tester LOGIN PASSWORD '${PASSWORD}'`);
  await ask("CREATE DATABASE shared OWNER tester");
  return {
    folder,
    port,
    address: urlOf("tester", "shared"),
    ask,
    stop,
    start,
    process: () => child,
    close: async () => {
      await stop("SIGQUIT");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  server.close();
  await once(server, "close");
  return port;
}
