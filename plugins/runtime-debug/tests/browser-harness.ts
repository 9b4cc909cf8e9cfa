import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";

const CHROMIUM = "/usr/bin/chromium";
const FLAGS =
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

/** Why tests of a browser are skipped; false when it is there. */
export const CHROMIUM_MISSING = !existsSync(CHROMIUM) && `needs ${CHROMIUM}, which this machine has not`;

/** What makes every attempt of browser-page.js possible in a page. */
export const PAGE_SCRIPT = readFileSync(new URL("browser-page.js", import.meta.url), "utf8");

/** A page that can make them by itself. */
export const PAGE = `<!doctype html><meta charset="utf-8"><title>A page</title><body><script>${PAGE_SCRIPT}</script>`;

/** A browser for which every name under `example` is this machine. */
export interface Chromium {
  readonly browser: Browser;
  /** Ends it and removes what it has written. */
  readonly close: () => Promise<void>;
}

/** @param more further words for its command line */
export async function chromium(...more: readonly string[]): Promise<Chromium> {
  const { chromium } = await import("playwright-core");
  const home = await mkdtemp(join(tmpdir(), "skillctl-browser-"));
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: [...FLAGS.split(" "), "--host-resolver-rules=MAP *.example 127.0.0.1", ...more],
    env: { PATH: process.env["PATH"] ?? "", HOME: home },
  });
  const close = async (): Promise<void> => {
    await browser.close();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  return { browser, close };
}

/** A server in this process. */
export interface Open {
  readonly port: number;
  readonly close: () => Promise<void>;
}

export async function listening(listener: RequestListener): Promise<Open> {
  const server: Server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/**
 * Serves the page under whatever name it is asked by. `/redirect?to=URL` sends a request on with its method and body,
 * `/reporting?to=URL` is a page that makes the browser report a violation there.
 */
export function pages(): Promise<Open> {
  return listening((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://pages.example");
    const to = searchParams.get("to") ?? "";
    const type = { "content-type": "text/html; charset=utf-8" };
    if (pathname === "/redirect") {
      response.writeHead(307, { location: to }).end();
    } else if (pathname === "/reporting") {
      const policy = { "content-security-policy": `img-src 'none'; report-uri ${to}` };
      response.writeHead(200, { ...type, ...policy }).end('<!doctype html><img src="/picture">');
    } else response.writeHead(200, type).end(PAGE);
  });
}
