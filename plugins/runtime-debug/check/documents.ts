/** Names of documents that have no ending. */
export const DOCUMENT_NAMES =
  /^(?:change(?:s|log)|readme|news|history|authors|license|copying|todo|contributing)$/i;
