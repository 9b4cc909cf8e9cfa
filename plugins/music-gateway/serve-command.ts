import { once } from "node:events";
import { SERVER, inject, injectable, type Call, type CommandHandler, type Server } from "skillctl";
import { accountOf, dataLabel, GATEWAY_KEY, type GatewayKey } from "./chat-sync-route.ts";
import type { ServeInput, ServeOutput } from "./contract.ts";
import { COLLECTIONS, type Collections } from "./library/collections.ts";

/** Serves the contract in the foreground until the call is aborted. */
@injectable()
export class ServeCommand implements CommandHandler<ServeInput, ServeOutput> {
  constructor(
    @inject(SERVER) private readonly server: Server,
    @inject(COLLECTIONS) private readonly collections: Collections,
    @inject(GATEWAY_KEY) private readonly key: GatewayKey,
  ) {}

  async run({ port = 0 }: ServeInput, call: Call): Promise<ServeOutput> {
    const { source, files } = await this.collections.use((collection) => ({
      source: collection.source,
      files: collection.catalog.files,
    }));
    const open = await this.server.open({ port, routes: ["chat-sync"] });
    try {
      const facts = {
        baseUrl: open.url,
        token: this.key.value,
        accountId: accountOf(source),
        data: dataLabel(source, files.length),
      };
      call.announce(JSON.stringify(facts, undefined, 2));
      if (!call.signal.aborted) await once(call.signal, "abort");
    } finally {
      await open.close();
    }
    return { baseUrl: open.url, text: `The gateway at ${open.url} has stopped.` };
  }
}
