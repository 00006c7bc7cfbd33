import { attest as attestImage } from "../sign/operations";
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { attest } from "../../../../src/core/signing/attest/declare";
import { tagOfDigest } from "../../../../src/core/signing/oci/reference/descriptor";
import {
  type DigestReference,
  formatRepository,
} from "../../../../src/core/signing/oci/reference/image-name";
import { details, summaries } from "../../provider-kit/server/protocol";
import { temporaryFolder } from "../../../local/signing/local-services";
import { attachedTo } from "../sign/attached";
import { inTime, openBench } from "../sign/signing-bench";
import {
  apply,
  connect,
  email,
  importState,
  make,
  plan,
  refresh,
  remove,
} from "../provider/signing";

const textOf = (image: DigestReference): string => `${formatRepository(image)}@${image.digest}`;
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const said = (json: string, type = "custom") => ({ type, json });

async function open(settings = {}) {
  const bench = await openBench();
  const image = await bench.pushImage("attested");
  const provider = await connect(bench.local, settings);
  const config = { image: textOf(image), predicates: [said('{"tested":true}')] };
  return { bench, image, provider, config, found: attachedTo(bench, image) };
}

describe.each([
  ["legacy", [email], []],
  ["bundle", [], [email]],
] as const)("in the format %s", (defaultSignatureFormat, attestations, bundles) => {
  test("an image is attested; a removed attestation is detected and created again", async () => {
    const { bench, image, provider, config, found } = await open({ defaultSignatureFormat });
    const kept = await make(provider, attest, config);
    expect(kept.state).toMatchObject({ attestedRef: config.image, skipped: false });
    expect(await found.attestations()).toEqual(attestations);
    expect(await found.bundles("attestation")).toEqual(bundles);
    expect(await refresh(provider, attest, kept)).toMatchObject({ state: kept.state });
    expect((await plan(provider, attest, config, kept)).planned).toEqual(kept.state);

    const { referrers } = await bench.registry.referrers.list(
      bench.repository,
      image.digest,
      inTime(),
    );
    const tags = attestations.map(() => tagOfDigest(image.digest, ".att"));
    for (const name of [...tags, ...referrers.map(({ digest }) => digest)]) {
      await remove(bench, name);
    }
    const refreshed = await refresh(provider, attest, kept);
    expect(refreshed.state).toBeNull();
    expect(summaries(refreshed.diagnostics)).toEqual(["WARNING - Signatures Are Missing"]);
    await make(provider, attest, config);
    expect(await found.attestations()).toEqual(attestations);
    expect(await found.bundles("attestation")).toEqual(bundles);
  });
});

test("predicates come from strings, from files, and from the deprecated attributes", async () => {
  const { provider, config, found } = await open();
  const path = join(await temporaryFolder(), "bill.json");
  const bill = '{"bomFormat":"CycloneDX"}';
  await writeFile(path, bill);
  const predicates = [
    said('{"tested":true}'),
    { type: "cyclonedx", files: [{ path, sha256: sha256(bill) }] },
  ];
  const { state, diagnostics } = await apply(provider, attest, {
    ...config,
    predicates,
    predicateType: "https://example.com/review",
    predicate: '{"by":"ada"}',
  });
  expect(summaries(diagnostics).filter((line) => line.startsWith("ERROR"))).toEqual([]);
  expect(state).not.toBeNull();
  expect(await found.attestations()).toEqual([email, email, email]);
});

test("a file whose content does not match its checksum is refused, and nothing is written", async () => {
  const { bench, provider, config, found } = await open();
  const path = join(await temporaryFolder(), "bill.json");
  await writeFile(path, '{"other":1}');
  const files = [{ path, sha256: sha256("{}") }];
  const { state, diagnostics } = await apply(provider, attest, {
    ...config,
    predicates: [{ type: "cyclonedx", files }],
  });
  expect(state).toBeNull();
  expect(summaries(diagnostics)).toEqual(["ERROR - Invalid Predicate File"]);
  expect(details(diagnostics)).toContain(path);
  expect(await found.tagged(".att")).toBeUndefined();
  expect(await bench.logSize()).toBe(0);
});

test("a missing file is refused", async () => {
  const { provider, config } = await open();
  const files = [{ path: "/nowhere/bill.json", sha256: sha256("{}") }];
  const { diagnostics } = await apply(provider, attest, {
    ...config,
    predicates: [{ type: "cyclonedx", files }],
  });
  expect(summaries(diagnostics)).toEqual(["ERROR - Invalid Predicate File"]);
});

