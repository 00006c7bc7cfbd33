import {
  createTerraformHarness,
  type StoredResource,
} from "../../../../src/core/provider-kit/testing";
import { attest } from "../../../../src/core/signing/attest/declare";
import { attestListHandler, signListHandler } from "../../../../src/core/signing/list/handlers";
import { tagOfDigest } from "../../../../src/core/signing/oci/reference/descriptor";
import {
  type DigestReference,
  formatRepository,
} from "../../../../src/core/signing/oci/reference/image-name";
import { sign } from "../../../../src/core/signing/sign/declare";
import type { QuirkName } from "../../../../src/local/signing/registry/quirks";
import { cosignMakes, findCosign } from "../../../local/signing/outside-cosign";
import { withFaults } from "../../../local/service/with-faults";
import { closeAfterTest } from "../../http/close-after-test";
import { skippedWithout } from "../../../on-path";
import { details, summaries } from "../../provider-kit/server/protocol";
import { namedRegistries, openNamedRegistry } from "../oci/registry/outside-registries";
import { contextOf, openClient, pushImage } from "../oci/registry/registries";
import { connect, email, importState, plan, type Provider, refresh } from "../provider/signing";
import { attest as attestImage, predicateType, sign as signImage } from "../sign/operations";
import { inTime, openBench, type SigningBench } from "../sign/signing-bench";

const [{ declaration: signList }, { declaration: attestList }] = [
  signListHandler,
  attestListHandler,
];

const textOf = (image: DigestReference): string => `${formatRepository(image)}@${image.digest}`;

/** Lists with the state, and expects that it is what an import by its identity begins with. */
async function listed(provider: Provider, declaration: typeof signList, repository: string) {
  const list = createTerraformHarness(provider).listResource(declaration);
  const found = [];
  for await (const each of list.list({ repository }, { includeResource: true })) found.push(each);
  return {
    names: found.flatMap(({ displayName, identity }) => (identity ? [displayName] : [])),
    images: found.flatMap(({ identity }) => (identity ? [identity["image"]] : [])),
    states: found.flatMap(({ state }) => state ?? []),
    diagnostics: found.flatMap(({ diagnostics }) => diagnostics),
  };
}

async function tagged(bench: SigningBench, text: string, tag: string): Promise<DigestReference> {
  const image = await bench.pushImage(text);
  const manifest = await bench.registry.manifests.get(bench.repository, image.digest, inTime());
  if (manifest === undefined) throw new Error("no image");
  await bench.registry.manifests.put(bench.repository, manifest, inTime(), { tag });
  return image;
}

/** Imports an image, and returns what a plan for it would change. */
async function importedPlan(
  provider: Provider,
  declaration: typeof sign | typeof attest,
  image: string,
  config: Readonly<Record<string, unknown>>,
) {
  const { stored } = await importState(provider, declaration, image);
  const kept = await refresh(provider, declaration, stored ?? { state: {} });
  if (kept.state === null || kept.state === undefined) throw new Error("nothing was read");
  const state: StoredResource = { state: kept.state, private: kept.private };
  const { planned, diagnostics } = await plan(provider, declaration, { image, ...config }, state);
  return { state: kept.state, planned, diagnostics: [...kept.diagnostics, ...diagnostics] };
}

