import type { CtyType } from "./type";
import type { CtyValue } from "./value";

/** Turns values of one type into Terraform's msgpack form and back. */
export interface Codec {
  /** @throws CtyError when the value does not fit the type. */
  readonly encode: (value: CtyValue) => Uint8Array;
  /** @throws CtyError when the bytes are malformed or do not fit the type. */
  readonly decode: (bytes: Uint8Array) => CtyValue;
}

/** Prepares the codec of a type; do it once per type and keep it. */
export function compile(type: CtyType): Codec {
  throw new Error(`not yet: ${JSON.stringify(type)}`);
}
