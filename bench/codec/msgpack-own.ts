import { type Codec, compile } from "../../src/provider-kit/cty/codec";
import type { CtyType } from "../../src/provider-kit/cty/type";
import type { CtyValue } from "../../src/provider-kit/cty/value";
import type { ValueSample } from "./plan-sample";

const codecs = new Map<CtyType, Codec>();

/**
 * Encodes and decodes the configuration and the planned state, as both sides of a connection do.
 */
export function take({ type, config, planned }: ValueSample): number {
  let codec = codecs.get(type);
  if (codec === undefined) codecs.set(type, (codec = compile(type)));
  return count(codec.decode(codec.encode(config))) + count(codec.decode(codec.encode(planned)));
}

const count = (value: CtyValue): number =>
  typeof value === "object" && value !== null ? Object.keys(value).length : 0;
