import { join } from "node:path";
import {
  type ExploredOperation,
  type FaultKind,
  type FaultTest,
  testFaults,
} from "../../../src/provider-kit/testing";
import { attest } from "../../../src/signing/attest/declare";
import { copy } from "../../../src/signing/copy/declare";
import type { DigestReference } from "../../../src/signing/oci/reference/digest-reference";
import { signingProvider } from "../../../src/signing/provider/declare";
import { sign } from "../../../src/signing/sign/declare";
import { verify } from "../../../src/signing/verify/declare";
import { buildWhenStale, root } from "../../e2e/support/build";
import { attachedTo } from "../sign/attached";
import { attest as attestOutside, predicateType, sign as signOutside } from "../sign/operations";
import { inTime, openBench, restless, type SigningBench } from "../sign/signing-bench";
import { email, policyText } from "./signing";

beforeAll(buildWhenStale);

/** Somebody whose signatures and attestations must stay. */
const eve = "eve@example.com";

/** An image of one run, in services that all runs share. */
interface Scene {
  readonly image: DigestReference;
  readonly services: Readonly<Record<string, string>>;
}

type Prepare = (image: DigestReference) => Promise<unknown>;

type World = Parameters<FaultTest<Scene>["config"]>[0];

/** A repository as the provider names it: its requests then go through the harness. */
const repositoryAt = ({ urls }: World, path: string): string =>
  `${new URL(urls["registry"] ?? "").host}/${path}`;

const imageAt = (world: World): string =>
  `${repositoryAt(world, world.scene.image.path)}@${world.scene.image.digest}`;

let images = 0;

/** Explores with the packaged provider. Runs first prepare their image without it. */
function explore(
  bench: SigningBench,
  prepare: Prepare,
  test: Pick<FaultTest<Scene>, "declaration" | "config" | "check" | "operations" | "kinds">,
): Promise<readonly ExploredOperation[]> {
  return testFaults<Scene>({
    executable: [process.execPath, join(root, "dist", "providers", "signing", "provider.cjs")],
    env: { NO_GCE_CHECK: "true" },
    async open() {
      const image = await bench.pushImage(`image ${++images}`);
      await prepare(image);
      const { registry, certificateAuthority, transparencyLog } = bench.local.addresses;
      return { image, services: { registry, certificateAuthority, transparencyLog } };
    },
    provider: signingProvider,
    settings: ({ urls, isUnanswered }) => ({
      fulcioUrl: urls["certificateAuthority"],
      rekorUrl: urls["transparencyLog"],
      trustedRoot: bench.local.files.trustedRoot,
      identityToken: bench.local.issueToken({ email }),
      timeout: isUnanswered ? "2s" : "5m",
    }),
    ...test,
  });
}

/** Fails if faults did not happen, or if there were too few requests to be the whole operation. */
function expectAll(
  explored: readonly ExploredOperation[],
  fewest: Readonly<Record<string, number>>,
) {
  const missed = explored.flatMap((each) => each.missed);
  // With short time-outs, a slow machine may end an operation early.
  expect(missed.filter(({ kind }) => kind !== "no-answer")).toEqual([]);
  const counts = explored.map(({ operation, requests }) => [operation, requests.length] as const);
  const tooFew = counts.filter(([operation, count]) => count < (fewest[operation] ?? 0));
  expect({ operations: counts.map(([operation]) => operation), tooFew }).toEqual({
    operations: Object.keys(fewest),
    tooFew: [],
  });
}

const kills: readonly FaultKind[] = ["kill-before", "kill-after", "kill-at-end"];
const connections: readonly FaultKind[] = ["reset-before", "reset-after", "no-answer", "twice"];
/** What matters most where the requests are made by the same code as above. */
const lasting: readonly FaultKind[] = [...kills, "reset-after", "twice"];
const twiceOrKilled: readonly FaultKind[] = ["kill-before", "twice"];

test.each([
  ["as a layer", "kills the provider", "legacy", kills],
  ["as a layer", "happens to a connection", "legacy", connections],
  ["as a bundle", "happens", "bundle", lasting],
] as const)("an image is signed once %s, whatever %s", async (_format, _what, format, kinds) => {
  const bench = await openBench({}, restless);
  const eves: Prepare = (image) => signOutside(bench, bench.person(eve), image, { format });
  const explored = await explore(bench, eves, {
    declaration: sign,
    config: (world) => ({
      image: imageAt(world),
      conflict: "SKIPSAME",
      signatureFormat: format,
    }),
    async check({ scene }) {
      const attached = attachedTo(bench, scene.image);
      const found =
        format === "legacy" ? await attached.signatures() : await attached.bundles("signature");
      expect([...found].sort()).toEqual([email, eve]);
    },
    operations: ["create", "read"],
    kinds,
  });
  expectAll(explored, { create: 8, read: 1 });
});

test.each([
  ["as a layer", "legacy", twiceOrKilled],
  ["as a bundle", "bundle", lasting],
] as const)("an image is attested once %s, whatever happens", async (_, format, kinds) => {
  const bench = await openBench({}, restless);
  const eves: Prepare = (image) => attestOutside(bench, bench.person(eve), image, { format });
  const explored = await explore(bench, eves, {
    declaration: attest,
    config: (world) => ({
      image: imageAt(world),
      conflict: "SKIPSAME",
      signatureFormat: format,
      predicateType,
      predicate: '{"passed":true}',
    }),
    async check({ scene }) {
      const attached = attachedTo(bench, scene.image);
      const found =
        format === "legacy" ? await attached.attestations() : await attached.bundles("attestation");
      expect([...found].sort()).toEqual([email, eve]);
    },
    operations: ["create", "read"],
    kinds,
  });
  expectAll(explored, { create: 8, read: 1 });
});

test.each([
  ["kills the provider", kills],
  // Copies have no time-out that is short enough for a test.
  ["happens to a connection", connections.filter((kind) => kind !== "no-answer")],
])("an image and its signatures are copied completely, whatever %s", async (_, kinds) => {
  const bench = await openBench({}, restless);
  const eves: Prepare = (image) => signOutside(bench, bench.person(eve), image);
  const placeOf = ({ image }: Scene): string => `mine/${image.digest.slice(7, 19)}`;
  const explored = await explore(bench, eves, {
    declaration: copy,
    config: (world) => ({
      source: imageAt(world),
      destination: repositoryAt(world, placeOf(world.scene)),
      tags: ["v1"],
    }),
    async check({ scene: { image, ...scene } }) {
      const there = { registry: image.registry, path: placeOf({ image, ...scene }) };
      const { manifests } = bench.registry;
      expect((await manifests.get(there, "v1", inTime()))?.digest).toBe(image.digest);
      const copied = { ...bench, repository: there };
      expect(await attachedTo(copied, image).signatures()).toEqual([eve]);
    },
    operations: ["create", "read"],
    kinds,
  });
  expectAll(explored, { create: 10, read: 2 });
});

test("an image is verified again, whatever happens", async () => {
  const bench = await openBench({}, restless);
  const ours: Prepare = (image) => signOutside(bench, bench.person(email), image);
  const policy = policyText(bench.local);
  const explored = await explore(bench, ours, {
    declaration: verify,
    config: (world) => ({ image: imageAt(world), policy }),
    check(world, state) {
      expect(state).toMatchObject({ verifiedRef: imageAt(world) });
    },
  });
  expectAll(explored, { read: 4 });
});
