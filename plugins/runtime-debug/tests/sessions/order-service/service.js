import { createServer } from "node:http";
import { setTimeout as pause } from "node:timers/promises";

/** What the shop has, by article. */
const stock = new Map([
  ["mug", 2],
  ["lamp", 5],
]);

/** Takes articles out of the stock; the warehouse needs a moment to confirm. */
async function reserve(article, count) {
  const left = stock.get(article) ?? 0;
  await pause(200);
  if (left < count) return false;
  stock.set(article, left - count);
  return true;
}

async function order({ article, count }) {
  const reserved = await reserve(article, count);
  if (!reserved) return { status: 409, body: { error: "sold out" } };
  return { status: 201, body: { article, count } };
}

const server = createServer(async (request, response) => {
  let text = "";
  for await (const part of request.setEncoding("utf8")) text += part;
  const { status, body } = await order(JSON.parse(text));
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
});

server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
process.once("SIGTERM", () => server.close());
