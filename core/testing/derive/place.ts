import { isObject } from "../../schema/predicate.ts";
import type { Keywords } from "./flat.ts";
import type { Sampler } from "./sampler.ts";

/** A schema at one place of a document, with values that fit it there, the preferred one first. */
export interface Place {
  readonly schema: unknown;
  readonly hosts: readonly unknown[];
  readonly base?: unknown;
}

/** A place inside another one. */
export interface HeldPlace extends Place {
  readonly key: string | number;
  /** The outer values with a part put in its place: the first that works is used. */
  readonly holds: readonly ((part: unknown) => unknown)[];
}

/** The places directly inside: properties, one further property where any name goes, and the first item. */
export function* heldBy({ schema, hosts }: Place, plain: Keywords, sampler: Sampler): Generator<HeldPlace> {
  for (const [key, part] of Object.entries(plain.properties ?? {})) {
    yield held(key, part, withKey(key, schema, hosts, sampler), sampler);
  }
  if (isObject(plain.additionalProperties)) {
    const [found] = hosts.flatMap((host) => further(host, plain));
    const [name] = found === undefined ? Object.keys(sampler.extra(plain, 1)) : [found];
    if (name !== undefined) yield held(name, plain.additionalProperties, hosts, sampler);
  }
  if (isObject(plain.items) && plain.maxItems !== 0) {
    const parts = hosts.flatMap((host) => (Array.isArray(host) ? host.slice(0, 1) : []));
    const holds = hosts.map((host) => (part: unknown) => [
      part,
      ...(Array.isArray(host) ? host.slice(1) : []),
    ]);
    const own = parts.length > 0 ? parts : sampler.sample(plain.items);
    if (holds.length > 0) yield { key: 0, schema: plain.items, hosts: own, holds };
  }
}

function held(key: string, schema: unknown, outer: readonly unknown[], sampler: Sampler): HeldPlace {
  const objects = outer.filter(isObject);
  const parts = objects.filter((host) => key in host).map((host) => host[key]);
  const hosts = [...parts.slice(0, 3), ...(parts.length > 0 ? [] : sampler.sample(schema))];
  return {
    key,
    schema,
    hosts,
    holds: objects.slice(0, 4).map((host) => (part) => ({ ...host, [key]: part })),
  };
}

/** Values of the outer schema that may carry a property: those that have it first. */
function withKey(
  key: string,
  schema: unknown,
  hosts: readonly unknown[],
  sampler: Sampler,
): readonly unknown[] {
  const having = hosts.filter((host) => isObject(host) && key in host);
  if (having.length > 0) return having;
  const made = sampler.sample({ allOf: [schema, { required: [key] }] });
  return [...hosts.filter((host) => isObject(host)), ...made];
}

function further(host: unknown, plain: Keywords): readonly string[] {
  return isObject(host) ? Object.keys(host).filter((key) => !(key in (plain.properties ?? {}))) : [];
}
