import { readLogBundle } from "../../../../src/core/signing/sigstore/format/log-entry";
import { readLogBody } from "../../../../src/core/signing/sigstore/format/log-body";
import { serviceError } from "../../../../src/core/signing/sigstore/service/call-service";
import { attachedTo } from "../sign/attached";
import { attest, predicateType, pushBuiltIndex } from "../sign/operations";
import { inTime, openBench, type SigningBench } from "../sign/signing-bench";
import { readDescriptor } from "../../../../src/core/signing/oci/reference/descriptor";
import type { DigestReference } from "../../../../src/core/signing/oci/reference/image-name";
import { readEnvelope } from "../../../../src/core/signing/sigstore/format/statement";
import { annotationsOf, attachedLayers } from "../../../../src/core/signing/sign/attached-layers";

const ada = "ada@example.com";
const eve = "eve@example.com";

interface Attested {
  readonly type: string | undefined;
  readonly statement: string;
  readonly logKind: string;
}

async function attestedOf(
  bench: SigningBench,
  image: DigestReference,
): Promise<readonly Attested[]> {
  const layers = attachedLayers(await attachedTo(bench, image).tagged(".att"), ".att");
  return Promise.all(
    layers.map(async (layer) => {
      const descriptor = readDescriptor(layer);
      if (descriptor === undefined) throw new Error("no descriptor");
      const blob = await bench.registry.blobs.get(bench.repository, descriptor, inTime());
      const annotations = annotationsOf(layer);
      const entry = readLogBundle(annotations["dev.sigstore.cosign/bundle"] ?? "");
      return {
        type: annotations["predicateType"],
        statement: readEnvelope(blob).payload.toString("utf8"),
        logKind: readLogBody(entry.body).kind,
      };
    }),
  );
}

it.each(["intoto", "dsse"] as const)("attests as a layer, logged as %s", async (entryType) => {
  const bench = await openBench();
  const image = await bench.pushImage("one");
  const predicates = [
    { type: predicateType, json: '{"z":1e21,"a":{"y":"<&>","b":9007199254740993}}' },
  ];
  const written = await attest(bench, bench.person(ada), image, { predicates, entryType });
  expect(await attachedTo(bench, image).attestations()).toEqual([ada]);
  expect(await attestedOf(bench, image)).toEqual([
    {
      type: predicateType,
      statement:
        '{"_type":"https://in-toto.io/Statement/v0.1","subject":[{"name":' +
        `"${bench.repository.registry}/lab/app","digest":{"sha256":"${image.digest.slice(7)}"}}],` +
        `"predicateType":"${predicateType}",` +
        '"predicate":{"a":{"b":9007199254740992,"y":"\\u003c\\u0026\\u003e"},"z":1e+21}}',
      logKind: `${entryType}/0.0.1`,
    },
  ]);
  expect(written.layers).toHaveLength(1);
});

it("attests as a bundle, which is not a signature", async () => {
  const bench = await openBench();
  const image = await bench.pushImage("one");
  const written = await attest(bench, bench.person(ada), image, { format: "bundle" });
  expect(await attachedTo(bench, image).bundles("attestation")).toEqual([ada]);
  expect(await attachedTo(bench, image).bundles("signature")).not.toContain(ada);
  expect(written).toMatchObject({ layers: [], bundles: [{ subject: image.digest }] });
});

it("attests each image of an index too if the request is recursive, but not what is about an image", async () => {
  const bench = await openBench();
  const { image, about, index } = await pushBuiltIndex(bench);
  const person = bench.person(ada);
  const options = { format: "both", isRecursive: true } as const;
  const written = await attest(bench, person, index, options);
  for (const each of [image, index]) {
    expect(await attachedTo(bench, each).attestations()).toEqual([ada]);
    expect(await attachedTo(bench, each).bundles("attestation")).toEqual([ada]);
  }
  expect(await attachedTo(bench, about).attestations()).toEqual([]);
  expect(await attachedTo(bench, about).bundleBytes()).toEqual([]);
  expect([written.layers.length, written.bundles.length]).toEqual([2, 2]);
  expect(await attest(bench, person, index, options)).toEqual(written);
  expect(await bench.logSize()).toBe(4);
});

it("attests only the index itself, with several predicates at once", async () => {
  const bench = await openBench();
  const image = await bench.pushImage("one");
  const index = await bench.pushIndex(image);
  const predicates = [
    { type: "cyclonedx", json: '{"bomFormat":"CycloneDX"}' },
    { type: "spdx", json: "SPDXVersion: SPDX-2.3" },
    { type: "spdxjson", json: '{"spdxVersion":"SPDX-2.3"}' },
  ];
  const person = bench.person(ada);
  const options = { predicates, conflict: "APPEND", format: "both" } as const;
  const written = await attest(bench, person, index, options);
  const found = await attestedOf(bench, index);
  expect(found.map(({ type }) => type)).toEqual([
    "https://cyclonedx.org/bom",
    "https://spdx.dev/Document",
    "https://spdx.dev/Document",
  ]);
  expect(found[1]?.statement).toContain('"predicate":"SPDXVersion: SPDX-2.3"}');
  expect(await attachedTo(bench, image).attestations()).toEqual([]);
  expect([written.layers.length, written.bundles.length]).toEqual([3, 3]);
});

