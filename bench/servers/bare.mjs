/** A bare fastify route with the schemas of the greeting: what every host on fastify pays. */
import fastify from "fastify";
import { answerUsage } from "./usage.mjs";

const { input, output } = JSON.parse(process.argv[2]);
const app = fastify();
app.post("/greet", { schema: { body: input, response: { 200: output } } }, async ({ body }) => {
  const text = `Hello, ${body.name}.`;
  return { text, length: text.length };
});
answerUsage(`${await app.listen({ host: "127.0.0.1", port: 0 })}/greet`, () => app.close());
