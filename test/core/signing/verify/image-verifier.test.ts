import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import type { ClientRequest } from "node:http";
import {
  ImageVerifier,
  verifyImage,
  type VerifierSettings,
} from "../../../../src/core/signing/verify";
import {
  type DigestReference,
  formatRepository,
} from "../../../../src/core/signing/oci/reference/image-name";
import { closeAfterTest } from "../../http/close-after-test";
import { email, policyText } from "../provider/signing";
import { pushBuiltIndex, sign } from "../sign/operations";
import { inTime, openBench } from "../sign/signing-bench";

async function open() {
  const bench = await openBench();
  const image = await bench.pushImage("verified");
  await sign(bench, bench.person(email), image);
  const trustedRoot = readFileSync(bench.local.files.trustedRoot, "utf8");
  const reference = `${formatRepository(image)}@${image.digest}`;
  return { bench, image: reference, trustedRoot, policy: policyText(bench.local) };
}

function verifier(settings: VerifierSettings): ImageVerifier {
  const made = new ImageVerifier(settings);
  closeAfterTest(() => made.close());
  return made;
}

test("an image is accepted, with what counted, and only the registry is connected to", async () => {
  const { bench, image, trustedRoot, policy } = await open();
  const connected = new Set<string>();
  const onStart = (event: unknown): void => {
    const { request } = event as { readonly request: ClientRequest };
    connected.add(request.host + String(request.getHeader("host")));
  };
  subscribe("http.client.request.start", onStart);
  const verdict = await verifyImage({ image, policy, trustedRoot });
  unsubscribe("http.client.request.start", onStart);
  const counted = {
    subject: email,
    issuer: bench.local.addresses.tokenIssuer,
    log: bench.local.addresses.transparencyLog,
  };
  expect(verdict).toMatchObject({
    image,
    accepted: true,
    code: "ACCEPTED",
    policies: [
      { name: "releases", authorities: [{ name: "us", requirements: [{ counted: [counted] }] }] },
    ],
  });
  expect([...connected]).toEqual([`127.0.0.1${bench.local.registryHost}`]);
});

test("a verifier is used for several images, and two of them share nothing", async () => {
  const { bench, image, trustedRoot, policy } = await open();
  const trusting = verifier({ trustedRoot });
  const other = verifier({ trustedRoot: "{}", environment: {} });
  expect(await trusting.verify({ image, policy })).toMatchObject({ accepted: true });
  await expect(other.verify({ image, policy })).resolves.toMatchObject({
    accepted: false,
    code: "NOT_KNOWN",
    policies: [{ authorities: [{ code: "NOT_READ" }] }],
  });
  const boss = policyText(bench.local, {}, "boss@example.com");
  expect(await trusting.verify({ image, policy: boss })).toMatchObject({
    code: "REFUSED",
    policies: [{ authorities: [{ requirements: [{ rejected: [{ code: "IDENTITY" }] }] }] }],
  });
});

test("each image of an index has a verdict of its own, but not what a builder attached to it", async () => {
  const { bench, trustedRoot, policy } = await open();
  const { image, about, index } = await pushBuiltIndex(bench);
  const other = await bench.pushImage("never signed");
  const both = await bench.pushIndex(index, other);
  await sign(bench, bench.person(email), index);
  await sign(bench, bench.person(email), both, { isRecursive: false });
  const nameOf = (of: DigestReference) => `${formatRepository(of)}@${of.digest}`;
  const gate = verifier({ trustedRoot });
  const request = { image: nameOf(both), policy };
  expect(await gate.verify(request)).not.toHaveProperty("images");
  const verdict = await gate.verify({ ...request, recursive: true });
  expect(verdict).toMatchObject({
    accepted: false,
    code: "REFUSED",
    policies: [{ accepted: true }],
    images: [
      { image: nameOf(image), platform: "linux/arm64", accepted: true },
      { image: nameOf(index), accepted: true },
      { image: nameOf(other), accepted: false, code: "REFUSED" },
    ],
  });
  expect(verdict.images).toHaveLength(3);
  expect(verdict.text).not.toContain(about.digest);
  expect(await gate.verify({ image: nameOf(image), policy, recursive: true })).toMatchObject({
    code: "ACCEPTED",
  });
  await bench.registry.manifests.remove(bench.repository, image.digest, inTime());
  await expect(gate.verify({ ...request, recursive: true })).rejects.toMatchObject({
    code: "NO_IMAGE",
  });
});

test("there is no verdict about what is wrong, missing or late: each has its code", async () => {
  const { bench, image, trustedRoot, policy } = await open();
  const gate = verifier({ trustedRoot });
  const codeOf = async (changes: object) =>
    gate
      .verify({ image, policy, ...changes })
      .then(({ code }) => code)
      .catch((error: unknown) => (error as { code?: unknown }).code);
  const cue = { policy: { type: "cue", data: "a: 1" } };
  const signal = AbortSignal.abort();
  expect(await codeOf({ image: "https://a/b" })).toBe("INVALID_IMAGE");
  expect(await codeOf({ policy: "a: 1" })).toBe("INVALID_POLICY");
  expect(await codeOf({ policy: policyText(bench.local, cue) })).toBe("NO_ENGINE");
  expect(await codeOf({ image: `${image.slice(0, -64)}${"0".repeat(64)}` })).toBe("NO_IMAGE");
  expect(await codeOf({ image: "127.0.0.1:1/a/b:1", timeoutMs: 100 })).toMatch(/REGISTRY|DEADLINE/);
  expect(await codeOf({ signal })).toBe("CANCELLED");
  expect(await codeOf({ timeoutMs: 0 })).toBe("DEADLINE");
});

test("an error of the code itself is passed on unchanged, even if it has a code", async () => {
  const { image, trustedRoot, policy } = await open();
  const cause = Object.assign(new TypeError("a wrong argument"), { code: "ERR_INVALID_ARG_TYPE" });
  const signal = new AbortController().signal;
  Object.defineProperty(signal, "aborted", {
    get: () => {
      throw cause;
    },
  });
  await expect(verifyImage({ image, policy, trustedRoot, signal })).rejects.toBe(cause);
});
