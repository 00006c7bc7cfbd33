// The library, with what a provider needs in addition: every value is checked against its type, and
// names are translated. Without the order of sets, large numbers and dynamic values.
import { decode, encode, ExtensionCodec } from "@msgpack/msgpack";
import { UNKNOWN } from "../../src/schema/unknown";
import type { CtyObjectType, CtyType } from "../../src/provider-kit/cty/type";
import type { ValueSample } from "./plan-sample";

/** The library passes only objects to its extensions. */
const unknown = Object.freeze({});
const extensionCodec = new ExtensionCodec();
extensionCodec.register({
  type: 0,
  encode: (value: unknown) => (value === unknown ? Uint8Array.of(0) : null),
  decode: () => UNKNOWN,
});

type Direction = "wire" | "name";

/** Checks a value against its type and translates its names. */
function translated(type: CtyType, value: unknown, to: Direction): unknown {
  if (value === null || value === undefined) return null;
  if (value === UNKNOWN) return to === "wire" ? unknown : UNKNOWN;
  if (type === "string" || type === "number" || type === "bool") {
    if (typeof value !== (type === "bool" ? "boolean" : type)) throw new TypeError(type);
    return value;
  }
  if (typeof type === "string" || typeof value !== "object") throw new TypeError("an object");
  if ("object" in type) return translatedObject(type, new Map(Object.entries(value)), to);
  if ("map" in type) {
    const copy: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value)) copy[key] = translated(type.map, inner, to);
    return copy;
  }
  if ("tuple" in type || !Array.isArray(value)) throw new TypeError("an array");
  const of = "list" in type ? type.list : type.set;
  return value.map((inner) => translated(of, inner, to));
}

function translatedObject(
  type: CtyObjectType,
  value: ReadonlyMap<string, unknown>,
  to: Direction,
): unknown {
  const from = to === "wire" ? "name" : "wire";
  const copy: Record<string, unknown> = {};
  for (const field of type.object) {
    copy[field[to]] = translated(field.type, value.get(field[from]), to);
  }
  if (value.size > type.object.length) throw new TypeError("an attribute that is not declared");
  return copy;
}

/** Encodes and decodes the configuration and the planned state. */
export function take({ type, config, planned }: ValueSample): number {
  const roundTrip = (value: unknown): unknown => {
    const bytes = encode(translated(type, value, "wire"), { extensionCodec });
    return translated(type, decode(bytes, { extensionCodec }), "name");
  };
  return count(roundTrip(config)) + count(roundTrip(planned));
}

const count = (value: unknown): number =>
  typeof value === "object" && value !== null ? Object.keys(value).length : 0;
