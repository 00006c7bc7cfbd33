import type { IncomingMessage, ServerResponse } from "node:http";
import { answerBytes, answerJson } from "../../../local-service/answer";
import { HttpFailure } from "../../../local-service/http-failure";
import type { Listener } from "../../../local-service/service";
import { parseJsonBody } from "../../../local-service/read-body";
import { readTextField } from "../../../local-service/read-field";
import type { CertificateAuthority } from "./certificate-authority";
import { checkToken, type TokenRules } from "./certified-identity";
import { checkPossession, readPublicKey } from "./proof-of-possession";

/** The options of {@link authorityListener}. */
interface AuthorityListenerOptions {
  readonly authority: CertificateAuthority;
  readonly rules: () => TokenRules;
  readonly log: (line: string) => void;
}

/**
 * The HTTP API of Fulcio, versions 2 and 1, and of its certificate transparency log.
 *
 * @see https://github.com/sigstore/fulcio/blob/main/fulcio.proto
 */
export function authorityListener(options: AuthorityListenerOptions): Listener {
  return (request, response) => serve(options, request, response);
}

async function serve(
  options: AuthorityListenerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { authority } = options;
  const url = new URL(request.url ?? "/", "http://localhost");
  switch (`${request.method ?? ""} ${url.pathname}`) {
    case "POST /api/v2/signingCert": {
      const body = await parseJsonBody(request);
      const field = (...path: readonly string[]) => readTextField(body, ...path);
      const certificates = await certify(options, {
        token: field("credentials", "oidcIdentityToken") || bearer(request),
        publicKey: Buffer.from(field("publicKeyRequest", "publicKey", "content")),
        proof: field("publicKeyRequest", "proofOfPossession"),
      });
      answerJson(response, 200, { signedCertificateEmbeddedSct: { chain: { certificates } } });
      return;
    }
    case "POST /api/v1/signingCert": {
      const body = await parseJsonBody(request);
      const certificates = await certify(options, {
        token: bearer(request),
        publicKey: Buffer.from(readTextField(body, "publicKey", "content"), "base64"),
        proof: readTextField(body, "signedEmailAddress"),
      });
      answerPem(response, 201, certificates);
      return;
    }
    case "GET /api/v1/rootCert":
      answerPem(response, 200, authority.bundle);
      return;
    case "GET /api/v2/trustBundle":
      answerJson(response, 200, { chains: [{ certificates: authority.bundle }] });
      return;
    case "GET /api/v2/configuration": {
      const { issuer, audience } = options.rules();
      const issuers = [{ issuerUrl: issuer, audience, challengeClaim: "email" }];
      answerJson(response, 200, { issuers });
      return;
    }
    case "GET /ct/v1/get-sth":
      answerJson(response, 200, authority.ctLog.treeHead());
      return;
    case "GET /ct/v1/get-proof-by-hash": {
      const hash = Buffer.from(url.searchParams.get("hash") ?? "", "base64");
      const proof = authority.ctLog.proof(hash, Number(url.searchParams.get("tree_size")));
      if (proof === undefined) throw new HttpFailure(404, "the log has no such leaf");
      answerJson(response, 200, proof);
      return;
    }
    default:
      throw new HttpFailure(404, "the certificate authority has no such path");
  }
}

interface CertificateRequest {
  readonly token: string;
  readonly publicKey: Buffer;
  readonly proof: string;
}

async function certify(
  { authority, rules, log }: AuthorityListenerOptions,
  request: CertificateRequest,
): Promise<readonly string[]> {
  const identity = checkToken(request.token, rules());
  const key = readPublicKey(request.publicKey);
  checkPossession(key, identity.name, Buffer.from(request.proof, "base64"));
  const certificates = await authority.issue(identity, key);
  log(`issued a certificate for ${identity.name}`);
  return certificates;
}

function bearer({ headers }: IncomingMessage): string {
  return /^Bearer (.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
}

function answerPem(response: ServerResponse, status: number, blocks: readonly string[]): void {
  answerBytes(response, status, Buffer.from(blocks.join("")), {
    "content-type": "application/pem-certificate-chain",
  });
}
