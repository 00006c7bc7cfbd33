import { isFailure } from "../../../../../src/core/failure/failure";
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  verify,
} from "node:crypto";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openKey } from "../../../../../src/core/signing/sigstore/key/open-key";
import { toPem } from "../../../../../src/core/signing/sigstore/der/der-element";
import { temporaryFolder } from "../../../../local/signing/local-services";
import { openClient, textsOf } from "../service/client-bench";

const fixtures = join(__dirname, "fixtures");
const cosignKey = join(fixtures, "cosign.key");
const password = "correct horse";
const content = Buffer.from("signed");

async function open(reference: string, env: Readonly<Record<string, string>> = {}) {
  const { http, context } = openClient();
  const secrets: string[] = [];
  const redact = (secret: string) => secrets.push(secret);
  const signer = await openKey(reference, { http, env, redact }, context);
  return { signer, secrets, signature: await signer.sign(content, context) };
}

async function failure(reference: string, env: Readonly<Record<string, string>> = {}) {
  const error: unknown = await open(reference, env).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (isFailure(error)) return error;
  throw error instanceof Error ? error : new Error("the key was opened");
}

async function fileWith(content: string): Promise<string> {
  const file = join(await temporaryFolder(), "a.key");
  await writeFile(file, content);
  return file;
}

function pemOf(key: KeyObject, type: "pkcs8" | "sec1" | "pkcs1" = "pkcs8"): string {
  return key.export({ type, format: "pem" } as { type: "pkcs8"; format: "pem" }).toString();
}

const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });

