import type { Conflict } from "../../../../src/core/signing/sign/enums";
import { readIdentityToken } from "../../../../src/core/signing/sigstore/service/identity-token";
import { createRegistryClient } from "../../../../src/core/signing/oci/registry/client";
import type { DigestReference } from "../../../../src/core/signing/oci/reference/image-name";
import { sample } from "../../../all-tests";
import { attachedTo } from "./attached";
import { Killed, mortalHttp } from "./mortal-http";
import { attest, sign } from "./operations";
import { openBench, restless, type Person, type SigningBench } from "./signing-bench";
import { signerSource } from "../../../../src/core/signing/sigstore/service/signer-source";

const ada = "ada@example.com";
const eve = "eve@example.com";

/** A new process of Ada's, which dies at some request. */
function mortalPerson(bench: SigningBench, diesAfter: number) {
  const { client: http, hasDied } = mortalHttp(bench.http, diesAfter);
  const identity = () =>
    Promise.resolve(readIdentityToken(bench.local.issueToken({ email: ada }), "the test"));
  const person = bench.person(ada, {
    http,
    registry: createRegistryClient({ http, clock: restless }),
    signer: signerSource({ http, identity, now: () => Date.now() }),
  });
  return { person, hasDied };
}

/** Somebody whose bundles are logged in version 2 of the log. */
function inRekorV2({ urls, local }: SigningBench, person: Person): Person {
  const bundleServices = {
    logs: [{ url: urls.rekorUrl, version: 2 as const }],
    timestampUrls: [local.addresses.timestampAuthority],
  };
  return { ...person, services: { ...person.services, bundleServices } };
}

interface Scene {
  readonly run: (bench: SigningBench, person: Person, image: DigestReference) => Promise<unknown>;
  /** Who is found afterwards. */
  readonly found: (bench: SigningBench, image: DigestReference) => Promise<readonly string[]>;
}

const scenes = (conflict: Conflict): Readonly<Record<string, Scene>> => ({
  "signing as a layer": {
    run: (bench, person, image) => sign(bench, person, image, { conflict }),
    found: (bench, image) => attachedTo(bench, image).signatures(),
  },
  "signing as a bundle": {
    run: (bench, person, image) => sign(bench, person, image, { conflict, format: "bundle" }),
    found: (bench, image) => attachedTo(bench, image).bundles("signature"),
  },
  "signing as a bundle in Rekor v2": {
    run: (bench, person, image) =>
      sign(bench, inRekorV2(bench, person), image, { conflict, format: "bundle" }),
    found: (bench, image) => attachedTo(bench, image).bundles("signature"),
  },
  "attesting as a layer": {
    run: (bench, person, image) => attest(bench, person, image, { conflict }),
    found: (bench, image) => attachedTo(bench, image).attestations(),
  },
  "attesting as a bundle": {
    run: (bench, person, image) => attest(bench, person, image, { conflict, format: "bundle" }),
    found: (bench, image) => attachedTo(bench, image).bundles("attestation"),
  },
});

/** Dies after the first request, then after the second, and so on, until it comes through. */
async function dieEverywhere(bench: SigningBench, { run, found }: Scene): Promise<number> {
  for (let diesAfter = 0; ; diesAfter++) {
    const image = await bench.pushImage(`dies after ${diesAfter}`);
    await run(bench, bench.person(eve), image);
    const before = await bench.logSize();
    const { person, hasDied } = mortalPerson(bench, diesAfter);
    const outcome = await run(bench, person, image).catch((failure: unknown) => failure);
    expect(outcome instanceof Killed).toBe(hasDied());
    await run(bench, bench.person(ada), image);
    const logged = (await bench.logSize()) - before;
    const people = [...(await found(bench, image))].sort();
    expect({ diesAfter, people, isTwiceAtMost: logged <= 2 }).toEqual({
      diesAfter,
      people: [ada, eve],
      isTwiceAtMost: true,
    });
    if (!hasDied()) return diesAfter;
  }
}

const skipping = Object.entries(scenes("SKIPSAME"));

// Both formats and both logs. What is attested is written by the same code, and replaced below.
const bothFormats = ["signing as a layer", "signing as a bundle in Rekor v2"];

it.each(
  sample(
    skipping,
    skipping.filter(([name]) => bothFormats.includes(name)),
  ),
)("%s is completed by the next run, wherever it was killed", async (_name, scene) => {
  const bench = await openBench({}, restless);
  expect(await dieEverywhere(bench, scene)).toBeGreaterThan(10);
});

const replacing = scenes("REPLACE");

it.each(["attesting as a layer", "signing as a bundle"])(
  "%s, replacing what was attached, is also completed without the referrers API",
  async (name) => {
    const bench = await openBench({ referrersApi: false }, restless);
    const scene = replacing[name];
    if (scene === undefined) throw new Error(name);
    expect(await dieEverywhere(bench, scene)).toBeGreaterThan(10);
  },
);
