/**
 * A program that reaches one line many times, in bursts. Arguments: the line's file, which exports `burst(from, count)`,
 * bursts to warm up, bursts to measure, events of each. Prints the microseconds of CPU of one event.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const [file, warm, bursts, events] = process.argv
  .slice(2)
  .map((word, index) => (index > 0 ? Number(word) : word));
const { burst } = await import(pathToFileURL(file).href);
let number = 0;

async function run(count) {
  for (let round = 0; round < count; round += 1) {
    burst(number, events);
    number += events;
    // Longer than an answer takes, so that each burst is on its own.
    await sleep(4);
  }
  await sleep(50);
}

await run(warm);
const before = process.cpuUsage();
await run(bursts);
const { user, system } = process.cpuUsage(before);
process.stdout.write(`${(user + system) / (bursts * events)}\n`);
