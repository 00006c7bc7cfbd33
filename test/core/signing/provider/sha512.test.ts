import { createHash } from "node:crypto";
import type { Declaration } from "../../../../src/core/schema";
import { attest } from "../../../../src/core/signing/attest/declare";
import { copy } from "../../../../src/core/signing/copy/declare";
import { mediaTypes } from "../../../../src/core/signing/oci/reference/descriptor";
import { sign } from "../../../../src/core/signing/sign/declare";
import { isObject } from "../../../../src/core/json/plain-json";
import { openBench, type SigningBench } from "../sign/signing-bench";
import { details } from "../../provider-kit/server/protocol";
import {
  apply,
  connect,
  keyless,
  make,
  policyText,
  type Provider,
  refresh,
  verifyImage,
} from "./signing";

type Algorithm = "sha256" | "sha512";

const digestOf = (bytes: Uint8Array, algorithm: Algorithm): string =>
  `${algorithm}:${createHash(algorithm).update(bytes).digest("hex")}`;

async function send(url: string, body: Buffer, type: string, method = "PUT"): Promise<void> {
  const headers = { "content-type": type };
  const answer = await fetch(url, { method, headers, body: new Uint8Array(body) });
  expect(answer.status).toBe(201);
}

/** Pushes as other tools do, under digests of one algorithm only. */
function pusher({ local }: SigningBench, algorithm: Algorithm) {
  const base = `${local.addresses.registry}/v2/lab/app`;
  async function blob(text: string, mediaType: string) {
    const bytes = Buffer.from(text);
    const digest = digestOf(bytes, algorithm);
    await send(`${base}/blobs/uploads/?digest=${digest}`, bytes, "application/x-blob", "POST");
    return { mediaType, digest, size: bytes.byteLength };
  }
  async function manifest(mediaType: string, json: object) {
    const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, ...json }));
    const digest = digestOf(bytes, algorithm);
    await send(`${base}/manifests/${digest}`, bytes, mediaType);
    return { mediaType, digest, size: bytes.byteLength };
  }
  return {
    async image(text: string) {
      const config = await blob("{}", "application/vnd.oci.image.config.v1+json");
      const layer = await blob(text, "application/vnd.oci.image.layer.v1.tar");
      return manifest(mediaTypes.imageManifest, { config, layers: [layer] });
    },
    index: (...manifests: readonly object[]) => manifest(mediaTypes.imageIndex, { manifests }),
  };
}

async function open(settings: { readonly referrersApi?: boolean } = {}) {
  const bench = await openBench(settings);
  const { registryHost } = bench.local;
  const provider = await connect(bench.local, { defaultSignatureFormat: "both" });
  const nameOf = (digest: string, path = "lab/app") => `${registryHost}/${path}@${digest}`;
  return { bench, provider, nameOf, push: pusher(bench, "sha512") };
}

async function saidOf(provider: Provider, bench: SigningBench, image: string, spec?: object) {
  const authorities = [keyless(bench.local, spec)];
  const policy = policyText(bench.local, { authorities });
  const { state, diagnostics } = await verifyImage(provider, image, policy);
  if (state !== undefined) expect(state).toMatchObject({ verifiedRef: image });
  return state === undefined ? details(diagnostics) : "accepted";
}

const attestations = [{ name: "tested", predicateType: "custom" }];
const everyWay = (["legacy", "bundle"] as const).flatMap((signatureFormat) => [
  { signatureFormat },
  { signatureFormat, attestations },
]);
const predicates = [{ type: "custom", json: '{"tested":true}' }];

/** The JSON of the first layer of a tag. */
async function layerAt(bench: SigningBench, path: string, tag: string): Promise<unknown> {
  const base = `${bench.local.addresses.registry}/v2/${path}`;
  const headers = { accept: mediaTypes.imageManifest };
  const manifest: unknown = await (await fetch(`${base}/manifests/${tag}`, { headers })).json();
  const layers: unknown = isObject(manifest) ? manifest["layers"] : undefined;
  const layer: unknown = Array.isArray(layers) ? layers[0] : undefined;
  const digest = isObject(layer) ? String(layer["digest"]) : "";
  return (await fetch(`${base}/blobs/${digest}`)).json();
}

