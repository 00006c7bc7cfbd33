import { Certificate } from "../sigstore/certificate/certificate";
import type { Signer } from "../sigstore/certificate-authority/signing-certificate";
import { fromPem } from "../sigstore/der/pem";
import type { TrustMaterial } from "../sigstore/trust/trust-material";
import { checkPresentedCount } from "../sigstore/verification/issuer-checks";
import { checkSignerUsage } from "../sigstore/verification/signer-certificate";
import { checkTrustedCertificate } from "../sigstore/verification/trusted-certificate";
import { VerificationError, within } from "../sigstore/verification/verification-error";
import { SigningError } from "./signing-error";
import type { SigningServices } from "./signing-services";

/**
 * Verifies our certificate with its chain and its SCT, before it is used: an entry in the transparency log
 * cannot be removed, so nothing is logged with a certificate that nobody would accept.
 *
 * @throws SigningError `UNVERIFIED`
 */
export function checkSigner(
  { leaf: x509, chainPem }: Signer,
  trust: TrustMaterial,
  { now, certificateLog = "required" }: Pick<SigningServices, "now" | "certificateLog">,
): void {
  try {
    within("CERTIFICATE", () => {
      const leaf = new Certificate(x509.raw);
      const ders = chainPem.flatMap((pem) => fromPem("CERTIFICATE", pem));
      checkPresentedCount(ders.length, "signature");
      const presented = ders.map((der) => new Certificate(der));
      checkSignerUsage(leaf);
      const times = [validTime(leaf, now())];
      checkTrustedCertificate({ leaf, presented, trust, certificateLog, times });
    });
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    throw new SigningError(
      "UNVERIFIED",
      "the certificate from the certificate authority does not verify, so nothing was written, not even to the log: " +
        error.message,
      error,
    );
  }
}

/** Now, or the nearest time at which the certificate is valid: the authority's clock may differ from ours. */
function validTime({ notBefore, notAfter }: Certificate, now: Date): Date {
  if (now < notBefore) return notBefore;
  return now > notAfter ? notAfter : now;
}
