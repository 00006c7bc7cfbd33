import { scrypt } from "node:crypto";
import { promisify } from "node:util";
import { xsalsa20poly1305 } from "@noble/ciphers/salsa";
import { parseJson, JsonFields } from "../../../json/parse-json";
import { isJsonError } from "../../../json/read-json";
import { fromPem, isDerError } from "../der/der-element";
import { keyError, type KeyError } from "./key-signer";

/** Limits of scrypt, so that a key file can neither fill the memory nor block for minutes. */
const maxCost = 2 ** 20;
const maxBlockSize = 16;
const maxMemoryBytes = 512 * 1024 * 1024;

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

/**
 * Decrypts a key file of cosign: scrypt, and NaCl's secretbox.
 *
 * @returns the private key as DER (PKCS #8); undefined if the password is wrong, or the content damaged
 * @see https://github.com/secure-systems-lab/go-securesystemslib/tree/main/encrypted
 */
export async function decryptKeyFile(
  pem: string,
  label: string,
  source: string,
  password: string,
): Promise<Buffer | undefined> {
  const { cost, blockSize, parallelization, salt, nonce, ciphertext } = readBox(pem, label, source);
  const key = await derive(password, salt, 32, {
    cost,
    blockSize,
    parallelization,
    maxmem: maxMemoryBytes,
  });
  try {
    return Buffer.from(xsalsa20poly1305(key, nonce).decrypt(ciphertext));
  } catch {
    return undefined;
  }
}

function readBox(pem: string, label: string, source: string) {
  const invalid = (problem: string, cause?: unknown) =>
    keyError("KEY", `${source} is not a valid encrypted key file: ${problem}`, { cause });
  const box = parsedBox(pem, label, invalid);
  if (box.algorithms !== "scrypt and nacl/secretbox") {
    throw invalid("it must be encrypted with scrypt and nacl/secretbox");
  }
  const { cost, blockSize, parallelization, nonce } = box;
  const isPowerOfTwo = cost > 1 && Number.isInteger(Math.log2(cost));
  const isBounded = cost <= maxCost && blockSize <= maxBlockSize && parallelization <= 4;
  const isSmall = 128 * cost * blockSize < maxMemoryBytes;
  if (!isPowerOfTwo || blockSize < 1 || parallelization < 1 || !isBounded || !isSmall) {
    throw invalid(
      `the scrypt parameters N=${cost}, r=${blockSize}, p=${parallelization} are outside the supported range`,
    );
  }
  if (nonce.byteLength !== 24) throw invalid("the nonce must have 24 bytes");
  return box;
}

function parsedBox(
  pem: string,
  label: string,
  invalid: (problem: string, cause: unknown) => KeyError,
) {
  try {
    const [json = Buffer.alloc(0)] = fromPem(label, pem);
    const fields = JsonFields.of(parseJson(json), "the content");
    const kdf = fields.fields("kdf");
    const cipher = fields.fields("cipher");
    const params = kdf.fields("params");
    return {
      algorithms: `${kdf.string("name")} and ${cipher.string("name")}`,
      cost: params.integer("N"),
      blockSize: params.integer("r"),
      parallelization: params.integer("p"),
      salt: kdf.base64("salt"),
      nonce: cipher.base64("nonce"),
      ciphertext: fields.base64("ciphertext"),
    };
  } catch (error) {
    if (!isJsonError(error) && !isDerError(error)) throw error;
    throw invalid(error.message, error);
  }
}
