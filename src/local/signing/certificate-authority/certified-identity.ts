import { createPublicKey, verify, type JsonWebKey, type KeyObject } from "node:crypto";
import { HttpFailure } from "../../service/answer";
import { readField, readList } from "../../service/request";
import { parsedJson } from "../../../core/json/plain-json";

export interface CertifiedIdentity {
  readonly issuer: string;
  readonly kind: "email" | "uri";
  /** The email address or the subject. The client signs it to prove possession of the key. */
  readonly name: string;
  /** Facts about the workflow that signs, by the object identifiers of their extensions. */
  readonly facts?: Readonly<Record<string, string>>;
}

export interface TokenRules {
  readonly issuer: string;
  readonly audience: string;
  readonly keySet: unknown;
  readonly now: Date;
}

/** Verifies an identity token (JSON Web Signature, ES256). @throws HttpFailure (401) */
export function checkToken(token: string, rules: TokenRules): CertifiedIdentity {
  const [header = "", body = "", signature = "", ...rest] = token.split(".");
  if (signature === "" || rest.length > 0) throw refused("it is not a JSON web signature");
  const key = findKey(rules.keySet, readField(decode(header), "kid"));
  const isSigned = verify(
    "sha256",
    Buffer.from(`${header}.${body}`),
    { key: createPublicKey({ key, format: "jwk" }), dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (readField(decode(header), "alg") !== "ES256" || !isSigned)
    throw refused("its signature is wrong");
  const claims = decode(body);
  const seconds = Math.floor(rules.now.getTime() / 1000);
  if (readField(claims, "iss") !== rules.issuer) throw refused("it has another issuer");
  const audience = readField(claims, "aud");
  const audiences: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  if (!audiences.includes(rules.audience))
    throw refused(`it is not for the audience ${rules.audience}`);
  const [expires, notBefore] = [readField(claims, "exp"), readField(claims, "nbf")];
  if (typeof expires !== "number" || expires <= seconds) throw refused("it has expired");
  if (typeof notBefore === "number" && notBefore > seconds + 60)
    throw refused("it is not valid yet");
  const email = readField(claims, "email");
  if (typeof email === "string") {
    if (readField(claims, "email_verified") !== true) throw refused("its email is not verified");
    if (!/^[\x21-\x7e]+@[\x21-\x7e]+$/.test(email))
      throw refused("its email is not an email address");
    return { issuer: rules.issuer, kind: "email", name: email };
  }
  const subject = readField(claims, "sub");
  if (typeof subject !== "string" || !/^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i.test(subject)) {
    throw refused("its subject is neither an email nor a URI");
  }
  return {
    issuer: rules.issuer,
    kind: "uri",
    name: subject,
    facts: workflowFacts(claims, subject),
  };
}

/** Returns the facts that Fulcio writes for tokens of GitHub, whose subject comes from `job_workflow_ref`. */
function workflowFacts(claims: unknown, subject: string): Readonly<Record<string, string>> {
  const [repository, commit, trigger] = ["repository", "sha", "event_name"].map((name) =>
    readField(claims, name),
  );
  if (typeof repository !== "string" || !subject.startsWith("https:")) return {};
  return {
    "1.3.6.1.4.1.57264.1.12": new URL(repository, new URL(subject).origin).href,
    "1.3.6.1.4.1.57264.1.13": String(commit),
    "1.3.6.1.4.1.57264.1.20": String(trigger),
  };
}

function findKey(keySet: unknown, id: unknown): JsonWebKey {
  const found = readList(keySet, "keys").find((key) => readField(key, "kid") === id);
  const text = (name: string) => String(readField(found, name));
  if (found === undefined) throw refused("it is signed with an unknown key");
  return { kty: text("kty"), crv: text("crv"), x: text("x"), y: text("y") };
}

function decode(part: string): unknown {
  const value = parsedJson(Buffer.from(part, "base64url").toString("utf8"));
  if (value === undefined) throw refused("it is not a JSON web signature");
  return value;
}

function refused(problem: string): HttpFailure {
  return new HttpFailure(401, `the identity token is refused: ${problem}`);
}

/** Reads the public key to certify, in PEM or DER (SubjectPublicKeyInfo). @throws HttpFailure (400) */
export function readPublicKey(content: Buffer): KeyObject {
  try {
    return content.subarray(0, 10).toString("latin1") === "-----BEGIN"
      ? createPublicKey(content)
      : createPublicKey({ key: content, format: "der", type: "spki" });
  } catch {
    throw new HttpFailure(400, "the public key is neither PEM nor DER of a public key");
  }
}

const digests: Readonly<Record<string, string>> = {
  prime256v1: "sha256",
  secp384r1: "sha384",
  secp521r1: "sha512",
};

/** Verifies that the client has the private key: it has signed its own name. @throws HttpFailure (400) */
export function checkPossession(key: KeyObject, name: string, signature: Buffer): void {
  const type = key.asymmetricKeyType;
  const { namedCurve = "" } = key.asymmetricKeyDetails ?? {};
  // Older clients sign with SHA-256 for all curves.
  const candidates = type === "ed25519" ? [null] : ["sha256", digests[namedCurve] ?? "sha256"];
  const isPossessed = candidates.some((digest) => {
    try {
      return verify(digest, Buffer.from(name), key, signature);
    } catch {
      return false;
    }
  });
  if (!isPossessed) {
    throw new HttpFailure(400, "the proof of possession is not the name signed with the key");
  }
}