describe.each([
  ["lists referrers", true],
  ["lists no referrers", false],
])("an index with a sha512 digest, in a registry that %s", (_, referrersApi) => {
  test("is copied, signed, attested and verified in every format", async () => {
    const { bench, provider, nameOf, push } = await open({ referrersApi });
    const child = await push.image("a child");
    const { digest } = await push.index(child, await push.image("another child"));
    const source = nameOf(digest);
    await make(provider, sign, { image: source });
    await make(provider, attest, { image: source, predicates });
    const destination = nameOf("", "mine/app").slice(0, -1);
    const copied = await make(provider, copy, { source, destination });
    const image = nameOf(digest, "mine/app");
    expect(copied.state["copiedRef"]).toBe(image);
    for (const way of everyWay) expect(await saidOf(provider, bench, image, way)).toBe("accepted");
    const childName = nameOf(child.digest, "mine/app");
    const legacy = { signatureFormat: "legacy" };
    expect(await saidOf(provider, bench, childName, legacy)).toBe("accepted");
    // Ours is found, so nothing is signed again, and nothing is missing.
    const logged = await bench.logSize();
    for (const [declaration, config] of [
      [sign, { image: source }],
      [attest, { image: source, predicates }],
    ] as [Declaration, Record<string, unknown>][]) {
      const kept = await make(provider, declaration, config);
      expect(await refresh(provider, declaration, kept)).toMatchObject({
        state: kept.state,
        diagnostics: [],
      });
    }
    expect(await bench.logSize()).toBe(logged);
  });
});

test("the claims name the whole sha512 digest, under its algorithm", async () => {
  const { bench, provider, nameOf, push } = await open();
  const { digest } = await push.image("claimed");
  const image = nameOf(digest);
  await make(provider, sign, { image });
  await make(provider, attest, { image, predicates });
  const hex = digest.slice("sha512:".length);
  const tag = `sha512-${hex.slice(0, 64)}`;
  expect(await layerAt(bench, "lab/app", `${tag}.sig`)).toMatchObject({
    critical: { image: { "docker-manifest-digest": digest } },
  });
  const envelope = await layerAt(bench, "lab/app", `${tag}.att`);
  const payload = isObject(envelope) ? String(envelope["payload"]) : "";
  expect(JSON.parse(Buffer.from(payload, "base64").toString())).toMatchObject({
    subject: [{ digest: { sha512: hex } }],
  });
});

test("a signature of one digest does not verify for another one of the same content, nor under its tag", async () => {
  const { bench, provider, nameOf, push } = await open();
  const signed = await push.image("the same content");
  const same = await pusher(bench, "sha256").index();
  const long = await push.index();
  const other = await push.image("other content");
  await make(provider, sign, { image: nameOf(same.digest) });
  await make(provider, sign, { image: nameOf(signed.digest) });
  for (const way of everyWay) {
    expect(await saidOf(provider, bench, nameOf(long.digest), way)).toContain("does not accept");
  }
  // Somebody moves the signatures to the tag of another image.
  const base = `${bench.local.addresses.registry}/v2/lab/app/manifests/`;
  const tagOf = (digest: string) => `${digest.slice(0, 71).replace(":", "-")}.sig`;
  const headers = { accept: mediaTypes.imageManifest };
  const moved = await fetch(`${base}${tagOf(signed.digest)}`, { headers });
  const bytes = Buffer.from(await moved.arrayBuffer());
  await send(`${base}${tagOf(other.digest)}`, bytes, mediaTypes.imageManifest);
  const refusal = await saidOf(provider, bench, nameOf(other.digest), {
    signatureFormat: "legacy",
  });
  expect(refusal).toContain("another image");
});

test("a removed signature of a sha512 digest is noticed", async () => {
  const { bench, provider, nameOf, push } = await open();
  const { digest } = await push.image("removed");
  const kept = await make(provider, sign, { image: nameOf(digest) });
  const tag = `${digest.slice(0, 71).replace(":", "-")}.sig`;
  const url = `${bench.local.addresses.registry}/v2/lab/app/manifests/${tag}`;
  expect((await fetch(url, { method: "DELETE" })).status).toBe(202);
  const { state, diagnostics } = await refresh(provider, sign, kept);
  expect(state).toBeNull();
  expect(details(diagnostics)).toContain(tag);
});

test("a digest of another algorithm is refused, and the message says which are taken", async () => {
  const { provider, nameOf } = await open();
  const { state, diagnostics } = await apply(provider, sign, {
    image: nameOf(`sha384:${"a".repeat(96)}`),
  });
  expect(state).toBeNull();
  expect(details(diagnostics)).toContain("sha256: or sha512:");
});
