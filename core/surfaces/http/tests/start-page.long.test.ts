/** The start page of a server in Chromium: every command from its form by keys, on a phone; hostile texts, pages and keys. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, describe, test, type TestContext } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { CHROMIUM_MISSING, chromium, listening, tabTo } from "../../../../contract-tests/browser.ts";
import { program, sayInProcessOfItsOwn } from "../../../../contract-tests/command-line.ts";
import type { StartView } from "../../../page/start-view.ts";
import { cafe, KEY, ORDER } from "./page-harness.ts";

const PHONE = { width: 360, height: 640 };
/** The commands that need nothing but their example; the others are refused for the state of the project. */
const DONE = [
  "login-proxy status",
  "music-analysis ask",
  "music-analysis songs",
  "music-gateway files",
  "music-gateway explain",
  "music-gateway query",
  "music-gateway report",
  "runtime-debug start",
  "runtime-debug status",
];

/** The program in its own project, as `skillctl serve` starts it; its address has the key. */
async function served(t: TestContext) {
  const home = await mkdtemp(join(tmpdir(), "skillctl-start-"));
  const root = join(home, "project");
  await mkdir(root);
  await writeFile(join(root, "cart.js"), "console.log(1);\n");
  // The desktop of the machine opens nothing.
  const programs = join(home, "programs");
  await mkdir(programs);
  await writeFile(join(programs, "xdg-open"), "#!/bin/sh\n", { mode: 0o755 });
  const path = [programs, process.env["PATH"]].join(delimiter);
  const variables = { HOME: home, SKILLCTL_STATE: join(home, "state"), PATH: path };
  const say = (...words: readonly string[]) =>
    sayInProcessOfItsOwn(["run", "runtime-debug", ...words], root, { variables });
  const server = program(["serve", "--port", "0"], root, { variables });
  /** Processes that a call has left in the background. */
  const left: number[] = [];
  t.after(async () => {
    for (const pid of left) process.kill(pid, "SIGTERM");
    await say("answer", "D", "--cleanup");
    const closed = once(server, "close");
    server.kill("SIGTERM");
    await closed;
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  });
  const [line] = (await once(server.stdout.setEncoding("utf8"), "data")) as [string];
  const [address = "", url = ""] = /^(http:\S+)\/\?k=\S+/.exec(line) ?? [];
  return { address, url, left, say };
}

/** A page, with its messages, errors and requests to other addresses. */
async function openedPage(context: BrowserContext, address: string) {
  const page = await context.newPage();
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== new URL(address).origin && protocol !== "data:") said.push(request.url());
  });
  await page.goto(address);
  return { page, said };
}

const widthOf = async (page: Page): Promise<number> =>
  Number(await page.evaluate("document.documentElement.scrollWidth"));

