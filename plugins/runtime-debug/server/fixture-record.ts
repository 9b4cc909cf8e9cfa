import type { ServerRecord } from "./server-record.ts";

/** What a start on loopback without keys has left. */
export const LOOPBACK_RECORD: ServerRecord = {
  session: "a-b",
  pid: 1,
  instance: "x",
  host: "127.0.0.1",
  port: 7777,
  url: "http://127.0.0.1:7777",
  eventUrl: "http://127.0.0.1:7777/event",
  allowHosts: [],
  run: "pre-fix",
  startedAt: 1,
};
