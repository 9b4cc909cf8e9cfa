import { readFileSync } from "node:fs";
import { listening, type Open } from "../../../contract-tests/browser.ts";

/** A page in which every attempt of browser-page.js is possible. */
export const PAGE_SCRIPT = readFileSync(new URL("browser-page.js", import.meta.url), "utf8");

/** A page that can make them by itself. */
export const PAGE = `<!doctype html><meta charset="utf-8"><title>A page</title><body><script>${PAGE_SCRIPT}</script>`;

/**
 * Serves the page under any host name. `/redirect?to=URL` sends a request on with its method and body,
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
