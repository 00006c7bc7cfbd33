import type { KeyObject } from "node:crypto";
import { toPem } from "../../sigstore/der/der-element";
import { newSerial, type AuthorityChain } from "../certificate/authority-chain";
import {
  writeCertificate,
  writeCertificateBody,
  writeName,
  alternativeNameExtension,
  authorityKeyExtension,
  issuerExtensions,
  keyUsageExtension,
  purposeExtension,
  sctExtension,
  subjectKeyExtension,
  textExtension,
} from "../certificate/write-certificate";
import type { CertifiedIdentity } from "./certified-identity";
import type { CtLog } from "./ct-log";

const lifetimeMs = 10 * 60 * 1000;

/** Issues certificates that are valid for ten minutes and contain an SCT of the log. */
export class CertificateAuthority {
  constructor(
    readonly chain: AuthorityChain,
    readonly ctLog: CtLog,
    private readonly now: () => Date,
  ) {}

  /**
   * Issues a certificate.
   *
   * @returns the certificate and its chain in PEM, the certificate first
   */
  async issue(identity: CertifiedIdentity, publicKey: KeyObject): Promise<readonly string[]> {
    const { chain } = this;
    const spki = publicKey.export({ type: "spki", format: "der" });
    const notBefore = new Date(Math.floor(this.now().getTime() / 1000) * 1000);
    const body = {
      serial: newSerial(),
      issuer: chain.subject,
      subject: writeName(),
      notBefore,
      notAfter: new Date(notBefore.getTime() + lifetimeMs),
      spki,
      extensions: [
        keyUsageExtension("digitalSignature"),
        purposeExtension("codeSigning"),
        subjectKeyExtension(spki),
        authorityKeyExtension(chain.key.spki),
        alternativeNameExtension(identity.kind, identity.name),
        ...issuerExtensions(identity.issuer),
        ...Object.entries(identity.facts ?? {}).map(([name, fact]) => textExtension(name, fact)),
      ],
    };
    const sct = await this.ctLog.submit(writeCertificateBody(body), chain.key.spki);
    const extensions = [...body.extensions, sctExtension([sct])];
    const leaf = writeCertificate({ ...body, extensions }, chain.key);
    return [leaf, ...chain.certificates].map((der) => toPem("CERTIFICATE", der));
  }

  /** The chain above an issued certificate in PEM, the issuer first. */
  get bundle(): readonly string[] {
    return this.chain.certificates.map((der) => toPem("CERTIFICATE", der));
  }
}
