export type { Catalog, Collection } from "../store/catalog.ts";
export type { Parameters, ResultRow as Row } from "../store/database.ts";
