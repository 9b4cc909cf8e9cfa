import { SkillError } from "skillctl";

/** The accepted signals. */
export type Signal = "logs" | "traces";

type Fields = Readonly<Record<string, unknown>>;

/** The names of the three levels of a request. */
const LEVELS = {
  logs: ["resourceLogs", "scopeLogs", "logRecords"],
  traces: ["resourceSpans", "scopeSpans", "spans"],
} as const;
/** The maximum number of records in a request: a collector sends 8,192. */
const MOST_RECORDS = 10_000;
/** The maximum length of a name, since a resource passes it on to each of its records. */
const LONGEST_NAME = 200;
/** The maximum depth of a value; an event keeps fewer levels, and marks omitted parts. */
const MOST_DEPTH = 40;
const STATUS_ERROR = 2;
/** The attributes of a record that is an event of a point; the run is that of the server unless it is named. */
const TAGS: readonly string[] = ["debug.session", "debug.hypothesis", "debug.point", "debug.run"];

/**
 * The events of an export request, in its order. A record that names the session, a hypothesis and a point is an event of that
 * point; others are context: they name no hypothesis.
 * @param request in its JSON form; identifiers may be bytes
 * @throws SkillError `BODY_UNREADABLE`, `DEBUG_TOO_MANY`
 */
export function eventsOf(signal: Signal, request: unknown, session: string): readonly Fields[] {
  const [resources, scopes, records] = LEVELS[signal];
  const event = signal === "logs" ? logEvent : spanEvent;
  const events: Fields[] = [];
  // Null stands for a missing field, but not for a message.
  const body = fieldsOf(request ?? [], "The body");
  for (const [name] of Object.values(LEVELS)) itemsOf(body[name], name);
  for (const one of itemsOf(body[resources], resources)) {
    const resource = attributesOf(fieldsOf(one["resource"], "resource")["attributes"]);
    for (const two of itemsOf(one[scopes], scopes)) {
      const scope = fieldsOf(two["scope"], "scope");
      const around = { resource, scope: attributesOf(scope["attributes"]) };
      for (const record of itemsOf(two[records], records)) {
        if (events.length === MOST_RECORDS)
          throw new SkillError("DEBUG_TOO_MANY", "The body holds more than 10,000 records.");
        const { place, data } = placed(attributesOf(record["attributes"]), around, session);
        events.push({
          ...place,
          ...event(record, data),
          traceId: idOf(record["traceId"]),
          spanId: idOf(record["spanId"]),
          service: nameOf(resource["service.name"]),
          scope: nameOf(scope["name"]),
        });
      }
    }
  }
  return events;
}

function logEvent(record: Fields, data: Fields): Fields {
  const body = valueOf(record["body"]);
  const isText = typeof body === "string";
  return {
    msg: isText ? body : nameOf(record["eventName"]),
    data: isText || body === null ? data : { ...data, body },
    ts: msOf(record["timeUnixNano"]) ?? msOf(record["observedTimeUnixNano"]),
    severity: nameOf(record["severityText"]) ?? record["severityNumber"],
    ...(isText && { eventName: nameOf(record["eventName"]) }),
  };
}

/** A span is one event, reported when it ends; `ts` is its start. */
function spanEvent(span: Fields, data: Fields): Fields {
  const [start, end] = [msOf(span["startTimeUnixNano"]), msOf(span["endTimeUnixNano"])];
  const { code, message } = fieldsOf(span["status"], "status");
  const events = itemsOf(span["events"], "events").map(({ name, timeUnixNano, attributes }) => ({
    name,
    ts: msOf(timeUnixNano),
    data: attributesOf(attributes),
  }));
  return {
    msg: span["name"],
    data: events.length > 0 ? { ...data, events } : data,
    ts: start,
    parentSpanId: idOf(span["parentSpanId"]),
    ...(start !== undefined &&
      end !== undefined && { durationMs: Math.round((end - start) * 1_000) / 1_000 }),
    ...(code === STATUS_ERROR && { error: message ?? true }),
  };
}

/**
 * The point that a record belongs to, and its further attributes. The names may be in the record, its scope or its
 * resource.
 */
function placed(
  own: Fields,
  { scope, resource }: Readonly<Record<"scope" | "resource", Fields>>,
  session: string,
): { readonly place: Fields; readonly data: Fields } {
  const [named, hypothesis, point, run] = TAGS.map((tag) =>
    nameOf([own, scope, resource].map((attributes) => attributes[tag]).find(Boolean)),
  );
  if (named !== session || hypothesis === undefined || point === undefined) return { place: {}, data: own };
  const data = Object.fromEntries(Object.entries(own).filter(([name]) => !TAGS.includes(name)));
  return { place: { sessionId: session, runId: run, hypothesisId: hypothesis, location: point }, data };
}

/** The value of an `AnyValue`; null if it is empty. */
function valueOf(any: unknown, depth = 0): unknown {
  if (any === undefined || any === null || depth > MOST_DEPTH) return null;
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = fieldsOf(
    any,
    "A value",
  );
  if (typeof intValue === "string" || typeof intValue === "number") {
    const value = Number(intValue);
    return Number.isSafeInteger(value) ? value : String(intValue);
  }
  // JSON cannot represent these numbers.
  if (typeof doubleValue === "number" && !Number.isFinite(doubleValue)) return String(doubleValue);
  if (arrayValue !== undefined)
    return itemsOf(fieldsOf(arrayValue, "arrayValue")["values"], "values").map((one) =>
      valueOf(one, depth + 1),
    );
  if (kvlistValue !== undefined)
    return attributesOf(fieldsOf(kvlistValue, "kvlistValue")["values"], depth + 1);
  const bytes = bytesValue instanceof Uint8Array ? Buffer.from(bytesValue).toString("base64") : bytesValue;
  return stringValue ?? boolValue ?? doubleValue ?? bytes ?? null;
}

function attributesOf(list: unknown, depth = 0): Fields {
  const entries = itemsOf(list, "attributes").map(
    ({ key, value }) => [typeof key === "string" ? key : "", valueOf(value, depth)] as const,
  );
  return Object.fromEntries(entries);
}

function fieldsOf(value: unknown, name: string): Fields {
  if (value === undefined || value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) return value as Fields;
  throw new SkillError("BODY_UNREADABLE", `${name} is not an object.`);
}

function itemsOf(value: unknown, name: string): readonly Fields[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.map((one: unknown) => fieldsOf(one, `An element of ${name}`));
  throw new SkillError("BODY_UNREADABLE", `${name} is not an array.`);
}

/** A name that may be repeated in many records. */
function nameOf(value: unknown): string | undefined {
  const text = Array.isArray(value) ? value.join(",") : value;
  return typeof text === "string" && text !== "" && text.length <= LONGEST_NAME ? text : undefined;
}

/** An id from bytes or hexadecimal digits; `undefined` for all zeros. */
function idOf(value: unknown): string | undefined {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
  return typeof text === "string" && /^(?!0*$)[0-9a-f]{16,32}$/i.test(text) ? text.toLowerCase() : undefined;
}

/** Nanoseconds as milliseconds since the epoch, with three decimals; `undefined` for 0. */
function msOf(nanoseconds: unknown): number | undefined {
  const text = typeof nanoseconds === "number" ? nanoseconds.toFixed(0) : nanoseconds;
  if (typeof text !== "string" || !/^\d{1,20}$/.test(text)) return undefined;
  return Number(BigInt(text) / 1_000n) / 1_000 || undefined;
}
