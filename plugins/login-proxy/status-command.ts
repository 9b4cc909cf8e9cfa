import { inject, injectable, type CommandHandler } from "skillctl";
import type { StatusInput, StatusOutput } from "./contract.ts";
import { LOGIN, type Login } from "./login.ts";
import { sentence } from "./texts.ts";
import { TOKEN_STORE, elsewhere, type CacheContent, type TokenStore } from "./token-store.ts";

/** Warn below this number of days. */
const FEW_DAYS = 3;

/** Shows the token's location, owner, origin, expiry and login program, never the token. */
@injectable()
export class StatusCommand implements CommandHandler<StatusInput, StatusOutput> {
  constructor(
    @inject(TOKEN_STORE) private readonly store: TokenStore,
    @inject(LOGIN) private readonly login: Login,
  ) {}

  readonly run = async (): Promise<StatusOutput> => {
    const { file, variable } = this.store;
    const look = await this.store.look();
    const { stored } = look;
    const value = stored?.token ?? variable;
    const program = (await this.login.find())?.label;
    const { ranOut: _, ...facts } = value === undefined ? {} : await this.store.facts(value);
    const source: StatusOutput["source"] = stored ? "cache" : variable === undefined ? "none" : "environment";
    const told = {
      source,
      file,
      environment: variable !== undefined,
      warnings: await this.#warnings(look, facts.daysLeft),
      ...facts,
      ...(stored?.savedAt !== undefined && { savedAt: new Date(stored.savedAt * 1000).toISOString() }),
      ...(stored?.origin !== undefined && { baseUrl: stored.origin }),
      ...(program !== undefined && { program }),
    };
    return { text: textOf(told), ...told };
  };

  async #warnings({ stored, fault }: CacheContent, daysLeft: number | undefined): Promise<string[]> {
    const { named } = this.store;
    const rights = stored && (await this.store.openRights());
    const isElsewhere = stored?.origin !== undefined && named !== undefined && stored.origin !== named;
    return [
      ...(fault === undefined ? [] : [fault]),
      ...(daysLeft === undefined || daysLeft >= FEW_DAYS ? [] : [ending(daysLeft)]),
      ...(isElsewhere ? [elsewhere(stored.origin, named).message] : []),
      ...(rights === undefined ? [] : [sentence("open-file", { FILE: this.store.file, RIGHTS: rights })]),
      ...(this.store.variableUnusable ? [sentence("variable-unusable")] : []),
    ];
  }
}

function ending(daysLeft: number): string {
  const when =
    daysLeft < 0 ? "has expired" : daysLeft === 0 ? "expires within a day" : `expires in ${daysLeft} days`;
  return `The token ${when}: log in again with \`skillctl run login-proxy login\`.`;
}

function textOf(told: Omit<StatusOutput, "text">): string {
  const { source, file, account, expiresAt, daysLeft = -1, baseUrl, warnings, program } = told;
  const left = daysLeft > 0 ? ` (${daysLeft} more ${daysLeft === 1 ? "day" : "days"})` : "";
  const origin = baseUrl === undefined ? sentence("goes-nowhere") : sentence("goes-to", { ORIGIN: baseUrl });
  const lines =
    source === "none"
      ? [`No login token: neither ${file} nor SVC_HEADER_TOKEN holds a usable one.`]
      : [
          `The login token is in ${source === "cache" ? file : "SVC_HEADER_TOKEN"}.`,
          ...(source === "cache" ? [origin] : []),
          ...(account === undefined ? [] : [`Account: ${account}`]),
          expiresAt === undefined
            ? "Its expiry is unknown."
            : `It ${daysLeft < 0 ? "was" : "is"} valid until ${expiresAt}${left}.`,
        ];
  return [
    ...lines,
    ...warnings.map((warning) => `Warning: ${warning}`),
    program === undefined
      ? `${sentence("no-program")} ${sentence("install-program")}`
      : `New tokens come from: ${program}`,
  ].join("\n");
}
