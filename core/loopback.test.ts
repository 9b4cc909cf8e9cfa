import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isLoopbackAddress, isLoopbackOrigin } from "./loopback.ts";

const OURS = ["localhost", "127.0.0.1", "127.255.255.255", "[::1]"];
const OTHERS = [
  "127.999.1.1",
  "127.0.0.256",
  "127.0.0",
  "128.0.0.1",
  "127.0.0.1.example",
  "localhost.example",
  "notlocalhost",
  "[::2]",
  "[::ffff:127.0.0.1]",
];

describe("loopback", () => {
  test("a page is recognised by the exact spelling of its origin", () => {
    for (const host of [...OURS, "app.localhost", "my_app.localhost"]) {
      for (const port of ["", ":80", ":65535"]) {
        assert.equal(isLoopbackOrigin(`http://${host}${port}`), true, host);
        assert.equal(isLoopbackOrigin(`https://${host}${port}`), true, host);
      }
      for (const origin of [host, `ftp://${host}`, `http://${host}/`, `http://${host}:`, `http://a@${host}`])
        assert.equal(isLoopbackOrigin(origin), false, origin);
    }
    for (const host of OTHERS) assert.equal(isLoopbackOrigin(`http://${host}`), false, host);
    for (const origin of ["null", "", "http://LOCALHOST", "http://.localhost", "http://localhost\n"])
      assert.equal(isLoopbackOrigin(origin), false, origin);
  });

  test("a server is recognised by its bound address, also IPv6 with or without brackets", () => {
    for (const host of [...OURS, "::1"]) assert.equal(isLoopbackAddress(host), true, host);
    for (const host of [...OTHERS, "0.0.0.0", "::", "app.localhost", ""])
      assert.equal(isLoopbackAddress(host), false, host);
  });
});
