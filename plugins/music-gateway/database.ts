import type { Collection } from "./store/catalog.ts";
export type { Parameters } from "./store/database.ts";
export type Database = Pick<Collection, "rows">;
