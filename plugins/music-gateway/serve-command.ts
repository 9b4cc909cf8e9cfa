import { SERVER, inject, injectable, type Call, type CommandHandler, type Server } from "skillctl";
import { accountOf, dataLabel } from "./accounts.ts";
import type { ServeInput, ServeOutput } from "./contract.ts";
import { ENGINE, type Engine } from "./engine.ts";
import { GATEWAY_KEY, type GatewayKey } from "./gateway-key.ts";

/** Serves the contract in the foreground until the call is aborted. */
@injectable()
export class ServeCommand implements CommandHandler<ServeInput, ServeOutput> {
  constructor(
    @inject(SERVER) private readonly server: Server,
    @inject(ENGINE) private readonly engine: Engine,
    @inject(GATEWAY_KEY) private readonly key: GatewayKey,
  ) {}

  async run({ port = 0 }: ServeInput, call: Call): Promise<ServeOutput> {
    const { source, files } = await this.engine.holdings();
    const open = await this.server.open({ port, routes: ["chat-sync"] });
    try {
      const facts = {
        baseUrl: open.url,
        token: this.key.value,
        accountId: accountOf(source),
        data: dataLabel(source, files.length),
      };
      call.announce(JSON.stringify(facts, undefined, 2));
      await aborted(call.signal);
    } finally {
      await open.close();
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
