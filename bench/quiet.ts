import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** The machine counts as quiet when this share of its processors' time is idle. */
const IDLE_SHARE = 0.85;
const LOOK_MS = 40;
/** After this long the measure is taken all the same: base and candidate then suffer alike. */
const PATIENCE_MS = 2_000;

/** Waits until nobody else uses the machine. */
export async function quiet(): Promise<void> {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_MS) {
    const before = spent();
    await sleep(LOOK_MS);
    const after = spent();
    if ((after.idle - before.idle) / Math.max(1, after.all - before.all) >= IDLE_SHARE) return;
  }
}

function spent(): { readonly idle: number; readonly all: number } {
  let idle = 0;
  let all = 0;
  for (const { times } of cpus()) {
    idle += times.idle;
    all += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return { idle, all };
}
