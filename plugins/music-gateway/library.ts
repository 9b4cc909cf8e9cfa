export type { DataSource } from "./store/library.ts";
