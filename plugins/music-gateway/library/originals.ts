/** The code that reads originals, loaded when files change: questions do not need it. The program has one copy (scripts/build.ts). */
export { formatOf } from "../import/format.ts";
export { FORMATS } from "../import/formats.ts";
export { Partitions, isUsable, readSource } from "./partitions.ts";
export { openSource } from "./source.ts";
