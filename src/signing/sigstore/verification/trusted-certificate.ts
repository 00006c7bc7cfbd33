import type { Certificate } from "../certificate/certificate";
import { oid } from "../certificate/object-identifiers";
import type { TrustMaterial } from "../trust/trust-material";
import { checkPresentedChain, issuerInChain } from "./certificate-chain";
import { checkPresentedCount, IssuerChecks } from "./issuer-checks";
import { checkCertificateLog } from "./signer-certificate";
import { within } from "./verification-error";

/** A signer's certificate, and what it is checked against. */
interface TrustedCertificateProps {
  readonly leaf: Certificate;
  /** Certificates that came with it. */
  readonly presented: readonly Certificate[];
  readonly trust: TrustMaterial;
  readonly certificateLog: "required" | "ignored";
  /** When the certificate and its chain must be valid. */
  readonly times: readonly Date[];
}

/**
 * Checks that a trusted certificate authority issued a signer's certificate, and that a trusted certificate
 * transparency log has promised to list it.
 *
 * @throws VerificationError
 */
export function checkTrustedCertificate(props: TrustedCertificateProps): void {
  const { leaf, presented, trust, certificateLog, times } = props;
  const authorities = trust.certificateAuthorities;
  const checks = new IssuerChecks();
  within("CERTIFICATE", () => {
    checkPresentedCount(presented.length, "signature");
    checkPresentedChain(leaf, presented, authorities, checks);
    for (const time of times) {
      const chain = { leaf, authorities, presented, time, checks };
      const issuer = issuerInChain({ ...chain, purpose: oid.codeSigning });
      if (certificateLog === "required") checkCertificateLog(leaf, issuer, trust.certificateLogs);
    }
  });
}