describe("the start page of a server in a browser", { skip: CHROMIUM_MISSING }, () => {
  const ends: (() => Promise<void>)[] = [];
  let browser: Browser;
  let cafeUrl: string;
  before(async () => {
    const opened = await chromium();
    ends.push(opened.close);
    browser = opened.browser;
    cafeUrl = await cafe((end) => ends.push(end));
  });
  after(async () => {
    for (const end of ends) await end();
  });

  test("calls every built-in command from its form with the keyboard alone, on a phone", async (t) => {
    const { address, url, left } = await served(t);
    const context = await browser.newContext({ viewport: PHONE });
    const { page, said } = await openedPage(context, address);
    await page.getByRole("heading", { name: "runtime-debug" }).waitFor();
    assert.equal(page.url(), `${url}/`);
    const view = (await page.evaluate("fetch('/v1/page').then((one) => one.json())")) as StartView;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname.replace(/\/events$/, "")));
    const [done, wanted]: [string[], string[]] = [[], []];
    for (const { name: skill, forms } of view.skills)
      for (const [index, { name, address: path }] of forms.entries()) {
        const place = `[id="skill:${skill}"] > details:nth-of-type(${index + 1})`;
        await tabTo(page, `${place} > summary`);
        await page.keyboard.press("Enter");
        await tabTo(page, `${place} .go`);
        const examples = await page.locator(`${place} .buttons button`, { hasText: "Example 1" }).count();
        if (examples > 0) {
          await page.keyboard.press("Tab");
          await page.keyboard.press("Enter");
          await page.keyboard.press("Shift+Tab");
        }
        await page.keyboard.press("Enter");
        const state = page.locator(`${place} [role="status"]`);
        await state.filter({ hasText: / after / }).waitFor();
        const text = await state.innerText();
        assert.match(text, /^(?:Done|Refused) after/, `${skill} ${name}`);
        if (text.startsWith("Done")) done.push(`${skill} ${name}`);
        else assert.notEqual(await page.locator(`${place} [role="alert"]`).innerText(), "");
        wanted.push(path);
        if (path.endsWith("/serve")) {
          const [, pid] = /"pid": (\d+)/.exec((await page.locator(`${place} pre`).textContent()) ?? "") ?? [];
          left.push(Number(pid));
        }
        assert.ok((await widthOf(page)) <= PHONE.width, `${skill} ${name}`);
        // A refusal leads to the field that is wrong.
        await page.locator(`${place} > summary`).focus();
        await page.keyboard.press("Enter");
      }
    t.diagnostic(`done: ${done.join(", ")}`);
    assert.deepEqual(
      DONE.filter((name) => !done.includes(name)),
      [],
    );
    assert.deepEqual(asked, wanted);
    assert.deepEqual(
      said.filter((text) => !text.startsWith("Failed to load resource")),
      [],
    );
    const report = page.getByRole("region", { name: "Result of report", includeHidden: true });
    await page.locator("details", { has: report }).locator("summary").first().focus();
    await page.keyboard.press("Enter");
    await tabTo(page, '[aria-label="Result of report"] a');
    const opened = context.waitForEvent("page");
    await page.keyboard.press("Enter");
    const tab = await opened;
    await tab.getByRole("heading", { level: 1 }).waitFor();
    assert.equal(await tab.evaluate("self.origin"), "null");
  });

  test("leads from the list of debug sessions to the page of one", async (t) => {
    const { address, say } = await served(t);
    assert.equal((await say("start", "The cart total is wrong", "--open")).status, 0);
    const context = await browser.newContext();
    const { page } = await openedPage(context, address);
    const status = page.locator('[id="skill:runtime-debug"] > details', {
      has: page.locator('summary b:text-is("status")'),
    });
    await status.locator("summary").first().click();
    await status.getByRole("button", { name: "Run" }).click();
    const opened = context.waitForEvent("page");
    await status.getByRole("link", { name: /\/#/ }).first().click();
    const tab = await opened;
    await tab.getByRole("heading", { name: "The cart total is wrong" }).waitFor();
  });

  test("gives a form a field for each kind of value, and shows results as text", async () => {
    const context = await browser.newContext({ viewport: PHONE });
    const { page, said } = await openedPage(context, `${cafeUrl}/#${KEY}`);
    const open = async (name: string) => {
      const command = page.locator("details", { has: page.locator(`summary b:text-is("${name}")`) });
      await command.locator("summary").first().click();
      return command;
    };
    const order = await open("order");
    await order.getByRole("button", { name: "Run" }).click();
    assert.equal(await order.locator(".text").count(), 0);
    await order.getByRole("button", { name: "Example 1" }).click();
    await order.getByRole("button", { name: "Run" }).click();
    assert.deepEqual(JSON.parse(await order.locator(".text").innerText()), ORDER);
    await order.getByLabel("when").fill('{"hour": 9}');
    await order.getByLabel("table").fill("{broken");
    await order.getByRole("button", { name: "Run" }).click();
    const fault = await page.evaluate("document.activeElement.validationMessage");
    assert.match(String(fault), /^This is not JSON/);
    await order.getByLabel("table").fill("");
    await order.getByLabel("days").selectOption([]);
    await order.getByLabel("extras").fill("a\nb\nc\nd");
    await order.getByRole("button", { name: "Run" }).click();
    await order.getByRole("alert").waitFor();
    assert.equal(await page.evaluate("document.activeElement.getAttribute('aria-invalid')"), "true");
    await order.getByLabel("extras").fill("a\nb");
    await order.getByRole("button", { name: "Run" }).click();
    await order.locator(".text").waitFor();
    const { table: _table, days: _days, ...rest } = ORDER;
    assert.deepEqual(JSON.parse(await order.locator(".text").innerText()), {
      ...rest,
      extras: ["a", "b"],
      when: { hour: 9 },
    });
    const asked = await open("asked");
    await asked.getByRole("button", { name: "Run" }).click();
    await asked.getByText("Only a person at a terminal can answer").waitFor();
    const evil = await open("evil");
    await evil.getByRole("button", { name: "Run" }).click();
    await evil.getByRole("cell", { name: "window.evil=1" }).waitFor();
    assert.equal(await page.evaluate("window.evil"), undefined);
    assert.equal(await page.locator("img, main script").count(), 0);
    const links = await page.evaluate(
      "[...document.querySelectorAll('[aria-label=\"Result of evil\"] :is(table, .text) a')].map((one) => one.href + one.rel)",
    );
    assert.deepEqual(links, ["https://cafe.example/a?b=1noopener noreferrer"]);
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme });
      assert.ok((await widthOf(page)) <= PHONE.width, colorScheme);
    }
    assert.deepEqual(
      said.filter((text) => !text.startsWith("Failed to load resource")),
      [],
    );
  });

  test("does nothing for a wrong key, a page of another port, and the pages of skills", async (t) => {
    const context = await browser.newContext();
    const { page } = await openedPage(context, `${cafeUrl}/?k=${KEY}x`);
    await page.getByText("The key is wrong.").waitFor();
    await page.goto(`${cafeUrl}/#wrong`);
    await page.reload();
    await page.getByText("The key is wrong.").waitFor();
    assert.equal(page.url(), `${cafeUrl}/`);
    assert.equal(await page.getByText("cafe").count(), 0);
    await page.goto(`${cafeUrl}/?k=${KEY}`);
    await page.getByRole("heading", { name: "cafe" }).waitFor();
    const site = await listening((_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Another</title>");
    });
    t.after(() => site.close());
    const other = await context.newPage();
    await other.goto(`http://127.0.0.1:${site.port}/`);
    const count = `${cafeUrl}/v1/skills/cafe/commands/count`;
    const ends: unknown[] = [];
    for (const mode of ["cors", "no-cors"])
      for (const type of ["application/json", "text/plain"])
        ends.push(
          await other.evaluate(
            `fetch("${count}", { method: "POST", credentials: "include", mode: "${mode}", headers: { "content-type": "${type}" }, body: "{}" }).then(({ status }) => status, () => "blocked")`,
          ),
        );
    assert.deepEqual(ends, ["blocked", "blocked", 0, 0]);
    await other.evaluate(
      `{ const form = document.createElement("form"); form.method = "post"; form.action = "${count}"; document.body.append(form); form.submit(); }`,
    );
    await other.waitForURL(count);
    assert.match(await other.locator("body").innerText(), /KEY_REFUSED/);
    const menu = await context.newPage();
    await menu.goto(`${cafeUrl}/cafe/menu`);
    await menu.waitForFunction("document.title !== 'Menu'");
    assert.equal(await menu.title(), "Menu blocked");
    const end = await page.evaluate(`fetch("${count}", { method: "POST" }).then((one) => one.json())`);
    assert.deepEqual(end, { text: "call 1" });
  });
});