describe("a key file", () => {
  test("of cosign is decrypted with the password, and its public key is the one cosign wrote", async () => {
    const { signer, signature, secrets } = await open(cosignKey, { COSIGN_PASSWORD: password });
    const publicKey = createPublicKey(readFileSync(join(fixtures, "cosign.pub")));
    expect(signer.publicKey.equals(publicKey)).toBe(true);
    expect(verify("sha256", content, publicKey, signature)).toBe(true);
    expect(secrets).toEqual([password]);
  });

  test("with the older label is read, too", async () => {
    const older = readFileSync(cosignKey, "utf8").replaceAll("SIGSTORE", "COSIGN");
    const { signer } = await open(await fileWith(older), { COSIGN_PASSWORD: password });
    expect(signer.hash).toBe("sha256");
  });

  test("without its password names the variable", async () => {
    expect(await failure(cosignKey)).toMatchObject({
      code: "KEY_PASSWORD",
      message: `the file ${JSON.stringify(cosignKey)} is encrypted: set the environment variable COSIGN_PASSWORD to its password`,
    });
  });

  test.each(["", "wrong horse"])("is not decrypted with the password %j", async (wrong) => {
    const error = await failure(cosignKey, { COSIGN_PASSWORD: wrong });
    expect(error).toMatchObject({ code: "KEY_PASSWORD" });
    expect(error.message).toContain("the password is wrong, or the file is damaged");
    if (wrong !== "") expect(textsOf(error).split("\n")[0]).not.toContain(wrong);
  });

  test("that was changed is not decrypted", async () => {
    const pem = readFileSync(cosignKey, "utf8");
    const json = Buffer.from(pem.split("\n").slice(1, -2).join(""), "base64").toString("utf8");
    const box = JSON.parse(json) as { ciphertext: string };
    const bytes = Buffer.from(box.ciphertext, "base64");
    bytes.writeUInt8(bytes.readUInt8(40) ^ 1, 40);
    box.ciphertext = bytes.toString("base64");
    const file = await fileWith(
      toPem("ENCRYPTED SIGSTORE PRIVATE KEY", Buffer.from(JSON.stringify(box))),
    );
    expect(await failure(file, { COSIGN_PASSWORD: password })).toMatchObject({
      code: "KEY_PASSWORD",
    });
  });

  test.each([
    ["N", 2 ** 24, 8, 1],
    ["a cost that is no power of two", 65_535, 8, 1],
    ["the memory", 2 ** 20, 16, 1],
    ["r", 65_536, 2 ** 20, 1],
    ["p", 65_536, 8, 2 ** 20],
    ["zero", 65_536, 0, 1],
  ])("cannot make us derive for ever: %s", async (_, N, r, p) => {
    const box = {
      kdf: { name: "scrypt", params: { N, r, p }, salt: "AAAA" },
      cipher: { name: "nacl/secretbox", nonce: Buffer.alloc(24).toString("base64") },
      ciphertext: "AAAA",
    };
    const file = await fileWith(
      toPem("ENCRYPTED SIGSTORE PRIVATE KEY", Buffer.from(JSON.stringify(box))),
    );
    const error = await failure(file, { COSIGN_PASSWORD: "a" });
    expect(error.message).toContain(`the scrypt parameters N=${N}, r=${r}, p=${p} are outside`);
  });

  test.each([
    ["PKCS #8", pemOf(ec.privateKey)],
    ["SEC 1", pemOf(ec.privateKey, "sec1")],
    [
      "RSA in PKCS #1",
      pemOf(generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey, "pkcs1"),
    ],
    ["Ed25519", pemOf(generateKeyPairSync("ed25519").privateKey)],
  ])("in %s signs", async (_, pem) => {
    const { signer, signature } = await open(await fileWith(pem));
    const algorithm = signer.publicKey.asymmetricKeyType === "ed25519" ? null : "sha256";
    expect(verify(algorithm, content, signer.publicKey, signature)).toBe(true);
    expect(signer.publicKey.equals(createPublicKey(createPrivateKey(pem)))).toBe(true);
  });

  test("in encrypted PKCS #8 needs its password", async () => {
    const pem = ec.privateKey.export({
      type: "pkcs8",
      format: "pem",
      cipher: "aes-256-cbc",
      passphrase: "secret",
    } as const);
    const file = await fileWith(pem.toString());
    const { signer } = await open(file, { COSIGN_PASSWORD: "secret" });
    expect(signer.publicKey.equals(ec.publicKey)).toBe(true);
    expect(await failure(file)).toMatchObject({ code: "KEY_PASSWORD" });
    expect(await failure(file, { COSIGN_PASSWORD: "wrong" })).toMatchObject({
      code: "KEY_PASSWORD",
    });
  });

  test.each([
    ["no key", "hello", /must contain exactly one private key in PEM, found no private key/],
    [
      "a public key",
      ec.publicKey.export({ type: "spki", format: "pem" }).toString(),
      /found no private key/,
    ],
    ["two keys", pemOf(ec.privateKey).repeat(2), /found 2 private keys/],
    ["a damaged key", toPem("PRIVATE KEY", Buffer.alloc(3)), /cannot be read/],
    [
      "a weak key",
      pemOf(generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey),
      /RSA with 2048 to 8192 bits/,
    ],
    [
      "another kind of key",
      pemOf(generateKeyPairSync("x25519").privateKey),
      /is not supported \(supported: ECDSA with P-256, P-384 or P-521, Ed25519, or RSA/,
    ],
    ["too much", `${pemOf(ec.privateKey)}${" ".repeat(70_000)}`, /it has more than 65536 bytes/],
  ])("with %s is refused", async (_, text, message) => {
    const error = await failure(await fileWith(text));
    expect(error.code).toBe("KEY");
    expect(error.message).toMatch(message);
  });

  test("that does not exist is named", async () => {
    const error = await failure("/nonexistent/a.key");
    expect(error).toMatchObject({
      code: "KEY",
      message: 'the file "/nonexistent/a.key" cannot be used: it does not exist',
    });
  });
});

describe("a key in an environment variable", () => {
  test("signs, and is redacted", async () => {
    const pem = pemOf(ec.privateKey);
    const { signer, secrets } = await open("env://RELEASE_KEY", { RELEASE_KEY: pem });
    expect(signer.publicKey.equals(ec.publicKey)).toBe(true);
    expect(secrets).toContain(pem);
  });

  test("that is not set is named", async () => {
    expect((await failure("env://RELEASE_KEY")).message).toBe(
      "the environment variable RELEASE_KEY is not set: it must contain the key in PEM",
    );
  });
});
