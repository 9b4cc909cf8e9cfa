import protobuf from "protobufjs/light.js";
import data from "./messages.json" with { type: "json" };

/** The messages of OTLP 1, with the fields that are read and written here. */
const MESSAGES = protobuf.Root.fromJSON(data);

/** A message as JSON has it, but bytes are bytes. @throws Error for what is no such message, or goes too deep */
export function decoded(name: string, bytes: Uint8Array): object {
  const type = MESSAGES.lookupType(name);
  return type.toObject(type.decode(bytes), { longs: String });
}

export function encoded(name: string, message: object): Uint8Array {
  const type = MESSAGES.lookupType(name);
  return type.encode(type.fromObject(message)).finish();
}
