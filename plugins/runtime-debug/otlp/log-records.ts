import { isObject, type LogEvent } from "../store/log/log-lines.ts";

/** The latest time in milliseconds whose nanoseconds are sent. */
const LATEST_MS = 9e12;

/**
 * The attribute for the servers that have forwarded an event; each adds itself, and refuses events it has already
 * forwarded.
 */
const VIA = "debug.via";

/** Whether an event comes back to a server that has forwarded it. */
export function hasPassed({ data }: LogEvent, server: string): boolean {
  return viaOf(data).includes(server);
}

/** The export request for stored events, in their order, in the JSON form of OTLP. `server` is the sender. */
export function requestOf(events: readonly LogEvent[], server: string): object {
  // Each run of consecutive events of a service gets its own resource, which keeps the order of all events.
  const rows: { readonly service: unknown; readonly logRecords: object[] }[] = [];
  for (const event of events) {
    const { service = "skillctl" } = event;
    if (rows.at(-1)?.service !== service) rows.push({ service, logRecords: [] });
    rows.at(-1)?.logRecords.push(recordOf(event, server));
  }
  return {
    resourceLogs: rows.map(({ service, logRecords }) => ({
      resource: { attributes: attributesOf({ "service.name": service }) },
      scopeLogs: [{ scope: { name: "skillctl" }, logRecords }],
    })),
  };
}

/** Values are attributes under their own names, and so are further fields of the event. */
function recordOf(event: LogEvent, server: string): object {
  const { sessionId, runId, hypothesisId, location, msg, message, data, ts, timestamp, ...rest } = event;
  const { service: _service, traceId, spanId, _seq, _at, _run, _src, _flags, ...further } = rest;
  const time = nanosecondsOf(_at);
  const attributes = {
    ...further,
    ...(isObject(data) ? data : { data }),
    "debug.session": sessionId,
    "debug.run": _run ?? runId,
    "debug.hypothesis": hypothesisId,
    "debug.point": location,
    "debug.seq": _seq,
    "debug.flags": _flags,
    [VIA]: [...viaOf(data), server],
  };
  return {
    timeUnixNano: nanosecondsOf(ts ?? timestamp) ?? time,
    observedTimeUnixNano: time,
    body: valueOf(msg ?? message ?? ""),
    attributes: attributesOf(attributes),
    ...(isId(traceId, 32) && { traceId }),
    ...(isId(spanId, 16) && { spanId }),
  };
}

function viaOf(data: unknown): readonly unknown[] {
  const via = typeof data === "object" && data !== null ? (data as LogEvent)[VIA] : undefined;
  return Array.isArray(via) ? via : [];
}

function attributesOf(values: object): readonly object[] {
  return Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ({ key, value: valueOf(value) }));
}

/** A JSON value as an `AnyValue`; null becomes an empty one. */
function valueOf(value: unknown): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(valueOf) } };
  return value ? { kvlistValue: { values: attributesOf(value) } } : {};
}

function nanosecondsOf(ms: unknown): string | undefined {
  if (typeof ms !== "number" || !(ms > 0 && ms < LATEST_MS)) return undefined;
  return `${Math.round(ms * 1_000)}000`;
}

function isId(value: unknown, digits: number): boolean {
  return typeof value === "string" && value.length === digits && /^[0-9a-f]+$/.test(value);
}
