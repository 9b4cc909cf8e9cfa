import type { DeviceAuthorizationResponse } from "openid-client";
import { isSafeAddress } from "../address.ts";

/** A login that a person is to confirm somewhere else (RFC 8628 3.2). */
export interface DeviceCode {
  /** A secret: goes to the login server and nowhere else. */
  readonly deviceCode: string;
  /** Printable ASCII, at most 64 characters. */
  readonly userCode: string;
  /** Where the code is typed in. */
  readonly verificationUri: string;
  /** The same with the code in it, where the server offers that. */
  readonly completeUri: string | undefined;
  readonly intervalSeconds: number;
  /** In milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** RFC 8628 3.2: "If no value is provided, clients MUST use 5 as the default." */
const DEFAULT_INTERVAL_SECONDS = 5;
const LONGEST_INTERVAL_SECONDS = 3_600;
const A_DAY_MS = 86_400_000;

/** What a login server answers as a code; undefined when it cannot be shown or used. */
export function deviceCodeOf(answer: DeviceAuthorizationResponse, now: number): DeviceCode | undefined {
  return shownCode({
    deviceCode: answer.device_code,
    userCode: answer.user_code,
    verificationUri: answer.verification_uri,
    completeUri: answer.verification_uri_complete,
    intervalSeconds: answer.interval ?? DEFAULT_INTERVAL_SECONDS,
    expiresAt: now + Math.min(answer.expires_in * 1000, A_DAY_MS),
  });
}

/**
 * A device code out of unchecked parts, an answer or a file; undefined when it cannot be shown or used. Addresses come
 * out in ASCII, so that nothing in them is obeyed by a terminal.
 */
export function shownCode(
  parts: Readonly<Partial<Record<keyof DeviceCode, unknown>>>,
): DeviceCode | undefined {
  const { deviceCode, userCode, intervalSeconds, expiresAt } = parts;
  const verificationUri = shownAddress(parts.verificationUri);
  if (typeof deviceCode !== "string" || deviceCode === "" || verificationUri === undefined) return undefined;
  if (typeof userCode !== "string" || !/^[\x21-\x7e](?:[\x20-\x7e]{0,62}[\x21-\x7e])?$/.test(userCode))
    return undefined;
  if (typeof intervalSeconds !== "number" || !(intervalSeconds > 0)) return undefined;
  if (typeof expiresAt !== "number" || !Number.isFinite(expiresAt)) return undefined;
  return {
    deviceCode,
    userCode,
    verificationUri,
    completeUri: shownAddress(parts.completeUri),
    intervalSeconds: Math.min(intervalSeconds, LONGEST_INTERVAL_SECONDS),
    expiresAt,
  };
}

function shownAddress(value: unknown): string | undefined {
  if (typeof value !== "string" || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  return isSafeAddress(url) && url.href.length <= 2_000 ? url.href : undefined;
}
