/** Valid and invalid values, by format of JSON Schema. */
export const FORMATS: Readonly<
  Record<string, { readonly fit: readonly string[]; readonly misfit: readonly string[] }>
> = {
  date: { fit: ["2026-07-01", "2024-02-29"], misfit: ["2026-02-30", "2026-7-1", "01.07.2026"] },
  time: { fit: ["23:59:59Z", "08:30:00+02:00"], misfit: ["24:00:00Z", "8:30"] },
  "date-time": {
    fit: ["2026-07-01T08:30:00Z", "2026-07-01T08:30:00.123+08:00"],
    misfit: ["2026-07-01 morning", "2026-13-01T00:00:00Z", "2026-07-01"],
  },
  duration: { fit: ["P1D", "PT5M"], misfit: ["1 day", "P"] },
  email: { fit: ["a@b.co"], misfit: ["ada", "ada@"] },
  hostname: { fit: ["example.org", "localhost"], misfit: ["-example.org", "a b"] },
  ipv4: { fit: ["127.0.0.1"], misfit: ["256.0.0.1", "127.0.0"] },
  ipv6: { fit: ["::1", "2001:db8::1"], misfit: ["12345::", ":::"] },
  uri: { fit: ["https://example.org/a?b=c#d"], misfit: ["/a/b", "not an address"] },
  "uri-reference": { fit: ["/a/b", "https://example.org"], misfit: ["a b\\"] },
  uuid: {
    fit: ["9a1f4b3e-5c2d-4e6f-8a7b-0c1d2e3f4a5b"],
    misfit: ["9a1f4b3e", "zzzzzzzz-5c2d-4e6f-8a7b-0c1d2e3f4a5b"],
  },
  "json-pointer": { fit: ["", "/a/0/b~1c"], misfit: ["a/b", "/a~2"] },
  regex: { fit: ["^a+$"], misfit: ["(", "a**"] },
};
