import type { DataSource } from "./library/library.ts";

/** The account id of each source: digits, as the session id has them. The sample and one's own files are two accounts. */
const ACCOUNTS: Readonly<Record<DataSource, string>> = { sample: "10000001", imports: "20000001" };

export function accountOf(source: DataSource): string {
  return ACCOUNTS[source];
}

/** What the data are, for the notice of the service and the announcement of `serve`. */
export function dataLabel(source: DataSource, files: number): string {
  return source === "sample" ? "sample data" : `your imported files (${files})`;
}
