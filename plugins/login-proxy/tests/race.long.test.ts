/** One login for all processes of a user: the built program, a real OAuth server, a service that refuses the old token. */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { PROGRAM, program, sayInProcessOfItsOwn, type Said } from "../../../contract-tests/command-line.ts";
import { loggedIn } from "./device-harness.ts";
import { CLIENT_ID, OAuthProvider } from "./oauth-provider.ts";

const EXPIRED = "expired-token";
const PROCESSES = 32;
const WORDS = ["run", "music-analysis", "我的粉丝年龄分布", "--no-progress"];

/** A service that takes every token but the expired one, and remembers those it took. */
class Service {
  readonly taken: string[] = [];
  refused = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const token = String(request.headers["svc-header-token"]);
      const fresh = token !== EXPIRED;
      if (fresh) this.taken.push(token);
      else this.refused += 1;
      const data = {
        sessionId: "s",
        messageId: "m",
        content: "## 结论",
        finishReason: "COMPLETE",
        safetyRevoked: false,
      };
      const refusal = { code: "UNAUTHORIZED", message: "未登录", data: null };
      response.writeHead(200, { "content-type": "application/json" });
      request
        .resume()
        .on("end", () => response.end(JSON.stringify(fresh ? { code: 0, message: null, data } : refusal)));
    });
  }

  static async start(): Promise<Service> {
    const service = new Service();
    await new Promise<void>((resolve) => service.#server.listen(0, "127.0.0.1", resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** A home in which somebody has logged in a while ago: a refresh token that is good, an access token that is not. */
async function home(provider: OAuthProvider, service: Service) {
  const test = await loggedIn(provider);
  await writeFile(test.file, JSON.stringify({ token: EXPIRED, baseUrl: service.url }));
  const folder = test.environment.home;
  const variables = {
    SVC_BASE_URL: service.url,
    SVC_LOGIN_ISSUER: provider.url,
    SVC_LOGIN_CLIENT_ID: CLIENT_ID,
  };
  return {
    test,
    options: { start: PROGRAM, variables },
    folder,
    ask: (): Promise<Said> => sayInProcessOfItsOwn(WORDS, folder, { start: PROGRAM, variables }),
    cached: async (): Promise<string> =>
      (JSON.parse(await readFile(test.file, "utf8")) as { readonly token: string }).token,
  };
}

describe("many processes with one expired token", { concurrency: true }, () => {
  // The many of the second test would starve the few of the first.
  let isKilled = (): void => undefined;
  const killed = new Promise<void>((resolve) => (isKilled = resolve));

  test("one that is killed in the middle of its refresh does not keep the others from theirs", async () => {
    const provider = await OAuthProvider.start();
    await using service = await Service.start();
    try {
      const { test: place, ask, cached, folder, options } = await home(provider, service);
      await using _ = place;
      const victim = program(WORDS, folder, options);
      const ended = new Promise((resolve) => victim.on("close", resolve));
      let asked = 0;
      await new Promise<void>((resolve) => {
        provider.play(({ form }) => {
          if (form.get("grant_type") !== "refresh_token") return undefined;
          asked += 1;
          if (asked > 1) return undefined;
          resolve();
          return "silence";
        });
      });
      const others = Promise.all([ask(), ask(), ask()]);
      victim.kill("SIGKILL");
      await ended;
      isKilled();
      for (const { status, err } of await others) assert.equal(status, 0, err);
      assert.equal(provider.grants("refresh").length, 2);
      assert.deepEqual([...new Set(service.taken)], [await cached()]);
    } finally {
      isKilled();
      await provider.close();
    }
  });

  test(`${PROCESSES} of them make one refresh, and all get their answer`, async () => {
    await killed;
    const provider = await OAuthProvider.start();
    await using service = await Service.start();
    try {
      const { test: place, ask, cached } = await home(provider, service);
      await using _ = place;
      const said = await Promise.all(Array.from({ length: PROCESSES }, ask));
      for (const { status, out, err } of said) {
        assert.equal(status, 0, err);
        assert.match(out, /^## 结论/);
      }
      assert.equal(provider.grants("refresh").length, 1);
      assert.deepEqual([service.refused > 1, service.taken.length], [true, PROCESSES]);
      assert.deepEqual([...new Set(service.taken)], [await cached()]);
    } finally {
      await provider.close();
    }
  });
});
