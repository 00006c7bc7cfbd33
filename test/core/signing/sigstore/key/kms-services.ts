import { type Failure, isFailure } from "../../../../../src/core/failure/failure";
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { CallContext } from "../../../../../src/core/http/call-context";
import type { CloudSettings } from "../../../../../src/core/signing/cloud-identity/cloud-settings";
import { openClient } from "../service/client-bench";

/** What opening a key needs, with the secrets that were given to the log. */
export function keySettings(env: CloudSettings["env"] = {}): {
  readonly settings: CloudSettings;
  readonly context: CallContext;
  readonly secrets: readonly string[];
} {
  const { http, context } = openClient();
  const secrets: string[] = [];
  return { settings: { http, env, redact: (secret) => secrets.push(secret) }, context, secrets };
}

export const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
export const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
export const content = Buffer.from("signed");
export const digest = createHash("sha256").update(content).digest();

export function spkiOf(key: KeyObject): Buffer {
  return key.export({ type: "spki", format: "der" });
}

export function pemOf(key: KeyObject): string {
  return key.export({ type: "spki", format: "pem" }).toString();
}

/** What a service that was sent the digest of {@link content} answers. */
export function signature(key: KeyObject = ec.privateKey): Buffer {
  return sign("sha256", content, key);
}

export async function keyFailure(call: Promise<unknown>): Promise<Failure> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (isFailure(error)) return error;
  throw error instanceof Error ? error : new Error("the call did not fail");
}
