import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Http, LoginWait } from "skillctl";
import { fixedClock } from "../../../core/testing/fixed-clock.ts";
import { memoryLog } from "../../../core/testing/memory-log.ts";
import { testEnvironment } from "../../../core/testing/test-environment.ts";
import { nodeFiles } from "../../../core/adapters/files.ts";
import { kyHttp } from "../../../core/adapters/http.ts";
import { DeviceLogin } from "../oauth/device-login.ts";
import { systemKeyRing, type KeyRing } from "../oauth/key-ring.ts";
import { LoginNotice } from "../oauth/login-notice.ts";
import { LoginServer } from "../oauth/login-server.ts";
import { pause, type Pause } from "../oauth/pause.ts";
import { PendingLogin } from "../oauth/pending-login.ts";
import { Polling } from "../oauth/polling.ts";
import { RefreshStore } from "../oauth/refresh-store.ts";
import type { OAuthSettings } from "../oauth/settings.ts";
import { CLIENT_ID, type OAuthProvider } from "./oauth-provider.ts";

export interface OAuthHarnessOptions {
  readonly settings?: OAuthSettings;
  /** Environment variables. Default: none. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Default: that of the machine. */
  readonly keyRing?: KeyRing;
  /** Instead of the network. */
  readonly http?: Http;
  /** What happens while a login waits for the nth time, from 1. */
  readonly meanwhile?: (time: number, harness: OAuthHarness) => Promise<void>;
}

/**
 * The device login on real files, the real network and a home of its own. Time stands still, but for the waits between
 * two questions: those pass at once and move the clock.
 */
export class OAuthHarness {
  readonly log = memoryLog();
  readonly clock = fixedClock();
  /** Seconds of every wait. */
  readonly waits: number[] = [];
  readonly progress: string[] = [];
  readonly folder: string;
  readonly #options: OAuthHarnessOptions;
  readonly #settings: OAuthSettings;

  private constructor(folder: string, settings: OAuthSettings, options: OAuthHarnessOptions) {
    this.folder = folder;
    this.#settings = settings;
    this.#options = options;
  }

  static async at(
    provider: Pick<OAuthProvider, "url">,
    options: OAuthHarnessOptions = {},
  ): Promise<OAuthHarness> {
    const settings = { issuer: provider.url, clientId: CLIENT_ID, ...options.settings };
    return new OAuthHarness(await mkdtemp(join(tmpdir(), "skillctl-oauth-")), settings, options);
  }

  /** The login as a new process would make it. */
  get login(): DeviceLogin {
    const { keyRing = systemKeyRing(), variables, http = kyHttp } = this.#options;
    const { clock, log } = this;
    const environment = testEnvironment(this.folder, variables);
    return new DeviceLogin(
      new LoginServer(http, clock, environment, this.#settings),
      new RefreshStore(nodeFiles, environment, log, keyRing),
      new PendingLogin(nodeFiles, environment, clock, log),
      new LoginNotice(log, nodeFiles, environment, clock),
      new Polling(clock, this.#pause),
      clock,
      log,
    );
  }

  wait(parts: Partial<LoginWait> = {}): LoginWait {
    return {
      signal: new AbortController().signal,
      progress: (sentence) => void this.progress.push(sentence),
      interactive: true,
      columns: undefined,
      ...parts,
    };
  }

  /** The user code that was shown last. */
  get userCode(): string {
    return this.log.notices.flatMap((line) => line.match(/\b[A-Z]{4}-[A-Z]{4}\b/g) ?? []).at(-1) ?? "";
  }

  /** Where a file of `~/.svc-login` is. */
  path(name = ""): string {
    return join(this.folder, "home", ".svc-login", name);
  }

  /** What stands in a file of `~/.svc-login`. */
  async kept(name: string): Promise<Record<string, unknown>> {
    return JSON.parse(await readFile(join(this.folder, "home", ".svc-login", name), "utf8")) as Record<
      string,
      unknown
    >;
  }

  async names(): Promise<readonly string[]> {
    return (await nodeFiles.list(this.path())) ?? [];
  }

  /** Everything that a person was told. */
  get said(): string {
    return [...this.log.notices, ...this.log.details, ...this.progress].join("\n");
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }

  readonly #pause: Pause = async (milliseconds, signal) => {
    this.waits.push(milliseconds / 1000);
    await this.#options.meanwhile?.(this.waits.length, this);
    await pause(0, signal);
    this.clock.advance(milliseconds);
  };
}
