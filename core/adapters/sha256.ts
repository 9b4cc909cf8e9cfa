/** SHA-256, hexadecimal. The module is not imported: see standard-streams.ts. */
export function sha256(bytes: string | Uint8Array): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(bytes).digest("hex");
}
