/** The reading of originals, loaded when files change: a question needs none of it. The program has one copy (scripts/build.ts). */
export { formatOf } from "../import/format.ts";
export { FORMATS } from "../import/formats.ts";
export { Partitions, isUsable, readSource } from "./partitions.ts";
export { openSource } from "./source.ts";
