import type { CallContext } from "../../http/call-context";
import { createHttpClient, lazyTransport } from "../../http/client";
import { makeBundle } from "../sign/attach-bundles";
import { SignatureRun } from "../sign/signature-run";
import type { Digest } from "../oci/reference/descriptor";
import { publicUrls } from "../provider/declare";
import { type Certificate, oid } from "../sigstore/certificate/certificate";
import { readText } from "../sigstore/der/read-value";
import { signStatement } from "../sigstore/format/statement";
import { githubActionsToken, readIdentityToken } from "../sigstore/service/identity-token";
import { signerSource } from "../sigstore/service/signer-source";
import { documentText, loadTrust } from "../sigstore/trust/load-trust";
import { readSigningConfig, selectServices } from "../sigstore/trust/signing-config";
import type { Environment, TrustMaterial } from "../sigstore/trust/trusted-root";
import {
  attempt,
  demand,
  type TextRule,
  within,
  isVerified,
  type VerificationProblem,
} from "../sigstore/verification/verification";
import { verifyBundle } from "../sigstore/verification/verify-attached";

/**
 * Signs a file as the job or the person that the environment identifies. The signature is logged.
 *
 * @param env the variables with the services and the trusted keys, as for the provider
 * @returns a Sigstore bundle
 * @throws CodedError
 */
export async function signFile(
  file: Digest,
  env: Environment,
  context: CallContext,
): Promise<Buffer> {
  const transport = lazyTransport({ ...env });
  const http = createHttpClient({ userAgent: "trivet-signing", transport });
  const {
    TRIVET_SIGNING_CONFIG: config = "",
    SIGSTORE_ID_TOKEN: given = "",
    ACTIONS_ID_TOKEN_REQUEST_URL: github = "",
  } = env;
  // Clouds and machines have no workflow that could be verified.
  const identity = async (call: CallContext) => {
    if (given !== "") return readIdentityToken(given, "SIGSTORE_ID_TOKEN");
    if (github === "") return undefined;
    const search = { env, http, context: call, now: Date.now, redact: () => undefined };
    return await githubActionsToken(search);
  };
  const selected =
    config === ""
      ? undefined
      : selectServices(readSigningConfig(await documentText(config)), {
          now: new Date(),
          logVersions: [1, 2],
        });
  const services = {
    http,
    signer: signerSource({ http, identity, now: Date.now }),
    trust: () => trustOf(env, context),
    bundleServices: selected,
    timestampUrl: selected?.timestampUrls[0],
    now: () => new Date(),
  };
  const { fulcioUrl = publicUrls.fulcioUrl, logs = [] } = selected ?? {};
  const urls = { fulcioUrl, rekorUrl: logs[0]?.url ?? publicUrls.rekorUrl };
  const run = new SignatureRun(urls, services, context);
  try {
    return await makeBundle(run, file, signStatement(file), "signature");
  } finally {
    await http.close();
  }
}

/** Loads the trusted certificates and keys, as the provider does. @throws TrustError */
export function trustOf(env: Environment, { signal }: CallContext): Promise<TrustMaterial> {
  const { TRIVET_TRUSTED_ROOT: root = "" } = env;
  return loadTrust({ trustedRoot: root === "" ? undefined : root, environment: env, signal });
}

/** The job of a workflow that must have signed. */
export interface ExpectedWorkflow {
  readonly issuer: string;
  /** The URL of the workflow's file. In certificates, `@` and a ref follow it. */
  readonly workflow: string;
  readonly repository: string;
  /** The event that started it, such as `pull_request`. */
  readonly trigger: string;
}

/**
 * Verifies that a job of a workflow has signed a file.
 *
 * @param bundle a Sigstore bundle
 * @returns the commit that the job ran for
 */
export function verifyWorkflow(
  bundle: Uint8Array,
  file: Digest,
  expected: ExpectedWorkflow,
  trust: TrustMaterial,
): { readonly commit: string } | VerificationProblem {
  const prefix = `${expected.workflow}@`;
  const subject: TextRule = {
    contains: { source: `${prefix}…`, isFoundIn: (text) => text.startsWith(prefix) },
  };
  const identities = [{ subject, issuer: { equals: expected.issuer } }];
  const verified = verifyBundle(bundle, file, "signature", { trust, signer: { identities } });
  if (!isVerified(verified)) return verified;
  return attempt(() => {
    const { certificate } = verified;
    demand(certificate !== undefined, "CERTIFICATE", "the signature has no certificate");
    for (const [name, wanted] of [
      ["sourceRepository", expected.repository],
      ["buildTrigger", expected.trigger],
    ] as const) {
      const found = factIn(certificate, name);
      const problem = `the workflow ran for ${JSON.stringify(found)}, not for "${wanted}"`;
      demand(found === wanted, "IDENTITY", problem);
    }
    const commit = factIn(certificate, "sourceCommit");
    demand(/^[\da-f]{40,64}$/.test(commit), "IDENTITY", "the certificate contains no commit");
    return { commit };
  });
}

const factIn = (certificate: Certificate, name: keyof typeof oid): string =>
  within("CERTIFICATE", () => {
    const value = certificate.extension(oid[name]);
    return value === undefined ? "" : readText(value);
  });
