import { providerRoutes } from "../../../../src/core/provider-kit";
import {
  createTerraformHarness,
  type HarnessDiagnostic,
  startProvider,
  type StartedProvider,
  type StoredResource,
} from "../../../../src/core/provider-kit/testing";
import type { Declaration } from "../../../../src/core/schema";
import { verify } from "../../../../src/core/signing/verify/declare";
import { signingProvider } from "../../../../src/core/signing/provider/declare";
import type { LocalSigning } from "../../../../src/local/signing/start-local-signing";
import { provider as definition } from "../../../../src/core/signing/provider-definition";
import { closeAfterTest } from "../../http/close-after-test";
import type { Values } from "../../provider-kit/plan/planning";
import type { SigningBench } from "../sign/signing-bench";
import { stateOf, summaries } from "../../provider-kit/server/protocol";

export type Environment = Readonly<Record<string, string>>;

/** Who signs in these tests. */
export const email = "dev@example.com";

export interface Provider extends StartedProvider {
  /** Every line of the log, at the lowest level. */
  readonly log: readonly string[];
  readonly configured: readonly HarnessDiagnostic[];
}

/** The signing provider in this process, configured. */
export async function start(config: Values, environment: Environment = {}): Promise<Provider> {
  const log: string[] = [];
  // The tests may run on a machine of Google's, which has an identity.
  const nobody = { HOME: "/nowhere", NO_GCE_CHECK: "true" };
  const env = { TF_LOG: "TRACE", ...nobody, ...environment };
  const started = await startProvider(providerRoutes(definition, env), {
    env,
    onLog: (line) => log.push(line),
  });
  closeAfterTest(() => {
    started.close();
    return Promise.resolve();
  });
  const configured = await createTerraformHarness(started).configure(signingProvider, config);
  return { ...started, log, configured };
}

/** Settings for the services of a test, and an identity to sign with. */
export const settingsFor = (local: LocalSigning): Values => ({
  fulcioUrl: local.addresses.certificateAuthority,
  rekorUrl: local.addresses.transparencyLog,
  trustedRoot: local.files.trustedRoot,
  identityToken: local.issueToken({ email }),
});

export async function connect(
  local: LocalSigning,
  changes: Values = {},
  environment: Environment = {},
): Promise<Provider> {
  const provider = await start({ ...settingsFor(local), ...changes }, environment);
  expect(provider.configured).toEqual([]);
  return provider;
}

/** A resource as Terraform keeps it between two commands. */
type Kept = StoredResource;

interface Outcome {
  readonly state: Values | null;
  readonly private: Uint8Array | undefined;
  readonly diagnostics: readonly HarnessDiagnostic[];
}

/** Plans and applies; the diagnostics are those of both. */
export async function apply(
  provider: Provider,
  declaration: Declaration,
  config: Values,
  kept?: Kept,
): Promise<Outcome> {
  const resources = createTerraformHarness(provider).resource(declaration);
  const change = await resources.plan(config, kept);
  if (change.action === undefined) {
    return { state: null, private: change.private, diagnostics: change.diagnostics };
  }
  expect(change.replaces).toEqual([]);
  const { stored, diagnostics } = await resources.apply(change);
  return {
    state: stored?.state ?? null,
    private: stored?.private,
    diagnostics: [...change.diagnostics, ...diagnostics],
  };
}

/** Applies what must succeed without diagnostics. */
export async function make(
  provider: Provider,
  declaration: Declaration,
  config: Values,
  kept?: Kept,
): Promise<Kept> {
  const {
    state,
    private: privateState,
    diagnostics,
  } = await apply(provider, declaration, config, kept);
  expect(diagnostics).toEqual([]);
  if (state === null) throw new Error("there is no state");
  return { state, private: privateState };
}

/** Reads the state. */
export async function refresh(provider: Provider, declaration: Declaration, kept: Kept) {
  const result = await createTerraformHarness(provider).resource(declaration).read(kept);
  return {
    state: stateOf(result),
    private: result.stored?.private,
    diagnostics: result.diagnostics,
  };
}

export const plan = (
  provider: Provider,
  declaration: Declaration,
  config: Values | null,
  kept?: Kept,
) => createTerraformHarness(provider).resource(declaration).plan(config, kept);

/** What an import makes of an ID, before it is read. */
export const importState = (provider: Provider, declaration: Declaration, id: string) =>
  createTerraformHarness(provider).resource(declaration).importState(id);

/** Verifies an image; the state is undefined when it was refused. */
export async function verifyImage(
  provider: Provider,
  image: string,
  policy: string,
  more: Values = {},
) {
  const verification = createTerraformHarness(provider).dataSource(verify);
  const { state, diagnostics } = await verification.read({ image, policy, ...more });
  return { state: state ?? undefined, diagnostics, summaries: summaries(diagnostics) };
}

/** Who may have signed, in a policy for every image of the tests. */
export function policyText(local: LocalSigning, spec: object = {}, subject = email): string {
  return JSON.stringify({
    apiVersion: "policy.sigstore.dev/v1beta1",
    kind: "ClusterImagePolicy",
    metadata: { name: "releases" },
    spec: {
      images: [{ glob: "**" }],
      authorities: [keyless(local, {}, subject)],
      ...spec,
    },
  });
}

export const keyless = (local: LocalSigning, more: object = {}, subject = email): object => ({
  name: "us",
  keyless: {
    url: local.addresses.certificateAuthority,
    identities: [{ issuer: local.addresses.tokenIssuer, subject }],
  },
  ...more,
});

/** Somebody removes something from the registry. */
export async function remove(
  { local, repository }: Pick<SigningBench, "local" | "repository">,
  reference: string,
): Promise<void> {
  const url = `${local.addresses.registry}/v2/${repository.path}/manifests/${reference}`;
  const answer = await fetch(url, { method: "DELETE" });
  expect(answer.status).toBe(202);
}
