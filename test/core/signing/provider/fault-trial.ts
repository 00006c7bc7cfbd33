import {
  type FaultKind,
  type FaultOperation,
  type Fault,
  type FaultTest,
  type SeenRequest,
  testFaults,
} from "../../../../src/core/provider-kit/testing";
import type { DigestReference } from "../../../../src/core/signing/oci/reference/image-name";
import { requestText } from "../../../../src/core/provider-kit/testing/faults/fault";
import { signingProvider } from "../../../../src/core/signing/provider/declare";
import { packagedProvider } from "../../../e2e/support/build";
import { sampleFaults } from "../../../sample-faults";
import type { SigningBench } from "../sign/signing-bench";
import { email } from "./signing";

/** Somebody whose signatures and attestations must stay. */
export const eve = "eve@example.com";

/** An image of one run, in services that all runs share. */
export interface Scene {
  readonly image: DigestReference;
  readonly services: Readonly<Record<string, string>>;
}

export type World = Parameters<FaultTest<Scene>["config"]>[0];

/** What is tried with the packaged provider. */
interface FaultTrial extends Omit<
  FaultTest<Scene>,
  "executable" | "env" | "open" | "provider" | "settings" | "operations" | "choose"
> {
  readonly bench: SigningBench;
  /** The operations, with the number of requests that each has at least. If it is 0, there must be none. */
  readonly operations: Partial<Readonly<Record<FaultOperation, number>>>;
  /** Pushes the image of a run, without the provider. @default an image with one layer */
  readonly push?: ((number: number) => Promise<DigestReference>) | undefined;
  /** Attaches something to the image, without the provider. */
  readonly prepare: (image: DigestReference) => Promise<unknown>;
  /** The URLs of further services on whose requests faults happen. @default none */
  readonly services?: Readonly<Record<string, string>> | undefined;
  /** Settings of the provider besides the usual ones. @default none */
  readonly settings?: FaultTest<Scene>["settings"] | undefined;
}

let images = 0;

/** Tries faults. Fails if something is wrong afterwards, or if not all of them happened. */
export async function tryFaults({
  bench,
  operations,
  push = (number) => bench.pushImage(`image ${number}`),
  prepare,
  services,
  settings,
  check,
  ...test
}: FaultTrial): Promise<void> {
  const { registry, certificateAuthority, transparencyLog } = bench.local.addresses;
  const fewest = new Map(Object.entries(operations));
  const explored = await testFaults<Scene>({
    executable: packagedProvider("signing"),
    env: { NO_GCE_CHECK: "true" },
    async open() {
      const image = await push(++images);
      await prepare(image);
      return { image, services: { registry, certificateAuthority, transparencyLog, ...services } };
    },
    provider: signingProvider,
    settings: (world) => ({
      fulcioUrl: world.urls["certificateAuthority"],
      rekorUrl: world.urls["transparencyLog"],
      trustedRoot: bench.local.files.trustedRoot,
      identityToken: bench.local.issueToken({ email }),
      timeout: world.isUnanswered ? "2s" : "5m",
      ...settings?.(world),
    }),
    // Destroying makes no request, which trying it shows, so what was checked before does not change.
    check: (world, state) => (state === undefined ? undefined : check?.(world, state)),
    operations: allOperations.filter((operation) => fewest.has(operation)),
    choose: sampleFaults,
    ...test,
  });
  for (const { missed, requests } of explored) expectMissed(missed, requests);
  const counts = explored.map(({ operation, requests }) => ({ operation, count: requests.length }));
  const unexpected = counts.filter(({ operation, count }) => {
    const least = fewest.get(operation) ?? 0;
    return least === 0 ? count > 0 : count < least;
  });
  expect(unexpected).toEqual([]);
}

/**
 * Expects that only those faults did not happen that depend on time. A look at a tag is repeated as often as looks
 * take long, so another run may have fewer reads, but never fewer writes.
 */
function expectMissed(missed: readonly Fault[], requests: readonly SeenRequest[]): void {
  // With short time-outs, a slow machine may end an operation early.
  const numbers = new Set(
    missed.filter(({ kind }) => kind !== "no-answer").map(({ request }) => request),
  );
  const isRead = (number: number) => /^(?:GET|HEAD)$/.test(requests[number - 1]?.method ?? "");
  expect([...numbers].filter((number) => !isRead(number))).toEqual([]);
  const different = new Set(requests.filter((_, at) => isRead(at + 1)).map(requestText));
  const repeated = requests.filter((_, at) => isRead(at + 1)).length - different.size;
  expect(numbers.size).toBeLessThanOrEqual(repeated);
}

const allOperations: readonly FaultOperation[] = ["create", "read", "update", "delete"];

/** A repository as the provider names it: its requests then go through the harness. */
export const repositoryAt = ({ urls }: World, path: string, service = "registry"): string =>
  `${new URL(urls[service] ?? "").host}/${path}`;

/** The image of a run as the provider names it. */
export const imageAt = (world: World): string =>
  `${repositoryAt(world, world.scene.image.path)}@${world.scene.image.digest}`;

// All kinds at all requests of all tests would take about five minutes of processor time. So the tests leave out
// what would only repeat the same code in the same state, and without `--all` they try a sample of the rest.

/**
 * The kills that differ. The provider keeps nothing on disk: a kill before a request leaves what a kill after the last
 * request that changed something leaves. Signing as a layer tries both.
 */
export const kills: readonly FaultKind[] = ["kill-after", "kill-at-end"];

/**
 * What differs at requests that change something. `reset-before` and `no-answer` are added only where an image is
 * signed, once for each format, and `no-answer` where it is copied. Attesting writes by the same code, the same client
 * repeats whatever was reset, and an operation without a response ends where a kill ends it.
 */
export const changes: readonly FaultKind[] = [...kills, "reset-after", "twice"];
