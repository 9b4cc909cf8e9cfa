import { Worker } from "node:worker_threads";

/** Seconds without a turn of the event loop after which the process is ended. */
const MOST_SECONDS = 30;

/** Runs in its own thread, because a blocked event loop runs no timer. Suspended time counts as one tick. */
const WATCH = `
const { parentPort } = require("node:worker_threads");
let left = ${MOST_SECONDS};
let sentence = "";
parentPort.on("message", (next) => { left = ${MOST_SECONDS}; sentence = next || sentence; });
setInterval(() => {
  if (--left > 0) return;
  try { require("node:fs").writeSync(2, sentence); } finally { process.kill(process.pid, "SIGKILL"); }
}, 1_000);`;

/** Ends the process, with the last sentence on standard error, when code does not return to the event loop for 30 s. */
export class BlockedLoop implements Disposable {
  readonly #worker = new Worker(WATCH, { eval: true });
  readonly #turns = setInterval(() => this.#tell(""), 1_000).unref();

  constructor() {
    // If the thread fails, the process continues without a time limit.
    this.#worker.on("error", () => clearInterval(this.#turns));
    this.#worker.unref();
  }

  /** Sets the subject of the sentence. */
  watch(subject: string): void {
    const hint = "An endless loop is the usual cause.";
    this.#tell(
      `error: ${subject} has blocked the process for ${MOST_SECONDS} s and was ended.\nhint: ${hint}\n`,
    );
  }

  #tell(sentence: string): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.#worker.postMessage(sentence);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#turns);
    void this.#worker.terminate();
  }
}
