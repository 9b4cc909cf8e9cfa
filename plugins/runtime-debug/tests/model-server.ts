import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { ask, health, type Told } from "./client.ts";
import { debugServer, type DebugServer } from "./server-harness.ts";
import { assertAgrees, assertAnswers, everything } from "./model-check.ts";
import { ModelLog, type Posted } from "./model-log.ts";
import type { Step, Unnamed } from "./model-steps.ts";

const JSON_PLEASE = { accept: "application/json" };

type StepOf<K extends Step["kind"]> = Extract<Step, { readonly kind: K }>;

/** A real server in a process of its own, and beside it what its log should be. */
export class ModelledServer {
  readonly #t: TestContext;
  readonly #folder: string;
  readonly #words: readonly string[];
  readonly #model = new ModelLog();
  #server!: DebugServer;
  #named = 0;

  constructor(t: TestContext, folder: string, words: readonly string[]) {
    this.#t = t;
    this.#folder = folder;
    this.#words = words;
  }

  async play(steps: readonly Step[]): Promise<void> {
    await this.#start();
    for (const step of steps) {
      await this.#do(step);
      await assertAgrees(this.#server.url, this.#model);
    }
    await this.#server.kill();
  }

  async #start(): Promise<void> {
    this.#server = await debugServer(this.#t, { folder: this.#folder, words: this.#words });
  }

  async #do(step: Step): Promise<void> {
    if (step.kind === "take") await this.#take(step);
    else if (step.kind === "burst") await this.#burst(step);
    else if (step.kind === "kill") await this.#kill(step);
    else if (step.kind === "kill in a clear") await this.#killInClear(step);
    else if (step.kind === "restart") await this.#restart();
    else if (step.kind === "run") await this.#run(step);
    else if (step.kind === "ask") await this.#ask(step);
    else {
      assert.equal((await this.#clear(step.kind === "purge")).status, 200);
      this.#model[step.kind]();
    }
  }

  async #take({ events, bad, array }: StepOf<"take">): Promise<void> {
    const named = this.#names(events);
    const lines = [...named.map((event) => JSON.stringify(event)), ...Array<string>(bad).fill('{"msg":')];
    const { status, text } = await this.#post(array ? `[${lines.join()}]` : lines.join("\n"));
    const { accepted, rejected = 0, seq } = JSON.parse(text) as Record<string, number>;
    const stored = bad > 0 ? [] : named;
    this.#model.take(stored);
    this.#model.rejected += Math.min(bad, 1);
    assert.deepEqual(
      [status, accepted, rejected, seq],
      bad > 0 ? [400, 0, 1, undefined] : [200, stored.length, 0, this.#model.seq],
    );
  }

  async #burst({ bodies }: StepOf<"burst">): Promise<void> {
    const named = bodies.map((events) => this.#names(events));
    const told = await Promise.all(named.map((events) => this.#post(text(events))));
    assert.deepEqual([...new Set(told.map(({ status }) => status))], [200]);
    this.#keep(named.flatMap((events, at) => numbered(events, told[at])));
  }

  /** What was answered has to be there; of the rest, what is there. */
  async #kill({ bodies, answers }: StepOf<"kill">): Promise<void> {
    const named = bodies.map((events) => this.#names(events));
    const known: { event: Posted; seq: number }[] = [];
    let open = (): void => undefined;
    const enough = new Promise<void>((resolve) => (open = resolve));
    let count = 0;
    const posting = named.map(async (events) => {
      const told = await this.#post(text(events)).catch(() => undefined);
      if (told?.status === 200) known.push(...numbered(events, told));
      count += 1;
      if (count >= answers) open();
    });
    if (answers > 0) await Promise.race([enough, Promise.all(posting)]);
    await this.#server.kill();
    await Promise.all(posting);
    await this.#start();
    const rest = new Map(named.flat().map((event) => [event.n, event]));
    for (const { event } of known) rest.delete(event.n);
    const found = (await everything(this.#server.url)).flatMap(({ n, _seq }) => {
      const event = rest.get(n);
      return event ? [{ event, seq: _seq }] : [];
    });
    this.#keep([...known, ...found]);
    const { rejected } = await health(this.#server.url);
    // What was cut off in its middle is kept as one.
    assert.ok(rejected === this.#model.rejected || rejected === this.#model.rejected + 1);
    this.#model.rejected = rejected;
  }

  async #killInClear({ purge, turns }: StepOf<"kill in a clear">): Promise<void> {
    const told = this.#clear(purge).catch(() => undefined);
    for (let left = turns; left > 0; left -= 1) await turn();
    await this.#server.kill();
    const answered = (await told)?.status === 200;
    await this.#start();
    const [{ segment, rejected }, rows] = [
      await health(this.#server.url),
      await everything(this.#server.url),
    ];
    const model = this.#model;
    const { visible } = model;
    const isPurged = purge && rows.length === 0 && rejected === 0;
    if (isPurged && (segment > visible.number || visible.events.length === 0)) model.purge();
    // A purge begins as a clear does, and is done from one moment on.
    else if (segment > visible.number) model.clear();
    if (answered) assert.ok(purge ? isPurged : model.visible.events.length === 0);
  }

  async #restart(): Promise<void> {
    this.#server.signal("SIGTERM");
    assert.deepEqual(await this.#server.ended, { code: 0, signal: null });
    await this.#start();
  }

  async #run({ run }: StepOf<"run">): Promise<void> {
    const told = await ask(this.#server.url, {
      path: "/run",
      body: JSON.stringify({ runId: run }),
      headers: { "content-type": "application/json" },
    });
    assert.equal(told.status, 200);
    this.#model.name(run);
  }

  async #ask({ asked, since, back }: StepOf<"ask">): Promise<void> {
    const number = this.#model.visible.number;
    const segment =
      back < -1
        ? undefined
        : back < 0
          ? "all"
          : back < 1
            ? "current"
            : String(Math.max(1, number + 2 - back));
    await assertAnswers(this.#server.url, this.#model, {
      ...asked,
      segment,
      since: since < 0 ? undefined : Math.floor(since * this.#model.seq),
    });
  }

  #keep(stored: readonly { readonly event: Posted; readonly seq: number }[]): void {
    for (const { event, seq } of stored.toSorted((a, b) => a.seq - b.seq)) this.#model.keep(event, seq);
  }

  #post(body: string): Promise<Told> {
    return ask(this.#server.url, { body, headers: JSON_PLEASE });
  }

  #clear(purge: boolean): Promise<Told> {
    return ask(this.#server.url, { method: "DELETE", path: purge ? "/logs?purge=1" : "/logs" });
  }

  #names(events: readonly Unnamed[]): readonly Posted[] {
    return events.map(({ size, ...event }) => ({ n: (this.#named += 1), ...event, data: "x".repeat(size) }));
  }
}

function text(events: readonly Posted[]): string {
  return events.map((event) => JSON.stringify(event)).join("\n");
}

/** Events of a body with the numbers that its receipt means. */
function numbered(
  events: readonly Posted[],
  told: Told | undefined,
): readonly { event: Posted; seq: number }[] {
  const { seq, accepted } = JSON.parse(told?.text ?? "{}") as {
    readonly seq: number;
    readonly accepted: number;
  };
  assert.equal(accepted, events.length);
  return events.map((event, at) => ({ event, seq: seq - accepted + at + 1 }));
}
