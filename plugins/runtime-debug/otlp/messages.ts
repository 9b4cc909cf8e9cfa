import protobuf from "protobufjs/light.js";
import data from "./messages.json" with { type: "json" };

/** The messages of OTLP 1, with only the fields that are used here. */
const MESSAGES = protobuf.Root.fromJSON(data);

/**
 * A message in its JSON form, except that bytes stay bytes. @throws Error if it is no such message, or is nested too
 * deeply
 */
export function decoded(name: string, bytes: Uint8Array): object {
  const type = MESSAGES.lookupType(name);
  return type.toObject(type.decode(bytes), { longs: String });
}

export function encoded(name: string, message: object): Uint8Array {
  const type = MESSAGES.lookupType(name);
  return type.encode(type.fromObject(message)).finish();
}
