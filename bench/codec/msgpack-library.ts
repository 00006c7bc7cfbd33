// Only the library: it encodes and decodes values of any type, keeps their names, and refuses
// nothing. Our codec also translates names, and checks every value against its type.
import { decode, encode, ExtensionCodec } from "@msgpack/msgpack";
import { UNKNOWN } from "../../src/schema/unknown";
import type { CtyRecord } from "../../src/provider-kit/cty/value";
import type { ValueSample } from "./plan-sample";

/** The library passes only objects to its extensions. */
const unknown = Object.freeze({});
const extensionCodec = new ExtensionCodec();
extensionCodec.register({
  type: 0,
  encode: (value: unknown) => (value === unknown ? Uint8Array.of(0) : null),
  decode: () => UNKNOWN,
});

/** Encodes and decodes the configuration and the planned state. */
export function take({ config, planned }: ValueSample): number {
  return count(roundTrip(config)) + count(roundTrip(planned));
}

/** In the sample, only whole attributes are unknown. */
function roundTrip(value: CtyRecord): unknown {
  const known: Record<string, unknown> = {};
  for (const name of Object.keys(value))
    known[name] = value[name] === UNKNOWN ? unknown : value[name];
  return decode(encode(known, { extensionCodec }), { extensionCodec });
}

const count = (value: unknown): number =>
  typeof value === "object" && value !== null ? Object.keys(value).length : 0;
