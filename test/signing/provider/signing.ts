import { providerRoutes } from "../../../src/provider-kit";
import { startProvider, type StartedProvider } from "../../../src/provider-kit/testing";
import type { Diagnostic } from "../../../src/provider-kit/wire/tfplugin6/tfplugin6";
import type { Declaration } from "../../../src/schema";
import { verify } from "../../../src/signing/verify/declare";
import { signingProvider } from "../../../src/signing/provider/declare";
import type { LocalSigning } from "../../../src/signing/local/local-signing";
import { provider as definition } from "../../../src/signing/provider-definition";
import { closeAfterTest } from "../../http/close-after-test";
import type { Values } from "../../provider-kit/plan/planning";
import type { SigningBench } from "../sign/signing-bench";
import { applied, decode, encode, planned, read, told } from "../../provider-kit/server/protocol";

export type Environment = Readonly<Record<string, string>>;

/** Who signs in these tests. */
export const email = "dev@example.com";

export interface Provider extends StartedProvider {
  /** Every line of the log, at the lowest level. */
  readonly log: readonly string[];
  readonly configured: readonly Diagnostic[];
}

/** The signing provider in this process, configured. */
export async function start(config: Values, environment: Environment = {}): Promise<Provider> {
  const log: string[] = [];
  const env = { TF_LOG: "TRACE", HOME: "/nowhere", ...environment };
  const started = await startProvider(providerRoutes(definition, env), {
    env,
    onLog: (line) => log.push(line),
  });
  closeAfterTest(() => {
    started.close();
    return Promise.resolve();
  });
  const { diagnostics } = await started.configureProvider({
    terraformVersion: "1.11.4",
    config: encode(signingProvider, config),
  });
  return { ...started, log, configured: diagnostics };
}

/** Settings for the services of a test, and somebody to sign. */
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
export interface Kept {
  readonly state: Values;
  readonly private: Uint8Array;
}

export interface Outcome {
  readonly state: Values | null;
  readonly private: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
}

/** Plans and applies; the diagnostics are those of both. */
export async function apply(
  provider: Provider,
  declaration: Declaration,
  config: Values,
  kept?: Kept,
): Promise<Outcome> {
  const prior = kept?.state ?? null;
  const plan = await planned(provider, declaration, config, prior, kept?.private);
  if (plan.planned === null)
    return { state: null, private: plan.private, diagnostics: plan.diagnostics };
  expect(plan.replaces).toEqual([]);
  const result = await applied(provider, declaration, plan.planned, prior, plan.private);
  return { ...result, diagnostics: [...plan.diagnostics, ...result.diagnostics] };
}

/** Applies what must succeed, without a word. */
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

/** Looks at what is there. */
export const refresh = (provider: Provider, declaration: Declaration, kept: Kept) =>
  read(provider, declaration, kept.state, kept.private);

export async function plan(
  provider: Provider,
  declaration: Declaration,
  config: Values,
  kept?: Kept,
) {
  const {
    planned: values,
    replaces,
    diagnostics,
  } = await planned(provider, declaration, config, kept?.state ?? null, kept?.private);
  return { planned: values, replaces, diagnostics };
}

/** Verifies an image; the state is undefined when it was refused. */
export async function verifyImage(provider: Provider, image: string, policy: string) {
  const answer = await provider.readDataSource({
    typeName: verify.type,
    config: encode(verify, { image, policy }),
  });
  const { diagnostics } = answer;
  const hasFailed = diagnostics.some(({ severity }) => severity === "ERROR");
  const state = hasFailed ? undefined : decode(verify, answer.state);
  return { state, diagnostics, told: told(diagnostics) };
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
