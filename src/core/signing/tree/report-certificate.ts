import { X509Certificate } from "node:crypto";
import { serverMessage } from "../../http/server-message";
import { type Certificate, oid } from "../sigstore/certificate/certificate";
import { certificateTimestamps } from "../sigstore/verification/signer-certificate";
import { identityOf } from "../sigstore/certificate/extensions";
import { DerElement } from "../sigstore/der/der-element";
import { readText, utf8 } from "../sigstore/der/read-value";
import type { CertificateReport } from "./image-tree";

/**
 * What Fulcio confirms about a workflow, by the last number of the extension.
 *
 * @see https://github.com/sigstore/fulcio/blob/main/docs/oid-info.md
 */
const facts: Readonly<Record<string, string>> = {
  9: "Build signer",
  10: "Build signer digest",
  11: "Runner",
  12: "Repository",
  13: "Commit",
  14: "Ref",
  15: "Repository ID",
  16: "Owner",
  17: "Owner ID",
  18: "Build configuration",
  19: "Build configuration digest",
  20: "Trigger",
  21: "Run",
  22: "Repository visibility",
};

/** The same of older certificates, as raw bytes. */
const olderFacts: Readonly<Record<string, string>> = {
  [oid.workflowTrigger]: "Trigger",
  [oid.workflowSha]: "Commit",
  [oid.workflowName]: "Workflow",
  [oid.workflowRepository]: "Repository",
  [oid.workflowRef]: "Ref",
};

/** Describes a signer's certificate. Verifies nothing. @throws DerError */
export function reportCertificate(certificate: Certificate): CertificateReport {
  const { subjects, issuer } = identityOf(certificate);
  const { asymmetricKeyType = "", asymmetricKeyDetails: details } = certificate.publicKey;
  const size = details?.namedCurve ?? (details?.modulusLength ? String(details.modulusLength) : "");
  return {
    subjects: subjects.map((each) => serverMessage(each)),
    ...(issuer !== undefined && { issuer: serverMessage(issuer) }),
    authority: nameOf(new X509Certificate(certificate.der).issuer),
    notBefore: certificate.notBefore.toISOString(),
    notAfter: certificate.notAfter.toISOString(),
    serialNumber: certificate.serialNumber.toString(16),
    key: `${asymmetricKeyType.toUpperCase()} ${size}`.trim(),
    promises: certificateTimestamps(certificate).length,
    facts: factsOf(certificate),
  };
}

/** A name in the order in which people read it. Node.js has one part on each line. */
const nameOf = (lines: string): string => serverMessage(lines.split("\n").reverse().join(", "));

function factsOf({ extensions }: Certificate): CertificateReport["facts"] {
  const found = new Map<string, string>();
  for (const [id, { value }] of extensions) {
    const newer = id.startsWith(fulcio) ? facts[id.slice(fulcio.length)] : undefined;
    if (newer !== undefined) found.set(newer, readText(DerElement.read(value)));
    const older = olderFacts[id];
    if (older !== undefined && !found.has(older)) found.set(older, utf8(value));
  }
  return [...found].map(([name, value]) => ({ name, value: serverMessage(value) }));
}

const fulcio = "1.3.6.1.4.1.57264.1.";
