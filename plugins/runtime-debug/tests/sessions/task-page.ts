import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { listening } from "../browser-harness.ts";
import type { Stage } from "./program.ts";

const TYPES: Readonly<Record<string, string>> = { "/": "text/html", "/tasks.js": "text/javascript" };

/** Opens the page, marks two tasks as done, and answers what is left by its summary. */
export async function clicked({ folder, browser, arrived }: Stage): Promise<string> {
  if (!browser) throw new Error("There is no browser.");
  const site = await listening((request, response) => {
    const type = TYPES[request.url ?? ""];
    if (type === undefined) return void response.writeHead(404).end();
    const file = request.url === "/" ? "index.html" : "tasks.js";
    void readFile(join(folder, file)).then((bytes) =>
      response.writeHead(200, { "content-type": type, "cache-control": "no-store" }).end(bytes),
    );
  });
  const page = await browser.newPage();
  try {
    await page.goto(`http://127.0.0.1:${site.port}/`);
    await page.getByText("done: write").click();
    await page.getByText("done: review").click();
    await arrived();
    return (await page.locator("#summary").textContent()) ?? "";
  } finally {
    await page.close();
    await site.close();
  }
}
