import { generateKeyPairSync, sign } from "node:crypto";

/** A key and its certificate, both as PEM. */
interface Certified {
  readonly key: string;
  readonly cert: string;
}

const ECDSA_WITH_SHA256 = "2a8648ce3d040302";
const COMMON_NAME = "550403";
const BASIC_CONSTRAINTS = "551d13";
const ALTERNATIVE_NAME = "551d11";

/** A new self-signed certificate for 127.0.0.1 (RFC 5280, section 4.1). No client trusts it by default. */
export function selfMadeCertificate(): Certified {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(identifier(ECDSA_WITH_SHA256));
  const name = sequence(der(0x31, sequence(identifier(COMMON_NAME), der(0x0c, Buffer.from("self-made")))));
  const content = sequence(
    der(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    sequence(time("200101000000Z"), time("491231235959Z")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(
      0xa3,
      sequence(
        sequence(identifier(BASIC_CONSTRAINTS), octets(sequence(der(0x01, Buffer.of(0xff))))),
        sequence(identifier(ALTERNATIVE_NAME), octets(sequence(der(0x87, Buffer.of(127, 0, 0, 1))))),
      ),
    ),
  );
  const signature = der(0x03, Buffer.of(0), sign("sha256", content, privateKey));
  const body = sequence(content, algorithm, signature).toString("base64").replaceAll(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`,
  };
}

/** A tag, the length and the content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const integer = (value: number): Buffer => der(0x02, Buffer.of(value));
const identifier = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const octets = (content: Uint8Array): Buffer => der(0x04, content);
const time = (utc: string): Buffer => der(0x17, Buffer.from(utc));
