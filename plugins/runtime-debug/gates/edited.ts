/** What a file would hold after a call of a tool. */
export type Edited =
  | { readonly text: string }
  | { readonly gone: true }
  | { readonly unknown: string /* why, after "since " */ };
