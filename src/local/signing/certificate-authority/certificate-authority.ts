import type { IncomingMessage, ServerResponse } from "node:http";
import { answerBytes, HttpFailure } from "../../service/answer";
import type { Listener } from "../../service/service";
import { parseJsonBody, readTextField, routes } from "../../service/request";
import {
  type CertifiedIdentity,
  checkPossession,
  checkToken,
  readPublicKey,
  type TokenRules,
} from "./certified-identity";
import type { KeyObject } from "node:crypto";
import { toPem } from "../../../core/signing/sigstore/der/der-element";
import { type AuthorityChain, newSerial } from "../certificate/authority-chain";
import {
  alternativeNameExtension,
  authorityKeyExtension,
  issuerExtensions,
  keyUsageExtension,
  purposeExtension,
  sctExtension,
  subjectKeyExtension,
  textExtension,
  writeCertificate,
  writeCertificateBody,
  writeName,
} from "../certificate/write-certificate";
import type { CtLog } from "./ct-log";

/**
 * The HTTP API of Fulcio, versions 2 and 1, and of its certificate transparency log.
 *
 * @see https://github.com/sigstore/fulcio/blob/main/fulcio.proto
 */
export function authorityListener(
  authority: CertificateAuthority,
  rules: () => TokenRules,
  log: (line: string) => void,
): Listener {
  const certify = async (token: string, publicKey: Buffer, proof: string) => {
    const identity = checkToken(token, rules());
    const key = readPublicKey(publicKey);
    checkPossession(key, identity.name, Buffer.from(proof, "base64"));
    const certificates = await authority.issue(identity, key);
    log(`issued a certificate for ${identity.name}`);
    return certificates;
  };
  return routes("the certificate authority", {
    "POST /api/v2/signingCert": async ({ request }) => {
      const body = await parseJsonBody(request);
      const field = (...path: readonly string[]) => readTextField(body, ...path);
      const certificates = await certify(
        field("credentials", "oidcIdentityToken") || bearer(request),
        Buffer.from(field("publicKeyRequest", "publicKey", "content")),
        field("publicKeyRequest", "proofOfPossession"),
      );
      return { signedCertificateEmbeddedSct: { chain: { certificates } } };
    },
    "POST /api/v1/signingCert": async ({ request, response }) => {
      const body = await parseJsonBody(request);
      const publicKey = Buffer.from(readTextField(body, "publicKey", "content"), "base64");
      const proof = readTextField(body, "signedEmailAddress");
      answerPem(response, 201, await certify(bearer(request), publicKey, proof));
    },
    "GET /api/v1/rootCert": ({ response }) => answerPem(response, 200, authority.bundle),
    "GET /api/v2/trustBundle": () => ({ chains: [{ certificates: authority.bundle }] }),
    "GET /api/v2/configuration": () => {
      const { issuer, audience } = rules();
      return { issuers: [{ issuerUrl: issuer, audience, challengeClaim: "email" }] };
    },
    "GET /ct/v1/get-sth": () => authority.ctLog.treeHead(),
    "GET /ct/v1/get-proof-by-hash": ({ query }) => {
      const hash = Buffer.from(query.get("hash") ?? "", "base64");
      const proof = authority.ctLog.proof(hash, Number(query.get("tree_size")));
      if (proof === undefined) throw new HttpFailure(404, "the log has no such leaf");
      return proof;
    },
  });
}

function bearer({ headers }: IncomingMessage): string {
  return /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
}

function answerPem(response: ServerResponse, status: number, blocks: readonly string[]): void {
  answerBytes(response, status, Buffer.from(blocks.join("")), {
    "content-type": "application/pem-certificate-chain",
  });
}

const lifetimeMs = 10 * 60 * 1000;

/** Issues certificates that are valid for ten minutes and contain an SCT of the log. */
export class CertificateAuthority {
  readonly #now: () => Date;

  constructor(
    readonly chain: AuthorityChain,
    readonly ctLog: CtLog,
    now: () => Date,
  ) {
    this.#now = now;
  }

  /** Returns a new certificate and its chain in PEM, the certificate first. */
  async issue(identity: CertifiedIdentity, publicKey: KeyObject): Promise<readonly string[]> {
    const { chain } = this;
    const spki = publicKey.export({ type: "spki", format: "der" });
    const notBefore = new Date(Math.floor(this.#now().getTime() / 1000) * 1000);
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