describe.each<readonly [string, readonly QuirkName[]]>([
  ["with the referrers API", []],
  ["without it", ["no-referrers-api"]],
])("a repository %s", (_, quirks) => {
  test("lists what is signed, and what is attested, in both formats, with and without tags", async () => {
    const bench = await openBench({ quirks });
    const person = bench.person(email);
    await tagged(bench, "unsigned", "v0");
    const layer = await tagged(bench, "layer", "v1");
    const bundle = await tagged(bench, "bundle", "v2");
    const nameless = await bench.pushImage("nameless");
    await signImage(bench, person, layer);
    await signImage(bench, person, bundle, { format: "bundle" });
    await signImage(bench, person, nameless);
    await attestImage(bench, person, layer);
    await attestImage(bench, person, bundle, { format: "bundle" });
    const provider = await connect(bench.local);
    const repository = formatRepository(bench.repository);
    const signed = await listed(provider, signList, repository);
    const names = [`${repository}:v1`, `${repository}:v2`];
    expect(signed.diagnostics).toEqual([]);
    expect(signed.names).toEqual([...names, `${repository}@${nameless.digest}`]);
    expect(signed.images).toEqual([layer, bundle, nameless].map(textOf));
    const attested = await listed(provider, attestList, repository);
    expect(attested.diagnostics).toEqual([]);
    expect(attested.names).toEqual(names);
    const { stored } = await importState(provider, sign, textOf(layer));
    expect(signed.states[0]).toEqual(stored?.state);
  });
});

test("a signed index stands for the images in it; attested images are listed each", async () => {
  const bench = await openBench();
  const [one, two] = [await tagged(bench, "one", "one"), await bench.pushImage("two")];
  const index = await bench.pushIndex(one, two);
  const person = bench.person(email);
  const found = await bench.registry.manifests.get(bench.repository, index.digest, inTime());
  if (found === undefined) throw new Error("no index");
  await bench.registry.manifests.put(bench.repository, found, inTime(), { tag: "v1" });
  await signImage(bench, person, index);
  await attestImage(bench, person, index, { isRecursive: true });
  const provider = await connect(bench.local);
  const repository = formatRepository(bench.repository);
  expect((await listed(provider, signList, repository)).names).toEqual([`${repository}:v1`]);
  expect((await listed(provider, attestList, repository)).images).toHaveLength(3);
});

test("what has no image any more, and a tag of another kind, is left out without an error", async () => {
  const bench = await openBench();
  const image = await bench.pushImage("gone");
  await signImage(bench, bench.person(email), image);
  await bench.registry.manifests.remove(bench.repository, image.digest, inTime());
  await tagged(bench, "other", tagOfDigest(image.digest));
  const provider = await connect(bench.local);
  expect(await listed(provider, signList, formatRepository(bench.repository))).toMatchObject({
    names: [],
    diagnostics: [],
  });
});

test("a broken image is named, and the others are listed", async () => {
  const bench = await openBench();
  const [good, bad] = [await tagged(bench, "good", "good"), await tagged(bench, "bad", "bad")];
  for (const each of [good, bad]) await signImage(bench, bench.person(email), each);
  const proxied = await bench.behindFaults(bad, ({ path }) =>
    path.endsWith("/manifests/bad") ? { kind: "answer", status: 200, body: "[]" } : undefined,
  );
  const provider = await connect(bench.local);
  const repository = formatRepository(proxied);
  const { names, diagnostics } = await listed(provider, signList, repository);
  // The tag of its signature leads to it.
  expect(names).toEqual([`${repository}:good`, `${repository}@${bad.digest}`]);
  expect(summaries(diagnostics)).toEqual(["WARNING - Images May Be Missing"]);
  expect(details(diagnostics)).toContain("is not a manifest");
});

test.each([
  [401, "", "Registry Requires Credentials"],
  [403, "", "Registry Denies Access"],
  [404, '{"errors":[{"code":"NAME_UNKNOWN"}]}', "Image Operation Failed"],
  [200, "{}x", "Image Operation Failed"],
])("a registry that answers %i %s fails as everywhere", async (status, body, summary) => {
  const bench = await openBench();
  const proxied = await bench.behindFaults(await bench.pushImage("one"), ({ path }) =>
    path.includes("/tags/list") ? { kind: "answer", status, body } : undefined,
  );
  const provider = await connect(bench.local);
  const { diagnostics } = await listed(provider, signList, formatRepository(proxied));
  expect(summaries(diagnostics)).toEqual([`ERROR - ${summary}`]);
  expect(details(diagnostics)).toContain(`Listing the images of ${formatRepository(proxied)}`);
});

