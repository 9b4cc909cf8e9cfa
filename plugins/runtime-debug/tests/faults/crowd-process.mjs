/**
 * Many connections to one port, from a separate process, so that they need no descriptors of the test.
 *
 *   crowd-process.mjs PORT COUNT    opens COUNT connections with half a head each, says READY, holds them
 */
import { connect } from "node:net";

const [port, count] = process.argv.slice(2);
const AT_ONCE = 400;
let [begun, settled] = [0, 0];

function next() {
  if (begun >= Number(count)) return;
  const number = (begun += 1);
  let over = false;
  const end = () => {
    if (over) return;
    over = true;
    settled += 1;
    if (settled === Number(count)) process.stdout.write("READY\n");
    next();
  };
  // A loopback address has some 28,000 ports of its own.
  const from = `127.0.0.${2 + (number % 8)}`;
  const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress: from });
  socket.on("error", end).on("close", end);
  socket.on("connect", () => {
    socket.write("POST /event HTTP/1.1\r\nHost: localhost\r\nX-Half: ");
    end();
  });
}
for (let line = 0; line < AT_ONCE; line += 1) next();
