import { DerError } from "./der-error";

/**
 * Encodes an object identifier in dotted form as content octets.
 *
 * @throws DerError if the string is not an object identifier
 */
export function encodeObjectIdentifier(dotted: string): Buffer {
  if (!/^[0-2](?:\.(?:0|[1-9]\d*))+$/.test(dotted)) {
    throw new DerError("INVALID_VALUE", `"${dotted}" is not an object identifier`);
  }
  const [first = 0n, second = 0n, ...rest] = dotted.split(".").map(BigInt);
  if (first < 2n && second > 39n) {
    throw new DerError("INVALID_VALUE", `the second number of "${dotted}" is above 39`);
  }
  return Buffer.from([first * 40n + second, ...rest].flatMap(base128));
}

/**
 * Decodes content octets to an object identifier in dotted form.
 *
 * @throws DerError if the octets are not an object identifier in its shortest form
 */
export function decodeObjectIdentifier(content: Uint8Array): string {
  const numbers: bigint[] = [];
  let value = 0n;
  let inside = false;
  for (const octet of content) {
    if (!inside && octet === 0x80) {
      throw new DerError("NOT_CANONICAL", "a number of an object identifier has a leading zero");
    }
    value = (value << 7n) | BigInt(octet & 0x7f);
    inside = (octet & 0x80) !== 0;
    if (!inside) {
      numbers.push(value);
      value = 0n;
    } else if (value > 1n << 128n) {
      throw new DerError("UNSUPPORTED", "a number of an object identifier has more than 128 bits");
    }
  }
  const [head, ...rest] = numbers;
  if (head === undefined || inside) {
    throw new DerError("INVALID_VALUE", "an object identifier ends inside a number");
  }
  const first = head < 80n ? head / 40n : 2n;
  return [first, head - first * 40n, ...rest].join(".");
}

function base128(value: bigint): readonly number[] {
  const octets = [Number(value & 0x7fn)];
  for (let left = value >> 7n; left > 0n; left >>= 7n) {
    octets.unshift(Number(left & 0x7fn) | 0x80);
  }
  return octets;
}
