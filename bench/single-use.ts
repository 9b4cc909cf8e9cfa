import { connect } from "node:net";
import type { Collector } from "./collector.ts";
import { numberedBody, writeNumbers } from "./event-body.ts";
import { postHead } from "./socket-client.ts";

const RIGHT = /^HTTP\/1\.[01] 2\d\d /;

/** What a client that opens a connection for every event got. */
export interface Answers {
  readonly answered: number;
  /** From the first connection to the last answer, or until its patience ended. */
  readonly milliseconds: number;
}

/** Clients that open a connection for an event, wait for the answer, and open the next. */
export async function oneByOne(
  collector: Collector,
  clients: number,
  milliseconds: number,
): Promise<Answers> {
  const start = performance.now();
  const before = collector.numbers.acknowledged;
  const client = async (): Promise<void> => {
    while (performance.now() < start + milliseconds) await posted(collector, milliseconds * 10);
  };
  await Promise.all(Array.from({ length: clients }, client));
  return {
    answered: collector.numbers.acknowledged - before,
    milliseconds: performance.now() - start,
  };
}

/** All connections at once. Who has no answer after `patience` milliseconds gives up. */
export async function atOnce(collector: Collector, events: number, patience: number): Promise<Answers> {
  const start = performance.now();
  const all = await Promise.all(Array.from({ length: events }, () => posted(collector, patience)));
  return { answered: all.filter(Boolean).length, milliseconds: performance.now() - start };
}

/** Whether an event on a new connection was acknowledged. @throws Error for an answer that refuses it. */
function posted({ url, numbers }: Collector, patience: number): Promise<boolean> {
  const body = numberedBody(1);
  const head = Buffer.from(postHead(url, body.bytes.length, true), "latin1");
  const request = Buffer.concat([head, body.bytes]);
  const number = numbers.take(1);
  writeNumbers(request, head.length, body, number);
  return new Promise((resolve, reject) => {
    let answer = "";
    let failure: Error | undefined;
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    const timer = setTimeout(() => socket.destroy(), patience);
    socket.setEncoding("latin1").on("data", (text: string) => (answer += text));
    socket.on("error", (error) => (failure = error));
    socket.on("close", () => {
      clearTimeout(timer);
      const isAnswered = answer !== "" && failure === undefined;
      if (!isAnswered) numbers.giveUp(number, 1);
      if (!isAnswered || RIGHT.test(answer)) resolve(isAnswered);
      else reject(new Error(`Not the right answer:\n${answer}`));
    });
    socket.write(request);
  });
}
