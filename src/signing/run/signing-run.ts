import type { CallContext } from "../../http/call-context";
import type { Conflict } from "../conflict/conflict";
import { formatRepository, type Repository } from "../oci/reference/repository";
import { Certificate } from "../sigstore/certificate/certificate";
import { identityOf } from "../sigstore/certificate/identity";
import type { Signer } from "../sigstore/certificate-authority/signing-certificate";
import type { Written } from "./written";
import type { IdentityRule } from "../sigstore/verification/identity-rule";
import type { TrustMaterial } from "../sigstore/trust/trust-material";
import type { SigningServices } from "./signing-services";

/** One run of signing or attesting: what all of its steps share. */
export interface SigningRun {
  readonly repository: Repository;
  readonly conflict: Conflict;
  readonly services: SigningServices;
  readonly context: CallContext;
  readonly rekorUrl: string;
  /** What we know of as ours. */
  readonly previous: Pick<Written, "layers" | "bundles">;
  /** Our key with a certificate that can still be used. */
  signer(): Promise<Signer>;
  /** Who we are, as the certificate has it. */
  identity(): Promise<SignerIdentity>;
  trust(): Promise<TrustMaterial>;
  say(message: string, fields: Readonly<Record<string, unknown>>): void;
}

/** Who signs. */
export interface SignerIdentity {
  readonly subject: string;
  readonly issuer: string;
}

export interface SigningRunSettings {
  readonly image: Repository;
  readonly conflict: Conflict;
  readonly fulcioUrl: string;
  readonly rekorUrl: string;
  readonly previous?: Written | undefined;
}

export function signingRun(
  { image, conflict, fulcioUrl, rekorUrl, previous }: SigningRunSettings,
  services: SigningServices,
  context: CallContext,
): SigningRun {
  const { registry, path } = image;
  const repository: Repository = { registry, path };
  const isKnown = previous?.repository === formatRepository(repository);
  let trust: Promise<TrustMaterial> | undefined;
  const signer = () => services.signer(fulcioUrl, context);
  return {
    ...{ repository, conflict, services, context, rekorUrl, signer },
    previous: isKnown ? previous : { layers: [], bundles: [] },
    identity: async () => signerIdentity(await signer()),
    trust: () => (trust ??= services.trust()),
    say: (message, fields) => services.onProgress?.(message, fields),
  };
}

/**
 * Whom a certificate of ours names.
 *
 * One that names nobody, or several, is refused when what it signed is verified.
 */
export function signerIdentity({ leaf }: Pick<Signer, "leaf">): SignerIdentity {
  const { subjects, issuer = "" } = identityOf(new Certificate(leaf.raw));
  return { subject: subjects[0] ?? "", issuer };
}

export function exactly({ subject, issuer }: SignerIdentity): IdentityRule {
  return { subject: { equals: subject }, issuer: { equals: issuer } };
}
