import {
  SERVER,
  inject,
  injectable,
  type AnalysisEndpoint,
  type AnalysisService,
  type OpenServer,
  type Server,
} from "skillctl";
import { accountOf, dataLabel } from "./accounts.ts";
import { ENGINE, type Engine } from "./engine.ts";
import { GATEWAY_KEY, type GatewayKey } from "./gateway-key.ts";
import { QUOTA, type Quota } from "./quota.ts";
import { text } from "./texts.ts";

/** Lends the gateway to other skills: a real server on a free port of the loopback interface, opened on first need. */
@injectable()
export class EmbeddedService implements AnalysisService {
  #starting: Promise<{ readonly server: OpenServer; readonly endpoint: AnalysisEndpoint }> | undefined;

  constructor(
    @inject(SERVER) private readonly server: Server,
    @inject(ENGINE) private readonly engine: Engine,
    @inject(GATEWAY_KEY) private readonly key: GatewayKey,
    @inject(QUOTA) private readonly quota: Quota,
  ) {}

  async endpoint(): Promise<AnalysisEndpoint> {
    this.#starting ??= this.#start();
    try {
      const { endpoint } = await this.#starting;
      // An import meanwhile makes it another account, with other songs.
      return { ...endpoint, account: accountOf((await this.engine.holdings()).source) };
    } catch (caught) {
      this.#starting = undefined;
      throw caught;
    }
  }

  async close(): Promise<void> {
    const starting = this.#starting;
    this.#starting = undefined;
    const started = await starting?.catch(() => undefined);
    await started?.server.close();
  }

  async #start(): Promise<{ readonly server: OpenServer; readonly endpoint: AnalysisEndpoint }> {
    // Here a folder that cannot be written is an error with its path; over HTTP it would be an answer out of contract.
    await this.quota.prepare();
    const { source, files } = await this.engine.holdings();
    const server = await this.server.open({ routes: ["chat-sync"] });
    const notice = text(source === "sample" ? "notice" : "notice-own", {
      DATA: dataLabel(source, files.length),
    });
    const account = accountOf(source);
    return { server, endpoint: { baseUrl: server.url, token: this.key.value, account, notice } };
  }
}
