import type { HookScope, WithoutAnswer } from "../client.ts";

/** How the hooks of an agent stand in one of its settings files. */
export interface HookStatus {
  readonly client: string;
  readonly scope: HookScope;
  readonly file: string;
  /** `partly`: at some of the events only. */
  readonly installed: "yes" | "partly" | "no";
  /** Events without our hook as it is installed. Empty unless it is `partly`. */
  readonly missing: readonly string[];
  /** Somebody has changed the file since hooks were installed. */
  readonly changed: boolean;
  /** The settings say that hooks are not to be run, here or in another file that the agent reads. */
  readonly switchedOff: boolean;
  /** What the hooks start; missing where there are none, or those of an earlier version. */
  readonly starts?: string;
  /** Where they ask a running server, instead or at most events. */
  readonly asks?: string;
  /** What becomes of a call when the hook is late. */
  readonly late: WithoutAnswer;
  /** What becomes of a call when the hook cannot be started or fails. */
  readonly failing: WithoutAnswer;
  /** What keeps the hooks from working, each a sentence. Empty: nothing that can be seen. */
  readonly faults: readonly string[];
}

/** Whether there is something to say of a settings file. */
export function isThere({ installed, faults }: HookStatus): boolean {
  return installed !== "no" || faults.length > 0;
}

const HERE = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** Whether no `skillctl serve` of this machine answers there. Others are not asked: a project's file may name any. */
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
