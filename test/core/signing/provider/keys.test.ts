import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTerraformHarness } from "../../../../src/core/provider-kit/testing";
import { attest } from "../../../../src/core/signing/attest/declare";
import { formatRepository } from "../../../../src/core/signing/oci/reference/image-name";
import { tagOfDigest } from "../../../../src/core/signing/oci/reference/descriptor";
import { sign } from "../../../../src/core/signing/sign/declare";
import { details, summaries } from "../../provider-kit/server/protocol";
import type { Values } from "../../provider-kit/plan/planning";
import { temporaryFolder } from "../../../local/signing/local-services";
import { inTime, openBench } from "../sign/signing-bench";
import { apply, type Environment, make, plan, policyText, start, verifyImage } from "./signing";

const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
const password = "correct horse battery";
const predicates = [{ type: "https://example.com/type", json: '{"a":1}' }];

function encrypted(privateKey: KeyObject): string {
  const options = { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: password };
  return privateKey.export(options as { type: "pkcs8"; format: "pem" }).toString();
}

async function keyFile(privateKey: KeyObject = ec.privateKey): Promise<string> {
  const file = join(await temporaryFolder(), "a.key");
  await writeFile(file, encrypted(privateKey));
  return file;
}

/** An image, and a provider without any identity. */
async function open(settings: Values, environment: Environment = { COSIGN_PASSWORD: password }) {
  const bench = await openBench();
  const pushed = await bench.pushImage("signed with a key");
  const { addresses, files } = bench.local;
  const isLogged = settings["transparencyLog"] !== false;
  const provider = await start(
    {
      trustedRoot: files.trustedRoot,
      ...(isLogged && { rekorUrl: addresses.transparencyLog }),
      ...settings,
    },
    environment,
  );
  expect(provider.configured).toEqual([]);
  return { bench, pushed, provider, image: `${formatRepository(pushed)}@${pushed.digest}` };
}

/** A policy that requires a signature, or an attestation, with the key. */
function policy(
  { local }: Awaited<ReturnType<typeof openBench>>,
  { isLogged = true, format = "legacy", key = ec.publicKey, isAttested = false },
): string {
  const data = key.export({ type: "spki", format: "pem" }).toString();
  const authority = {
    key: { data },
    ...(format === "bundle" && { signatureFormat: "bundle" }),
    ...(isLogged && { ctlog: { url: local.addresses.transparencyLog } }),
    ...(isAttested && { attestations: [{ name: "a", predicateType: predicates[0]?.type }] }),
  };
  return policyText(local, { authorities: [authority] });
}

const formats = ["legacy", "bundle"] as const;

describe.each([true, false])("with a key, logged: %j", (isLogged) => {
  test.each([...formats, "both"])(
    "signatures and attestations in the format %s satisfy a policy with the public key, and are made once",
    async (format) => {
      const key = await keyFile();
      const settings = { key, defaultSignatureFormat: format };
      const { bench, provider, image } = await open(
        isLogged ? settings : { ...settings, transparencyLog: false },
      );
      const signed = await make(provider, sign, { image });
      await make(provider, attest, { image, predicates });
      expect(signed.state).toMatchObject({ key: null, skipped: false, fulcioUrl: null });
      const size = await bench.logSize();
      const each = format === "both" ? 2 : 1;
      expect(size).toBe(isLogged ? 2 * each : 0);
      for (const stored of formats.filter((one) => format === "both" || one === format)) {
        for (const isAttested of [false, true]) {
          const wanted = policy(bench, { isLogged, format: stored, isAttested });
          expect((await verifyImage(provider, image, wanted)).summaries).toEqual([]);
          const other = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey;
          const unwanted = policy(bench, { isLogged, format: stored, isAttested, key: other });
          expect((await verifyImage(provider, image, unwanted)).summaries).not.toEqual([]);
        }
      }
      expect((await plan(provider, sign, { image }, signed)).action).toBe("no-op");
      // Another resource, which does not remember what was written.
      await make(provider, sign, { image });
      await make(provider, attest, { image, predicates });
      expect(await bench.logSize()).toBe(size);
      const shown = JSON.stringify([signed.state, String(signed.private)]) + provider.log.join();
      expect(shown).not.toContain(password);
      expect(shown).not.toContain("PRIVATE KEY");
    },
  );
});

test("a policy that requires the log refuses a signature that is not logged", async () => {
  const { bench, provider, image } = await open({ key: await keyFile(), transparencyLog: false });
  await make(provider, sign, { image });
  const { summaries } = await verifyImage(provider, image, policy(bench, {}));
  expect(summaries).toEqual(["ERROR image Image Refused By Policy"]);
});

test("signing again with another key adds a signature, and REPLACE removes only our own", async () => {
  const other = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { bench, pushed, provider, image } = await open({ transparencyLog: false });
  const count = async () => {
    const tag = tagOfDigest(pushed.digest, ".sig");
    const found = await bench.registry.manifests.get(bench.repository, tag, inTime());
    const layers: unknown = found?.json["layers"];
    return Array.isArray(layers) ? layers.length : 0;
  };
  await make(provider, sign, { image, key: await keyFile() });
  await make(provider, sign, { image, key: await keyFile(other.privateKey) });
  expect(await count()).toBe(2);
  await make(provider, sign, { image, key: await keyFile(), conflict: "REPLACE" });
  expect(await count()).toBe(2);
  for (const key of [ec.publicKey, other.publicKey]) {
    const wanted = policy(bench, { isLogged: false, key });
    expect((await verifyImage(provider, image, wanted)).summaries).toEqual([]);
  }
});

