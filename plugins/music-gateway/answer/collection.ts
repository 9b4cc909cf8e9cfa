import type { Catalog, Collection as Opened } from "../store/catalog.ts";
export type { Parameters, ResultRow as Row } from "../store/database.ts";

/** What answers are computed from: of an opened collection what they need. */
export interface Collection extends Pick<Opened, "source" | "rows"> {
  readonly catalog: Pick<Catalog, "songs" | "stores" | "countries"> & {
    readonly files: readonly { readonly name: string; readonly kind: string; readonly refused: number }[];
  };
}