test("another predicate updates in place: one of ours remains, except with APPEND", async () => {
  const { bench, provider, config, found } = await open();
  const first = await make(provider, attest, config);
  const next = { ...config, predicates: [said('{"tested":false}')], conflict: "REPLACE" };
  const second = await make(provider, attest, next, first);
  expect(await found.attestations()).toEqual([email]);
  const third = { ...config, predicates: [said('{"tested":3}')], conflict: "SKIPSAME" };
  await make(provider, attest, third, second);
  expect(await found.attestations()).toEqual([email]);
  expect(await bench.logSize()).toBe(3);
  const fourth = { ...config, conflict: "APPEND" };
  await make(provider, attest, fourth, await make(provider, attest, third, second));
  expect(await found.attestations()).toEqual([email, email]);
  expect(await bench.logSize()).toBe(4);
});

test("the log entry's type follows the setting", async () => {
  const { bench, provider, config, found } = await open({ defaultAttestationEntryType: "dsse" });
  await make(provider, attest, config);
  expect(await found.attestations()).toEqual([email]);
  const url = `${bench.local.addresses.transparencyLog}/api/v1/log/entries?logIndex=0`;
  const [entry] = Object.values(
    (await (await fetch(url)).json()) as Record<string, { body: string }>,
  );
  expect(Buffer.from(entry?.body ?? "", "base64").toString()).toContain('"kind":"dsse"');
});

test.each([
  ["custom", "any text"],
  [
    "slsaprovenance",
    '{"buildType":"https://example.com/b","builder":{"id":"https://example.com/c"}}',
  ],
  ["https://example.com/t", '{"a":"\\u003cb\\u003e","z":1}'],
  ["spdx", "SPDXVersion: SPDX-2.3"],
])("an import finds our attestation of the type %s, and plans nothing", async (type, json) => {
  const { bench, provider, config } = await open();
  const given = { ...config, predicates: [said(json, type)] };
  await make(provider, attest, given);
  const { stored: imported = { state: {} } } = await importState(provider, attest, config.image);
  const found = await refresh(provider, attest, imported);
  const kept = { state: found.state ?? {}, private: found.private };
  expect(found).toMatchObject({ diagnostics: [], state: { skipped: false, conflict: "SKIPSAME" } });
  const next = await plan(provider, attest, given, kept);
  expect(next.diagnostics).toEqual([]);
  expect(next.planned).toEqual(kept.state);
  expect(await bench.logSize()).toBe(1);
});

test("an import of an image that others attested is an update, which attests", async () => {
  const { bench, image, provider, config, found } = await open();
  await attestImage(bench, bench.person("eve@example.com"), image);
  const { stored: imported = { state: {} } } = await importState(provider, attest, config.image);
  const { state } = imported;
  expect(await refresh(provider, attest, imported)).toMatchObject({ state, diagnostics: [] });
  expect(await bench.logSize()).toBe(1);
  const applied = await apply(provider, attest, config, imported);
  expect(summaries(applied.diagnostics)).toEqual([
    "WARNING - Imported Resource Is Completed By The Apply",
  ]);
  expect(await found.attestations()).toHaveLength(2);
  const kept = { state: applied.state ?? {}, private: applied.private };
  const next = await plan(provider, attest, config, kept);
  expect(next).toMatchObject({ planned: kept.state, diagnostics: [] });
});

test("numbers that lose digits are reported before anything is published", async () => {
  const { bench, provider, config } = await open();
  const json = '{"runs": [{"id": 9007199254740993}], "big": 1e21, "small": 1e-400, "pi": 3.14}';
  const predicates = [said(json, "https://example.com/t"), said(json)];
  const { diagnostics } = await plan(provider, attest, { ...config, predicates });
  expect(summaries(diagnostics)).toEqual(["WARNING - Numbers Lose Digits"]);
  expect(details(diagnostics)).toContain(
    "\nruns[0].id: 9007199254740993 is written as 9007199254740992\nsmall: 1e-400 is written as 0",
  );
  expect(details(diagnostics)).not.toContain("big");
  expect(await bench.logSize()).toBe(0);
});

test("numbers in a file that lose digits are reported when it is read", async () => {
  const { provider, config } = await open();
  const path = join(await temporaryFolder(), "predicate.json");
  const json = '{"id": 123456789012345678}';
  await writeFile(path, json);
  const predicates = [{ type: "https://example.com/t", files: [{ path, sha256: sha256(json) }] }];
  const { diagnostics } = await apply(provider, attest, { ...config, predicates });
  expect(summaries(diagnostics)).toEqual(["WARNING - Numbers Lose Digits"]);
  expect(details(diagnostics)).toContain("id: 123456789012345678 is written as 123456789012345680");
});

test("without an identity, where that is allowed, nothing is attested: a warning and a flag", async () => {
  const { provider, config, found } = await open({
    identityToken: null,
    skipWithoutIdentity: true,
  });
  const { state, diagnostics } = await apply(provider, attest, config);
  expect(state).toMatchObject({ skipped: true });
  expect(summaries(diagnostics)).toEqual(["WARNING - Image Not Signed"]);
  expect(await found.tagged(".att")).toBeUndefined();
});
