import { constants, generateKeyPairSync, privateEncrypt } from "node:crypto";
import { readTextField } from "../../../src/local-service/read-field";
import { formatRepository } from "../../../src/signing/oci/reference/repository";
import { sign } from "../../../src/signing/sign/declare";
import { startScriptedServer } from "../../http/scripted-server";
import { openBench } from "../sign/signing-bench";
import { make, policyText, start, verifyImage } from "./signing";

const names = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"] as const;

// The SDK reads them from the process's environment, and from nowhere else.
const before = names.map((name) => [name, process.env[name]] as const);
beforeAll(() => {
  for (const name of names) process.env[name] = "eu-central-1";
});
afterAll(() => {
  for (const [name, value] of before) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
});

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
// DigestInfo of SHA-256 up to the digest (RFC 8017, 9.2).
const digestInfo = Buffer.from("3031300d060960864801650304020105000420", "hex");

/** Signs digests as AWS KMS does. */
async function service() {
  const spki = rsa.publicKey.export({ type: "spki", format: "der" });
  const answer = { headers: { "content-type": "application/x-amz-json-1.1" } };
  return startScriptedServer(({ headers, body }) => {
    if (headers["x-amz-target"] === "TrentService.GetPublicKey") {
      const key = { KeyUsage: "SIGN_VERIFY", PublicKey: spki.toString("base64") };
      return { ...answer, body: JSON.stringify(key) };
    }
    const asked: unknown = JSON.parse(body.toString());
    const digest = Buffer.from(readTextField(asked, "Message"), "base64");
    const padding = { key: rsa.privateKey, padding: constants.RSA_PKCS1_PADDING };
    const signature = privateEncrypt(padding, Buffer.concat([digestInfo, digest]));
    return { ...answer, body: JSON.stringify({ Signature: signature.toString("base64") }) };
  });
}

test("an image is signed in both formats with a key in AWS KMS, and a policy with the public key accepts it", async () => {
  const bench = await openBench();
  const pushed = await bench.pushImage("signed by a service");
  const image = `${formatRepository(pushed)}@${pushed.digest}`;
  const { port } = await service();
  const { addresses, files } = bench.local;
  const provider = await start({
    trustedRoot: files.trustedRoot,
    rekorUrl: addresses.transparencyLog,
  });
  const key = `awskms://127.0.0.1:${port}/alias/releases`;
  const { state } = await make(provider, sign, { image, key, signatureFormat: "both" });
  expect(state).toMatchObject({ key, fulcioUrl: null, rekorUrl: addresses.transparencyLog });
  const data = rsa.publicKey.export({ type: "spki", format: "pem" }).toString();
  for (const format of [{}, { signatureFormat: "bundle" }]) {
    const ctlog = { url: addresses.transparencyLog };
    const policy = policyText(bench.local, { authorities: [{ key: { data }, ctlog, ...format }] });
    expect((await verifyImage(provider, image, policy)).told).toEqual([]);
  }
});