describe("SKIPSAME", () => {
  it.each(["legacy", "bundle"] as const)("skips the same statement as %s", async (format) => {
    const bench = await openBench();
    const image = await bench.pushImage("one");
    const first = await attest(bench, bench.person(ada), image, { format });
    const options = { format, entryType: "dsse" } as const;
    expect(await attest(bench, bench.person(ada), image, options)).toEqual(first);
    expect(await bench.logSize()).toBe(1);
    const signer = () => Promise.reject(serviceError("NO_IDENTITY", "There is nobody."));
    const nobody = bench.person(ada, { signer });
    expect(await attest(bench, nobody, image, { format, previous: first })).toEqual(first);
  });

  it("replaces ours with another statement, and keeps other types and other signers", async () => {
    const bench = await openBench();
    const image = await bench.pushImage("one");
    const other = [{ type: "cyclonedx", json: "{}" }];
    await attest(bench, bench.person(eve), image, { format: "both" });
    await attest(bench, bench.person(ada), image, { format: "both", predicates: other });
    await attest(bench, bench.person(ada), image, { format: "both" });
    const changed = [{ type: predicateType, json: '{"passed":false}' }];
    await attest(bench, bench.person(ada), image, { format: "both", predicates: changed });
    const attached = attachedTo(bench, image);
    expect(await attached.attestations()).toEqual([ada, ada, eve]);
    const found = await attestedOf(bench, image);
    expect(found[0]?.statement).toContain('"predicate":{"passed":false}');
    expect(found.map(({ type }) => type)).toEqual([
      predicateType,
      "https://cyclonedx.org/bom",
      predicateType,
    ]);
    expect(await attached.bundles("attestation")).toEqual([ada, ada, eve]);
  });

  it("ignores the time in a custom predicate", async () => {
    const bench = await openBench();
    const image = await bench.pushImage("one");
    const predicates = [{ type: "custom", json: "any text" }];
    const options = { predicates, format: "both" } as const;
    const at = (time: string) => bench.person(ada, { now: () => new Date(time) });
    await attest(bench, at("2026-01-01T00:00:00Z"), image, options);
    await attest(bench, at("2026-01-02T00:00:00Z"), image, options);
    expect(await bench.logSize()).toBe(2);
    const [only] = await attestedOf(bench, image);
    expect(only?.statement).toContain(
      '"predicate":{"Data":"any text","Timestamp":"2026-01-01T00:00:00Z"}',
    );
  });

  it("attests again when the envelope is missing", async () => {
    const bench = await openBench();
    let isBroken = false;
    const image = await bench.behindFaults(await bench.pushImage("one"), ({ method, path }) =>
      isBroken && method === "GET" && path.includes("/blobs/")
        ? { kind: "tamper", change: (answer) => ({ ...answer, body: answer.body.fill(0) }) }
        : undefined,
    );
    const previous = await attest(bench, bench.person(ada), image);
    isBroken = true;
    await attest(bench, bench.person(ada), image, { previous });
    expect(await attachedTo(bench, image).attestations()).toEqual([ada, ada]);
  });
});

it("replaces ours with REPLACE, the new one first, and adds with APPEND, the new one last", async () => {
  const bench = await openBench();
  const image = await bench.pushImage("one");
  const texts = async () =>
    (await attestedOf(bench, image)).map(({ statement }) => /"n":(\d)/.exec(statement)?.[1]);
  const run = (email: string, n: number, conflict: "APPEND" | "REPLACE") =>
    attest(bench, bench.person(email), image, {
      conflict,
      predicates: [{ type: predicateType, json: `{"n":${n}}` }],
    });
  await run(eve, 1, "APPEND");
  await run(ada, 2, "APPEND");
  await run(ada, 3, "APPEND");
  expect(await texts()).toEqual(["1", "2", "3"]);
  await run(ada, 4, "REPLACE");
  expect(await texts()).toEqual(["4", "1"]);
});

it("refuses predicates that cannot be attested, before anything is done", async () => {
  const bench = await openBench();
  const image = await bench.pushImage("one");
  const person = bench.person(ada);
  const cases = [
    [],
    [{ type: "nonsense", json: "{}" }],
    [{ type: predicateType, json: "[]" }],
    [{ type: predicateType, json: '{"a":1,"a":2}' }],
    [{ type: predicateType, json: "{" }],
    [{ type: "https://sigstore.dev/cosign/sign/v1", json: "{}" }],
    [
      { type: "spdx", json: "x" },
      { type: "spdxjson", json: "{}" },
    ],
    [{ type: "custom", json: "x".repeat(32 * 1024 * 1024 + 1) }],
  ];
  for (const predicates of cases) {
    await expect(attest(bench, person, image, { predicates })).rejects.toMatchObject({
      code: "PREDICATE",
    });
  }
  expect([person.asked(), await bench.logSize()]).toEqual([0, 0]);
});

it("attests nothing about a missing image", async () => {
  const bench = await openBench();
  const image = { ...bench.repository, digest: `sha256:${"0".repeat(64)}` } as const;
  await expect(attest(bench, bench.person(ada), image)).rejects.toMatchObject({
    code: "IMAGE_MISSING",
  });
  expect(await bench.logSize()).toBe(0);
});
