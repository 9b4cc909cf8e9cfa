import { CLOCK, inject, injectable, type Clock, type CommandHandler } from "skillctl";
import type { StatusInput, StatusOutput } from "./contract.ts";
import { LOGIN, type Login } from "./login.ts";
import { sentence } from "./texts.ts";
import { TOKEN_CACHE, type CacheLook, type TokenCache } from "./token-cache.ts";
import type { CachedToken } from "./token-file.ts";
import { daysLeftOf, ownerOf, untilOf } from "./token-facts.ts";

/** Fewer days than these are worth a warning. */
const FEW_DAYS = 3;

/** Says where the token is, whose, until when, and who would fetch a new one; never the token. */
@injectable()
export class StatusCommand implements CommandHandler<StatusInput, StatusOutput> {
  constructor(
    @inject(TOKEN_CACHE) private readonly cache: TokenCache,
    @inject(LOGIN) private readonly login: Login,
    @inject(CLOCK) private readonly clock: Clock,
  ) {}

  readonly run = async (): Promise<StatusOutput> => {
    const { file, variable } = this.cache;
    const look = await this.cache.look();
    const { cached } = look;
    const value = cached?.token ?? variable;
    const program = (await this.login.find())?.program.label;
    const found = value === undefined ? {} : this.#facts(value, cached);
    const told = {
      source: cached
        ? ("cache" as const)
        : variable === undefined
          ? ("none" as const)
          : ("environment" as const),
      file,
      environment: variable !== undefined,
      warnings: this.#warnings(look, found.daysLeft),
      ...found,
      ...(cached?.savedAt !== undefined && { savedAt: new Date(cached.savedAt * 1000).toISOString() }),
      ...(cached?.baseUrl !== undefined && { baseUrl: cached.baseUrl }),
      ...(program !== undefined && { program }),
    };
    return { text: textOf(told), ...told };
  };

  #facts(value: string, cached?: CachedToken): Pick<StatusOutput, "account" | "expiresAt" | "daysLeft"> {
    const account = ownerOf(value, cached?.account);
    const expiresAt = untilOf(value, cached?.expiresAt);
    const daysLeft = daysLeftOf(value, this.clock.now(), cached?.expiresAt);
    return {
      ...(account !== undefined && { account }),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(daysLeft !== undefined && { daysLeft }),
    };
  }

  #warnings({ cached, fault }: CacheLook, daysLeft: number | undefined): string[] {
    const elsewhere = cached && this.cache.elsewhere(cached);
    return [
      ...(fault === undefined ? [] : [fault]),
      ...(daysLeft === undefined || daysLeft >= FEW_DAYS ? [] : [ending(daysLeft)]),
      ...(elsewhere === undefined ? [] : [elsewhere]),
      ...(this.cache.variableUnusable ? [sentence("variable-unusable")] : []),
    ];
  }
}

function ending(daysLeft: number): string {
  const when =
    daysLeft < 0 ? "has run out" : daysLeft === 0 ? "runs out within a day" : `runs out in ${daysLeft} days`;
  return `The token ${when}: log in again with \`skillctl run login-proxy login\`.`;
}

function textOf(told: Omit<StatusOutput, "text">): string {
  const { source, file, account, expiresAt, daysLeft = -1, warnings, program } = told;
  const place = source === "cache" ? file : "SVC_HEADER_TOKEN";
  const left = daysLeft > 0 ? ` (${daysLeft} more ${daysLeft === 1 ? "day" : "days"})` : "";
  const lines =
    source === "none"
      ? [`No login token: neither ${file} nor SVC_HEADER_TOKEN holds a usable one.`]
      : [
          `The login token is in ${place}.`,
          ...(account === undefined ? [] : [`Account: ${account}`]),
          expiresAt === undefined
            ? "It does not say until when it is good."
            : `It ${daysLeft < 0 ? "was" : "is"} good until ${expiresAt}${left}.`,
        ];
  return [
    ...lines,
    ...warnings.map((warning) => `Warning: ${warning}`),
    program === undefined
      ? `${sentence("no-program")} ${sentence("install-program")}`
      : `Login program: ${program}`,
  ].join("\n");
}
