import type { CallContext } from "../../http/call-context";
import type { Conflict } from "../conflict/conflict";
import { formatRepository, type Repository } from "../oci/reference/repository";
import { Certificate } from "../sigstore/certificate/certificate";
import { identityOf } from "../sigstore/certificate/identity";
import type { Signer } from "../sigstore/certificate-authority/signing-certificate";
import { checkSigner } from "./check-signer";
import type { Written } from "./written";
import type { IdentityRule } from "../sigstore/verification/identity-rule";
import type { TrustMaterial } from "../sigstore/trust/trust-material";
import type { SigningServices } from "./signing-services";

/** One run of signing or attesting: the state that all steps share. */
export interface SigningRun {
  readonly repository: Repository;
  readonly conflict: Conflict;
  readonly services: SigningServices;
  readonly context: CallContext;
  readonly rekorUrl: string;
  /** What we wrote before, so it counts as ours. */
  readonly previous: Pick<Written, "layers" | "bundles">;
  /**
   * A key with a valid and verified certificate. Requests one if needed.
   *
   * @throws SigningError `UNVERIFIED`, ServiceError
   */
  signer(): Promise<Signer>;
  /** Our identity, as in our certificate. */
  identity(): Promise<SignerIdentity>;
  trust(): Promise<TrustMaterial>;
  /** Reports progress. */
  say(message: string, fields: Readonly<Record<string, unknown>>): void;
}

/** The identity in a signing certificate. */
export interface SignerIdentity {
  /** Email address or URI of the signer. */
  readonly subject: string;
  /** URL of the issuer of the identity token. */
  readonly issuer: string;
}

/** What a run needs to know from a request. */
export interface SigningRunSettings {
  readonly image: Repository;
  readonly conflict: Conflict;
  readonly fulcioUrl: string;
  readonly rekorUrl: string;
  readonly previous?: Written | undefined;
}

/** Creates the state of a run. What was written to another repository is ignored. */
export function signingRun(
  { image, conflict, fulcioUrl, rekorUrl, previous }: SigningRunSettings,
  services: SigningServices,
  context: CallContext,
): SigningRun {
  const { registry, path } = image;
  const repository: Repository = { registry, path };
  const isKnown = previous?.repository === formatRepository(repository);
  let trust: Promise<TrustMaterial> | undefined;
  let checked: Signer | undefined;
  const trusted = () => (trust ??= services.trust());
  const signer = async () => {
    const found = await services.signer(fulcioUrl, context);
    if (found !== checked) checkSigner(found, await trusted(), services);
    checked = found;
    return found;
  };
  return {
    ...{ repository, conflict, services, context, rekorUrl, signer },
    previous: isKnown ? previous : { layers: [], bundles: [] },
    identity: async () => signerIdentity(await signer()),
    trust: trusted,
    say: (message, fields) => services.onProgress?.(message, fields),
  };
}

/**
 * The identity in our certificate.
 *
 * A certificate with no subject or several subjects is rejected later, when its signature is verified.
 */
export function signerIdentity({ leaf }: Pick<Signer, "leaf">): SignerIdentity {
  const { subjects, issuer = "" } = identityOf(new Certificate(leaf.raw));
  return { subject: subjects[0] ?? "", issuer };
}

/** The rule that accepts only this identity. */
export function exactly({ subject, issuer }: SignerIdentity): IdentityRule {
  return { subject: { equals: subject }, issuer: { equals: issuer } };
}
