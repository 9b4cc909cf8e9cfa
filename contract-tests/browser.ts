import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";

const CHROMIUM = "/usr/bin/chromium";
const FLAGS =
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync";

/** The reason to skip browser tests; false if the browser is installed. */
export const CHROMIUM_MISSING = !existsSync(CHROMIUM) && `needs ${CHROMIUM}, which is not installed`;

/** A browser that resolves every name under `example` to this machine. */
export interface Chromium {
  readonly browser: Browser;
  /** Ends it and removes what it has written. */
  readonly close: () => Promise<void>;
}

/** @param more further arguments of its command line */
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

/** Presses Tab until an element has the focus. */
export async function tabTo(page: Page, selector: string): Promise<void> {
  for (let steps = 0; steps < 60; steps += 1) {
    if (await page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)})`)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The Tab key does not reach ${selector}.`);
}
