import { constants, publicDecrypt, type KeyObject } from "node:crypto";
import { DerElement, isDerError } from "../../../core/signing/sigstore/der/der-element";
import { readInteger } from "../../../core/signing/sigstore/der/read-value";

interface Point {
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
}

/** A curve y² = x³ - 3x + b over the integers modulo p. */
interface Curve {
  readonly p: bigint;
  /** The number of points. */
  readonly n: bigint;
  readonly generator: Point;
}

/** @see https://doi.org/10.6028/NIST.SP.800-186 */
const curves: Readonly<Record<string, Curve | undefined>> = {
  prime256v1: {
    p: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
    n: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
    generator: {
      x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
      y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
      z: 1n,
    },
  },
  secp384r1: {
    p: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
    n: 0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
    generator: {
      x: 0xaa87ca22be8b05378eb1c71ef320ad746e1d3b628ba79b9859f741e082542a385502f25dbf55296c3a545e3872760ab7n,
      y: 0x3617de4a96262c6f5d9e98bf9292dc29f8f41dbd289a147ce9da3113b5f0b8c00a60b1ce1d7e819d7a431d7c90ea0e5fn,
      z: 1n,
    },
  },
  secp521r1: {
    p: 2n ** 521n - 1n,
    n: 0x01fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffa51868783bf2f966b7fcc0148f709a5d03bb5c9b8899c47aebb6fb71e91386409n,
    generator: {
      x: 0xc6858e06b70404e9cd9e3ecb662395b4429c648139053fb521f828af606b4d3dbaa14b5e77efe75928fe1dc127a2ffa8de3348b3c1856a429bf97e7e31c2e5bd66n,
      y: 0x011839296a789a3bc0045c8a5fb42c7d1bd998f54449579b446817afbd17273e662c97ee72995ef42640c550b9013fad0761353c7086a272c24088be94769fd16650n,
      z: 1n,
    },
  },
};
const infinity: Point = { x: 1n, y: 1n, z: 0n };

/**
 * Verifies a signature over data of which only the SHA-256 digest is known.
 *
 * A hashedrekord entry does not contain the data, and node:crypto always hashes ECDSA's input. It does not
 * run in constant time, which verification does not need. Supports ECDSA, and RSA with PKCS #1 version 1.5.
 */
export function verifyDigest(digest: Buffer, signature: Buffer, key: KeyObject): boolean {
  if (key.asymmetricKeyType === "rsa") return verifyRsa(digest, signature, key);
  const curve = curves[key.asymmetricKeyDetails?.namedCurve ?? ""];
  if (curve === undefined) return false;
  const { p, n } = curve;
  const [r = 0n, s = 0n] = readSignature(signature) ?? [];
  if (r <= 0n || r >= n || s <= 0n || s >= n) return false;
  const inverse = invert(s, n);
  const first = mod(toBigInt(digest) * inverse, n);
  const sum = addMultiples(curve, first, mod(r * inverse, n), publicPoint(key));
  if (sum.z === 0n) return false;
  const zInverse = invert(sum.z, p);
  return mod(mod(sum.x * zInverse * zInverse, p), n) === r;
}

function publicPoint(key: KeyObject): Point {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  const coordinate = (text: string): bigint => toBigInt(Buffer.from(text, "base64url"));
  return { x: coordinate(x), y: coordinate(y), z: 1n };
}

// DigestInfo of SHA-256 up to the digest (RFC 8017, 9.2).
const digestInfo = Buffer.from("3031300d060960864801650304020105000420", "hex");

function verifyRsa(digest: Buffer, signature: Buffer, key: KeyObject): boolean {
  try {
    const found = publicDecrypt({ key, padding: constants.RSA_PKCS1_PADDING }, signature);
    return found.equals(Buffer.concat([digestInfo, digest]));
  } catch {
    return false;
  }
}

function readSignature(signature: Buffer): readonly bigint[] | undefined {
  try {
    const parts = DerElement.read(signature).sequence().map(readInteger);
    return parts.length === 2 ? parts : undefined;
  } catch (failure) {
    if (isDerError(failure)) return undefined;
    throw failure;
  }
}

/** first·G + second·other, both at once (Shamir's trick). */
function addMultiples(
  { p, n, generator }: Curve,
  first: bigint,
  second: bigint,
  other: Point,
): Point {
  const both = add(p, generator, other);
  let sum = infinity;
  for (let bit = BigInt(n.toString(2).length - 1); bit >= 0n; bit -= 1n) {
    sum = double(p, sum);
    const [one, two] = [(first >> bit) & 1n, (second >> bit) & 1n];
    if (one + two === 2n) sum = add(p, sum, both);
    else if (one === 1n) sum = add(p, sum, generator);
    else if (two === 1n) sum = add(p, sum, other);
  }
  return sum;
}

// Jacobian coordinates: (x/z², y/z³).
function double(p: bigint, { x, y, z }: Point): Point {
  if (z === 0n || y === 0n) return infinity;
  const zz = (z * z) % p;
  const yy = (y * y) % p;
  const s = (4n * x * yy) % p;
  const m = mod(3n * (x - zz) * (x + zz), p);
  const newX = mod(m * m - 2n * s, p);
  return { x: newX, y: mod(m * (s - newX) - 8n * yy * yy, p), z: (2n * y * z) % p };
}

function add(p: bigint, a: Point, b: Point): Point {
  if (a.z === 0n) return b;
  if (b.z === 0n) return a;
  const [azz, bzz] = [(a.z * a.z) % p, (b.z * b.z) % p];
  const [u1, u2] = [(a.x * bzz) % p, (b.x * azz) % p];
  const [s1, s2] = [(a.y * bzz * b.z) % p, (b.y * azz * a.z) % p];
  const h = mod(u2 - u1, p);
  const r = mod(s2 - s1, p);
  if (h === 0n) return r === 0n ? double(p, a) : infinity;
  const hh = (h * h) % p;
  const hhh = (h * hh) % p;
  const v = (u1 * hh) % p;
  const x = mod(r * r - hhh - 2n * v, p);
  return { x, y: mod(r * (v - x) - s1 * hhh, p), z: (((h * a.z) % p) * b.z) % p };
}

function mod(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
}

/** Extended Euclid. */
function invert(value: bigint, modulus: bigint): bigint {
  let [low, high] = [mod(value, modulus), modulus];
  let [x, y] = [1n, 0n];
  while (low > 1n) {
    const quotient = high / low;
    [high, low] = [low, high - quotient * low];
    [y, x] = [x, y - quotient * x];
  }
  return mod(x, modulus);
}

function toBigInt(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString("hex")}`);
}
