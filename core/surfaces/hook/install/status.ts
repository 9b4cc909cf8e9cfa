import type { HookScope, WithoutAnswer } from "../client.ts";

/** The status of our hooks in one settings file of an agent. */
export interface HookStatus {
  readonly client: string;
  readonly scope: HookScope;
  readonly file: string;
  /** `partly`: at some of the events only. */
  readonly installed: "yes" | "partly" | "no";
  /** Events without our hook in its installed form. Empty unless `partly`. */
  readonly missing: readonly string[];
  /** Time of the last installation, ISO 8601 in UTC; missing without a record. */
  readonly since?: string;
  /** The file has changed since the hooks were installed. */
  readonly changed: boolean;
  /** The settings disable hooks, here or in another file that the agent reads. */
  readonly switchedOff: boolean;
  /** The program that the hooks start; missing without hooks. */
  readonly starts?: string;
  /** The address of the server that they ask, instead of or in addition to the program. */
  readonly asks?: string;
  /** The outcome of a call whose hook is late. */
  readonly late: WithoutAnswer;
  /** The outcome of a call whose hook cannot be started or fails. */
  readonly failing: WithoutAnswer;
  /** Visible reasons why the hooks cannot work, each a sentence. */
  readonly faults: readonly string[];
}

/** Whether a settings file has hooks or faults. */
export function isThere({ installed, faults }: HookStatus): boolean {
  return installed !== "no" || faults.length > 0;
}

const HERE = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** Whether an address of this machine does not answer. Other machines are not asked, since the file of a project may name any. */
export async function isSilent(url: string): Promise<boolean> {
  const { origin, hostname } = new URL(url);
  if (!HERE.test(hostname)) return false;
  try {
    const signal = AbortSignal.timeout(2000);
    return !(await fetch(`${origin}/health`, { signal, redirect: "manual" })).ok;
  } catch {
    return true;
  }
}
