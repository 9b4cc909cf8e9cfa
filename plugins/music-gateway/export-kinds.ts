export type KindName =
  | "distrokid-statement"
  | "spotify-songs"
  | "spotify-timeline"
  | "spotify-audience"
  | "youtube-table";
export const EXPORT_KINDS: readonly { readonly name: KindName }[] = [
  { name: "distrokid-statement" },
  { name: "spotify-songs" },
  { name: "spotify-audience" },
  { name: "youtube-table" },
  { name: "spotify-timeline" },
];
