/** Shared state in a private PostgreSQL server: the promises of the ports, and each failure with its sentence. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { SkillError } from "../errors/skill-error.ts";
import type { Clock } from "../ports/clock.ts";
import { fixedClock } from "../testing/fixed-clock.ts";
import { Database, SCHEMA } from "./database.ts";
import { databaseClaims } from "./database-claims.ts";
import { databaseState } from "./database-state.ts";
import { noPostgres, startCluster } from "./fixture-postgres.ts";
import {
  AN_HOUR_MS,
  CLAIM_CASES,
  COLLECTION,
  NAME,
  STATE_CASES,
  increment,
  type TestStore,
} from "./fixture-store-contract.ts";
import { systemClock } from "./clock.ts";

const stateAt = (address: string, clock: Clock = systemClock) => databaseState(new Database(address), clock);
const silent = { notice: (): void => undefined };

describe("documents and names in a PostgreSQL database", { skip: noPostgres }, async () => {
  if (noPostgres !== false) return;
  const cluster = await startCluster();
  after(cluster.close);
  const { address, ask } = cluster;
  const store: TestStore = {
    state: (clock) => stateAt(address, clock),
    claims: () => databaseClaims(new Database(address), silent),
    place: address,
  };
  const emptied = async (): Promise<TestStore> => {
    await store.state().read(NAME);
    await ask("DELETE FROM skillctl_documents WHERE collection <> ''", "shared");
    return store;
  };
  const dropped = async (): Promise<TestStore> => {
    await ask("DROP TABLE IF EXISTS skillctl_documents", "shared");
    return store;
  };

  for (const [title, holds] of Object.entries(STATE_CASES)) test(title, () => holds(emptied));
  for (const [title, holds] of Object.entries(CLAIM_CASES)) test(title, () => holds(emptied));

  test("of many processes that start at once one creates the table, and a dropped table is created again", async () => {
    await dropped();
    const all = Array.from({ length: 8 }, () => store.state());
    await Promise.all(all.map((state) => state.update(NAME, AN_HOUR_MS, increment)));
    assert.equal(await all[0]?.read(NAME), 8);
    await dropped();
    assert.equal(await all[0]?.read(NAME), undefined);
    assert.equal(await all[1]?.update(NAME, AN_HOUR_MS, increment), 1);
  });

  test("neither an id nor an expired document can be read in the table", async () => {
    const clock = fixedClock();
    const state = (await emptied()).state(clock);
    const rows = async (): Promise<string> =>
      JSON.stringify(await ask("SELECT * FROM skillctl_documents", "shared"));
    await state.update({ collection: COLLECTION, id: "s3cret id" }, 1_000, () => "s3cret words");
    assert.match(await rows(), /s3cret words/);
    assert.doesNotMatch(await rows(), /s3cret id/);
    clock.advance(AN_HOUR_MS);
    for (let count = 0; count < 2_000 && /s3cret/.test(await rows()); count += 1)
      await state.update(NAME, AN_HOUR_MS, increment);
    assert.doesNotMatch(await rows(), /s3cret/);
  });

  /** The error of a first read. */
  const refusal = async (at: string): Promise<SkillError> => {
    const caught = await stateAt(at)
      .update(NAME, AN_HOUR_MS, increment)
      .then(
        () => assert.fail("it was not refused"),
        (error: unknown) => error,
      );
    assert.ok(caught instanceof SkillError, String(caught));
    // The password, also as it is written in the address.
    assert.doesNotMatch(`${caught.message}${caught.hint}${JSON.stringify(caught)}`, /s3cret/);
    return caught;
  };
  const changed = (change: (url: URL) => void, at = address): string => {
    const url = new URL(at);
    change(url);
    return url.href;
  };

  test("each failure is reported in one sentence with a hint, without the password", async (t) => {
    const mute = createServer().listen(0, "127.0.0.1");
    t.after(() => mute.close());
    await once(mute, "listening");
    const { port } = mute.address() as { readonly port: number };
    await ask("CREATE ROLE stranger LOGIN PASSWORD 's3cret words'");
    await ask("CREATE DATABASE elsewhere");
    await ask("CREATE DATABASE frozen OWNER tester");
    await ask("ALTER DATABASE frozen SET default_transaction_read_only = on");
    const cases: readonly (readonly [string, string, RegExp, RegExp?])[] = [
      [
        changed((url) => (url.port = "1")),
        "STATE_UNAVAILABLE",
        /127\.0\.0\.1:1\/shared cannot be reached \(ECONNREFUSED\)/,
      ],
      [changed((url) => (url.hostname = "host.invalid")), "STATE_UNAVAILABLE", /cannot be reached/],
      [
        changed((url) => (url.password = "s3cret-wrong")),
        "STATE_UNAVAILABLE",
        /refuses the user or the password \(28P01\)/,
      ],
      [
        changed((url) => (url.pathname = "/none")),
        "STATE_UNAVAILABLE",
        /\/none does not exist \(3D000\)/,
        /createdb/,
      ],
      [
        changed((url) => (url.search = "?sslmode=verify-full")),
        "STATE_UNAVAILABLE",
        /offers no TLS/,
        /sslmode=disable/,
      ],
      [changed((url) => (url.pathname = "/frozen")), "STATE_UNAVAILABLE", /is read-only \(25006\)/],
      [
        changed((url) => Object.assign(url, { username: "stranger", pathname: "/elsewhere" })),
        "STATE_UNAVAILABLE",
        /rights on the table skillctl_documents \(42501\)/,
        /docs\/shared-state\.md/,
      ],
      [changed((url) => (url.port = String(port))), "STATE_UNAVAILABLE", /does not answer/],
    ];
    for (const [at, code, message, hint = /./] of cases) {
      const error = await refusal(at);
      assert.equal(error.code, code, error.message);
      assert.match(error.message, message);
      assert.match(error.hint ?? "", hint);
    }
    assert.throws(
      () => new Database("postgres://u:s3cret@host:port/db"),
      (error) => error instanceof SkillError && !/s3cret/.test(error.message),
    );
  });

  test("a table of a later version is not touched", async () => {
    await (await emptied()).state().read(NAME);
    await ask("UPDATE skillctl_documents SET history = '2' WHERE id = 'layout'", "shared");
    const error = await refusal(address);
    assert.match(error.message, /has the layout 2; this version of skillctl supports 1/);
    await dropped();
  });

  test("the rights that the documentation names are sufficient", async () => {
    const page = readFileSync(new URL("../../docs/shared-state.md", import.meta.url), "utf8");
    const [, statements = ""] = /```sql\n([^]*?)```/.exec(page) ?? [];
    for (const text of SCHEMA) assert.ok(statements.includes(text), text);
    await ask("CREATE DATABASE least");
    await ask("CREATE ROLE skillctl LOGIN PASSWORD 's3cret words'");
    await ask(statements, "least");
    const least = changed((url) => Object.assign(url, { username: "skillctl", pathname: "/least" }));
    assert.equal(await stateAt(least).update(NAME, AN_HOUR_MS, increment), 1);
    const claim = await databaseClaims(new Database(least), silent).claim("name");
    assert.ok(claim);
    await claim.release();
  });

  test("TLS verifies the certificate with the authority that the address names", async () => {
    const key = join(cluster.folder, "server.key");
    const certificate = join(cluster.folder, "server.crt");
    const words = [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-keyout",
      key,
      "-out",
      certificate,
      "-days",
      "2",
    ];
    execFileSync("openssl", [...words, "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"], {
      stdio: "ignore",
    });
    execFileSync("chown", ["--reference", cluster.folder, key, certificate]);
    execFileSync("chmod", ["600", key]);
    for (const [name, value] of Object.entries({ ssl_key_file: key, ssl_cert_file: certificate, ssl: "on" }))
      await ask(`ALTER SYSTEM SET ${name} = '${value}'`);
    await ask("SELECT pg_reload_conf()");
    await cluster.stop();
    await cluster.start();
    const strict = changed((url) => url.searchParams.set("sslmode", "verify-full"));
    assert.match((await refusal(strict)).message, /has a certificate that is not accepted/);
    const known = changed((url) => url.searchParams.set("sslrootcert", certificate), strict);
    assert.equal(typeof (await stateAt(known).update(NAME, AN_HOUR_MS, increment)), "number");
  });

  test("a name whose connection breaks is claimed again, and the log reports it if another process was first", async () => {
    const notices: string[] = [];
    const holder = databaseClaims(new Database(address), { notice: (line) => notices.push(line) });
    const other = databaseClaims(new Database(address), silent);
    const cutAll = () =>
      ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'");
    const holding = async (): Promise<number> =>
      (await ask("SELECT pid FROM pg_stat_activity WHERE state = 'idle in transaction'")).length;
    const claim = await holder.claim("mine");
    assert.ok(claim);
    await cutAll();
    while ((await holding()) === 0);
    assert.equal(await other.claim("mine"), undefined);
    assert.deepEqual(notices, []);
    await claim.release();
    const again = await other.claim("mine");
    assert.ok(again);
    await again.release();
  });

  test("a connection that drops before or after a statement of a transaction took effect changes nothing twice", async (t) => {
    let next: { readonly statement: string; readonly arrives: boolean } | undefined;
    const relay = createServer((client) => {
      const server = connect(cluster.port, "127.0.0.1");
      let isLast = false;
      const cut = (): void => [client, server].forEach((socket) => socket.destroy());
      for (const socket of [client, server]) socket.on("error", cut).on("close", cut);
      client.on("data", (bytes: Buffer) => {
        if (next && bytes.includes(next.statement)) {
          isLast = true;
          const { arrives } = next;
          next = undefined;
          if (!arrives) return cut();
        }
        return server.write(bytes);
      });
      server.on("data", (bytes: Buffer) => (isLast ? cut() : client.write(bytes)));
    }).listen(0, "127.0.0.1");
    t.after(() => relay.close());
    await once(relay, "listening");
    const { port } = relay.address() as { readonly port: number };
    const at = changed((url) => (url.port = String(port)));
    for (const [index, statement] of ["CREATE INDEX", "COMMIT", "UPDATE skillctl"].entries())
      for (const arrives of [false, true]) {
        const isUpdate = statement.startsWith("UPDATE");
        if (!isUpdate) await dropped();
        const state = stateAt(at);
        const before = isUpdate ? await state.update(NAME, AN_HOUR_MS, increment) : 0;
        next = { statement, arrives };
        assert.equal(
          await state.update(NAME, AN_HOUR_MS, increment),
          Number(before) + 1,
          `${index} ${arrives}`,
        );
        assert.equal(next, undefined, statement);
        assert.equal(await store.state().read(NAME), Number(before) + 1);
      }
    const claims = databaseClaims(new Database(at), silent);
    for (const arrives of [false, true]) {
      if (!arrives) next = { statement: "FOR UPDATE NOWAIT", arrives };
      const claim = await claims.claim("cut");
      assert.ok(claim);
      assert.equal(await store.claims().claim("cut"), undefined);
      next = { statement: "COMMIT", arrives };
      await claim.release();
      // The server notices the end of the connection a moment later.
      let again = await store.claims().claim("cut");
      while (!again) again = await store.claims().claim("cut");
      await again.release();
    }
  });
});
