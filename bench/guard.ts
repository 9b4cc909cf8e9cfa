import { coldAndWarm } from "./guard-processes.ts";
import { overHttp } from "./guard-http.ts";
import { inProcess } from "./guard-engines.ts";
import type { Bench } from "./row.ts";

/** What an agent waits for before every tool call. */
export const bench: Bench = {
  name: "guard",
  describe:
    "`skillctl guard` as a whole process, the dispatcher that asks a warm host, and decisions of 40 rules that all hear the event, in process.",
  run: async () => [...(await coldAndWarm()), await overHttp(), ...(await inProcess())],
};
