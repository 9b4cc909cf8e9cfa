import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { otherSide } from "../testing/other-side.ts";

const MIB = 1024 * 1024;

/** What a process of its own gets for a request, and by how many bytes its memory grew at most meanwhile. */
async function inChild(
  url: string,
  maxBytes: number,
): Promise<{ readonly got: unknown; readonly grown: number }> {
  const script = `
    const { kyHttp } = await import(${JSON.stringify(new URL("./http.ts", import.meta.url).href)});
    const send = (path, maxBytes) =>
      kyHttp.send({ method: "GET", url: ${JSON.stringify(url)} + path, timeoutMs: 60_000, maxBytes })
        .then(({ body }) => body.length, ({ code }) => code);
    await send("/small", 100);
    const before = process.memoryUsage.rss();
    const got = await send("/bomb", ${maxBytes});
    console.log(JSON.stringify({ got, grown: process.resourceUsage().maxRSS * 1024 - before }));`;
  const words = [
    "--conditions=@skillctl/source",
    "--import",
    import.meta.resolve("tsx"),
    "--input-type=module",
    "-e",
    script,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  return JSON.parse(stdout) as { got: unknown; grown: number };
}

test("a small packet that unpacks to 320 MB is refused at the limit, and takes less than half of the memory that it would", async (t) => {
  const bomb = gzipSync(Buffer.alloc(320 * MIB));
  const { url } = await otherSide(t, (request, response) => {
    const body = request.url === "/bomb" ? bomb : gzipSync("small");
    response.writeHead(200, { "content-encoding": "gzip" }).end(body);
  });
  // When garbage is collected is the engine's own affair, so the least of three runs counts.
  const grown: number[] = [];
  for (let run = 0; run < 3; run += 1) {
    const limited = await inChild(url, 8 * MIB);
    assert.equal(limited.got, "NETWORK_TOO_LARGE");
    grown.push(limited.grown);
  }
  const lax = await inChild(url, 315 * MIB);
  assert.equal(lax.got, "NETWORK_TOO_LARGE");
  assert.ok(lax.grown > 315 * MIB, "the measurement would not see it");
  assert.ok(Math.min(...grown) < lax.grown / 2, `${grown.join(", ")} of ${lax.grown} bytes`);
});