test("a timestamp proves the time of a signature that is not logged", async () => {
  const bench = await openBench();
  const { addresses, files } = bench.local;
  const timestampUrl = addresses.timestampAuthority;
  const pushed = await bench.pushImage("stamped");
  const provider = await start(
    {
      key: await keyFile(),
      transparencyLog: false,
      timestampUrl,
      trustedRoot: files.trustedRoot,
      defaultSignatureFormat: "both",
    },
    { COSIGN_PASSWORD: password },
  );
  const image = `${formatRepository(pushed)}@${pushed.digest}`;
  await make(provider, sign, { image });
  const tag = tagOfDigest(pushed.digest, ".sig");
  const found = await bench.registry.manifests.get(bench.repository, tag, inTime());
  expect(JSON.stringify(found?.json)).toContain("rfc3161timestamp");
});

test("bundles are logged in Rekor v2, which refuses other keys in words before anything is sent", async () => {
  const bench = await openBench();
  const { addresses, files } = bench.local;
  const pushed = await bench.pushImage("in the new log");
  const image = `${formatRepository(pushed)}@${pushed.digest}`;
  const provider = await start(
    {
      useRekorV2: true,
      rekorUrl: addresses.transparencyLog,
      timestampUrl: addresses.timestampAuthority,
      trustedRoot: files.trustedRoot,
      defaultSignatureFormat: "bundle",
    },
    { COSIGN_PASSWORD: password },
  );
  await make(provider, sign, { image, key: await keyFile() });
  expect(
    (await verifyImage(provider, image, policy(bench, { format: "bundle" }))).summaries,
  ).toEqual([]);
  for (const [pair, problem] of [
    [generateKeyPairSync("ed25519"), "Rekor v2 accepts only keys for ECDSA P-256"],
    [generateKeyPairSync("rsa", { modulusLength: 2048 }), "an RSA key always makes the same"],
  ] as const) {
    const key = await keyFile(pair.privateKey);
    const { diagnostics } = await apply(provider, sign, { image, key });
    expect(summaries(diagnostics)).toEqual(["ERROR - Signing Key Cannot Be Used"]);
    expect(details(diagnostics)).toContain(problem);
  }
});

describe("a key that cannot be used", () => {
  test.each([
    ["a wrong password", { COSIGN_PASSWORD: "wrong horse" }, "Signing Key Cannot Be Decrypted"],
    ["no password", {}, "Signing Key Cannot Be Decrypted"],
  ])("because of %s writes nothing, and tells no secret", async (_, environment, summary) => {
    const { bench, provider, image } = await open({ key: await keyFile() }, environment);
    const { diagnostics } = await apply(provider, sign, { image });
    expect(summaries(diagnostics)).toEqual([`ERROR - ${summary}`]);
    expect(details(diagnostics)).toContain("COSIGN_PASSWORD");
    expect(details(diagnostics) + provider.log.join()).not.toContain("wrong horse");
    expect(await bench.logSize()).toBe(0);
  });

  test("because the file is missing is named", async () => {
    const { provider, image } = await open({ key: "/nonexistent/a.key" });
    const { diagnostics } = await apply(provider, sign, { image });
    expect(summaries(diagnostics)).toEqual(["ERROR - Signing Key Cannot Be Used"]);
    expect(details(diagnostics)).toContain(
      'the file "/nonexistent/a.key" cannot be used: it does not exist',
    );
  });

  test.each(["legacy", "both"])(
    "because the log cannot verify Ed25519 in the format %s is refused before anything is sent",
    async (signatureFormat) => {
      const key = await keyFile(generateKeyPairSync("ed25519").privateKey);
      const { bench, provider, image } = await open({ key });
      const { diagnostics } = await apply(provider, sign, { image, signatureFormat });
      expect(summaries(diagnostics)).toEqual(["ERROR - Signing Key Cannot Be Used"]);
      expect(details(diagnostics)).toContain("Ed25519 keys in the format legacy");
      expect(await bench.logSize()).toBe(0);
      expect(summaries((await apply(provider, attest, { image, predicates })).diagnostics)).toEqual(
        [],
      );
    },
  );
});

describe("settings that a key leaves without effect", () => {
  test("are refused by the plan", async () => {
    const { provider, image } = await open({ key: "a.key", transparencyLog: false });
    for (const name of ["fulcioUrl", "rekorUrl"]) {
      const { diagnostics } = await plan(provider, sign, { image, [name]: "https://example.com" });
      expect(summaries(diagnostics)).toEqual([expect.stringContaining("URL Would Be Ignored")]);
    }
  });

  test("an identity never signs where nothing is to be logged", async () => {
    const { provider, image } = await open({ transparencyLog: false });
    const { diagnostics } = await plan(provider, sign, { image });
    expect(summaries(diagnostics)).toEqual(["ERROR key Signatures With An Identity Are Logged"]);
  });

  test("a key in the configuration itself is refused without being shown", async () => {
    const provider = await start({});
    const pem = ec.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const resource = createTerraformHarness(provider).resource(sign);
    const image = `registry.example.com/app@sha256:${"a".repeat(64)}`;
    const diagnostics = await resource.validate({ image, key: pem });
    expect(summaries(diagnostics)).toEqual([expect.stringContaining("ERROR key")]);
    expect(details(diagnostics)).toContain("must not contain the key itself");
    const [, secret = ""] = pem.split("\n");
    expect(JSON.stringify(diagnostics) + provider.log.join()).not.toContain(secret);
  });
});
