import { SERVER, inject, injectable, type Call, type CommandHandler, type Server } from "skillctl";
import { accountOf, dataLabel } from "./accounts.ts";
import type { ServeInput, ServeOutput } from "./contract.ts";
import { ENGINE, type Engine } from "./engine.ts";
import { readFaultPlan } from "./fault-plan.ts";
import { GATEWAY_KEY, type GatewayKey } from "./gateway-key.ts";
import { REHEARSAL, type Rehearsal } from "./rehearsal.ts";

/** Serves the contract in the foreground until the call is aborted; with faults, as a service that fails. */
@injectable()
export class ServeCommand implements CommandHandler<ServeInput, ServeOutput> {
  constructor(
    @inject(SERVER) private readonly server: Server,
    @inject(ENGINE) private readonly engine: Engine,
    @inject(GATEWAY_KEY) private readonly key: GatewayKey,
    @inject(REHEARSAL) private readonly rehearsal: Rehearsal,
  ) {}

  /** @throws SkillError `INPUT_INVALID` for a fault that there is not. */
  async run({ port = 0, fault = [] }: ServeInput, call: Call): Promise<ServeOutput> {
    const plan = readFaultPlan(fault);
    const { source, files } = await this.engine.holdings();
    const open = await this.server.open({ port, routes: ["chat-sync"] });
    try {
      this.rehearsal.begin(plan, call.signal);
      const facts = {
        baseUrl: open.url,
        token: this.key.value,
        accountId: accountOf(source),
        data: dataLabel(source, files.length),
        ...(fault.length > 0 && { faults: fault }),
      };
      call.announce(JSON.stringify(facts, undefined, 2));
      await aborted(call.signal);
    } finally {
      await open.close();
      this.rehearsal.end();
    }
    return { baseUrl: open.url, text: `The gateway at ${open.url} has stopped.` };
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((settle) => {
    if (signal.aborted) settle();
    else signal.addEventListener("abort", () => settle(), { once: true });
  });
}