test("at most 1,000 tags are read, and more are said to be missing", async () => {
  const bench = await openBench();
  const image = await tagged(bench, "one", "v1");
  await signImage(bench, bench.person(email), image);
  let asked = 0;
  const tags = ["v1", ...Array.from({ length: 1_200 }, (_, at) => `x${at}`)];
  const proxy = await withFaults(bench.local.addresses.registry, ({ path }) => {
    if (path.includes("/manifests/x")) asked++;
    if (path.includes("/manifests/x")) return { kind: "answer", status: 404 };
    const body = JSON.stringify({ tags });
    return path.includes("/tags/list") ? { kind: "answer", status: 200, body } : undefined;
  });
  closeAfterTest(() => proxy.close());
  const provider = await connect(bench.local);
  const { names, diagnostics } = await listed(provider, signList, `${proxy.host}/lab/app`);
  expect(names).toEqual([`${proxy.host}/lab/app:v1`]);
  expect(asked).toBe(999);
  expect(details(diagnostics)).toContain("201 tags were not read: the maximum is 1000");
});

test("a page of more than a million tags is read", async () => {
  const bench = await openBench();
  const image = await tagged(bench, "one", "v1");
  await signImage(bench, bench.person(email), image);
  const body = `{"tags":[${'"v1",'.repeat(1_600_000)}"v1"]}`;
  const proxy = await withFaults(bench.local.addresses.registry, ({ path }) =>
    path.includes("/tags/list") ? { kind: "answer", status: 200, body } : undefined,
  );
  closeAfterTest(() => proxy.close());
  const provider = await connect(bench.local);
  const found = await listed(provider, signList, `${proxy.host}/lab/app`);
  expect(found).toMatchObject({ names: [`${proxy.host}/lab/app:v1`], diagnostics: [] });
});

test.each(["registry.example/app:v1", "oci:/srv/mirror", ""])("refuses %j", async (repository) => {
  const bench = await openBench();
  const provider = await connect(bench.local);
  const list = createTerraformHarness(provider).listResource(signList);
  const found = [];
  for await (const each of list.list({ repository })) found.push(...each.diagnostics);
  expect(details(found)).toMatch(/The repository must /);
});

const cosigns = findCosign();
skippedWithout(cosigns.length === 0 ? ["cosign"] : [], "nothing of another signer is listed");
const cases = cosigns.flatMap((cosign) =>
  namedRegistries.flatMap((name) =>
    (["legacy", "bundle"] as const).map((format) => ({ name, format, cosign })),
  ),
);

for (const { name, format, cosign } of cases) {
  const written = `in ${name}, what cosign ${cosign.version} wrote (${format})`;
  test(`${written} is listed, and the plan after its import is empty`, async () => {
    const bench = await openBench();
    const repository = { registry: await openNamedRegistry(name), path: "lab/app" };
    const client = openClient();
    const { digest } = await pushImage(client, repository, "one", { tag: "v1" });
    await pushImage(client, repository, "other", { tag: "v2" });
    const image = textOf({ ...repository, digest });
    const json = '{"passed":true}';
    for (const what of ["signature", "attestation"] as const) {
      const statement = { predicateType, json };
      await cosignMakes(cosign, { format, what }, statement, bench.local, image, email);
    }
    const provider = await connect(bench.local);
    const place = formatRepository(repository);
    for (const list of [signList, attestList] as const) {
      const found = await listed(provider, list, place);
      expect(found).toMatchObject({ names: [`${place}:v1`], images: [image], diagnostics: [] });
    }
    const given = format === "bundle" ? { signatureFormat: format } : {};
    const signed = await importedPlan(provider, sign, image, given);
    expect(signed).toMatchObject({ planned: signed.state, diagnostics: [] });
    const predicates = [{ type: predicateType, json }];
    const attested = await importedPlan(provider, attest, image, { ...given, predicates });
    expect(attested).toMatchObject({ planned: attested.state, diagnostics: [] });
    const left = await client.manifests.get(repository, "v2", contextOf());
    expect(left).toBeDefined();
  });
}
