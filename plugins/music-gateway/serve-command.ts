import { once } from "node:events";
import { SERVER, inject, injectable, type Call, type CommandHandler, type Server } from "skillctl";
import { accountOf, dataLabel, GATEWAY_KEY, QUOTA, type GatewayKey, type Quota } from "./chat-sync-route.ts";
import type { ServeInput, ServeOutput } from "./contract.ts";
import { readFaultPlan, REHEARSAL, type Rehearsal } from "./faults.ts";
import { COLLECTIONS, type Collections } from "./library/collections.ts";

/** Serves the contract in the foreground until the call is aborted; with faults, as a service that fails. */
@injectable()
export class ServeCommand implements CommandHandler<ServeInput, ServeOutput> {
  constructor(
    @inject(SERVER) private readonly server: Server,
    @inject(COLLECTIONS) private readonly collections: Collections,
    @inject(GATEWAY_KEY) private readonly key: GatewayKey,
    @inject(REHEARSAL) private readonly rehearsal: Rehearsal,
    @inject(QUOTA) private readonly quota: Quota,
  ) {}

  /** @throws SkillError `INPUT_INVALID` for a fault that there is not. */
  async run({ port = 0, fault = [], quota }: ServeInput, call: Call): Promise<ServeOutput> {
    const plan = readFaultPlan(fault);
    const { source, files } = await this.collections.use((collection) => ({
      source: collection.source,
      files: collection.catalog.files,
    }));
    const open = await this.server.open({ port, routes: ["chat-sync"] });
    try {
      this.quota.limit(quota);
      this.rehearsal.begin(plan, call.signal);
      const facts = {
        baseUrl: open.url,
        token: this.key.value,
        accountId: accountOf(source),
        data: dataLabel(source, files.length),
        ...(fault.length > 0 && { faults: fault }),
        ...(quota !== undefined && { questionsPerDay: quota }),
      };
      call.announce(JSON.stringify(facts, undefined, 2));
      if (!call.signal.aborted) await once(call.signal, "abort");
    } finally {
      await open.close();
      this.rehearsal.end();
      this.quota.limit(undefined);
    }
    return { baseUrl: open.url, text: `The gateway at ${open.url} has stopped.` };
  }
}
