import { constants, generateKeyPairSync, privateEncrypt } from "node:crypto";
import { readTextField } from "../../../../src/local/service/request";
import { formatRepository } from "../../../../src/core/signing/oci/reference/image-name";
import { sign } from "../../../../src/core/signing/sign/declare";
import { type Script, startScriptedServer } from "../../http/scripted-server";
import { details } from "../../provider-kit/server/protocol";
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
    const isKnown = headers.authorization?.includes("eu-central-1/kms/aws4_request") === true;
    if (!isKnown) return { status: 400, ...answer, body: '{"__type":"AccessDeniedException"}' };
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

test("an image is signed in both formats with a key in AWS KMS, and policies with the public key or the key's URI accept it", async () => {
  const bench = await openBench();
  const pushed = await bench.pushImage("signed by a service");
  const image = `${formatRepository(pushed)}@${pushed.digest}`;
  const { port, requests } = await service();
  const { addresses, files } = bench.local;
  const provider = await start({
    trustedRoot: files.trustedRoot,
    rekorUrl: addresses.transparencyLog,
  });
  const key = `awskms://127.0.0.1:${port}/alias/releases`;
  const { state } = await make(provider, sign, { image, key, signatureFormat: "both" });
  expect(state).toMatchObject({ key, fulcioUrl: null, rekorUrl: addresses.transparencyLog });
  const data = rsa.publicKey.export({ type: "spki", format: "pem" }).toString();
  const before = requests.length;
  for (const format of [{}, { signatureFormat: "bundle" }]) {
    for (const of of [{ data }, { kms: key }]) {
      const ctlog = { url: addresses.transparencyLog };
      const policy = policyText(bench.local, { authorities: [{ key: of, ctlog, ...format }] });
      expect((await verifyImage(provider, image, policy)).summaries).toEqual([]);
    }
  }
  const asked = requests.slice(before).map(({ headers }) => headers["x-amz-target"]);
  expect(asked).toEqual(["TrentService.GetPublicKey"]);
});

describe("a policy with a key in AWS KMS", () => {
  async function verdict(script: Script, timeout = "3m") {
    const bench = await openBench();
    const pushed = await bench.pushImage("to be verified");
    const { port, requests } = await startScriptedServer(script);
    const provider = await start({ trustedRoot: bench.local.files.trustedRoot, timeout });
    const kms = `awskms://127.0.0.1:${port}/alias/releases`;
    const policy = policyText(bench.local, { authorities: [{ name: "releases", key: { kms } }] });
    const image = `${formatRepository(pushed)}@${pushed.digest}`;
    const { summaries, diagnostics } = await verifyImage(provider, image, policy);
    return { summaries, requests, words: details(diagnostics), log: provider.log.join() };
  }

  test("says in the service's words that nothing is known if the key may not be read", async () => {
    const body = JSON.stringify({ __type: "AccessDeniedException", message: "not for you" });
    const { summaries, words } = await verdict(() => ({
      status: 400,
      headers: { "content-type": "application/x-amz-json-1.1" },
      body,
    }));
    expect(summaries).toEqual(["ERROR image Image Could Not Be Verified"]);
    expect(words).toContain("(NOT_READ): `AWS KMS: AccessDeniedException: not for you`");
  });

  test("ends at the provider's deadline if the service does not respond", async () => {
    const { summaries } = await verdict(() => new Promise(() => undefined), "1s");
    expect(summaries).toEqual(["ERROR - Operation Timed Out"]);
  });

  test("does not follow the service to another host", async () => {
    const other = await startScriptedServer(() => ({ body: "{}" }));
    const { summaries, requests } = await verdict(() => ({
      status: 307,
      headers: { location: `${other.origin}/` },
    }));
    expect(summaries).toEqual(["ERROR image Image Could Not Be Verified"]);
    expect(requests.length).toBeGreaterThan(0);
    expect(other.requests).toEqual([]);
  });
});
