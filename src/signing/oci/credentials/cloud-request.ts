import {
  callFailure,
  type CallPolicy,
  quoteRefusal,
  type ServiceCall,
  serviceCalls,
} from "../../../http/service-call";
import { IdentityError } from "../../cloud-identity/cloud-settings";
import { RegistryError } from "../protocol/registry-error";
import { unusable } from "./credentials";
import type { Properties } from "../../../json/plain-json";
import { readJsonObject } from "../../../json/parse-json";

const policy: CallPolicy = {
  // A longer attempt would delay users without such a service.
  limits: { maxBytes: 1_000_000, attemptMs: 10_000 },
  failure: (code, message) =>
    code === "TRANSPORT" ? unusable(message) : new RegistryError(code, message),
};
const call = serviceCalls(policy);

/**
 * Sends a request to a service of a cloud, and reads its JSON. Redirects are not followed, because requests
 * contain secrets.
 *
 * @returns undefined after a 404
 * @throws RegistryError `CREDENTIALS`
 */
export async function askCloud(request: ServiceCall): Promise<Properties | undefined> {
  const { service, secrets } = request;
  const answer = await call(request);
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) {
    throw unusable(`${service} responded with ${quoteRefusal(answer, secrets)}`);
  }
  const json = readJsonObject(answer.body);
  if (json === undefined) throw unusable(`${service} did not return a JSON object`);
  return json;
}

/** Reads a secret from a response. @throws RegistryError `CREDENTIALS` if it is missing */
export function secretIn(json: Properties | undefined, name: string, service: string): string {
  const value = json?.[name];
  if (typeof value === "string" && /^[\x21-\x7e]+$/.test(value)) return value;
  throw unusable(`${service} returned no ${name}`);
}

/** Handles the failure of a cloud's library. A missing identity is not an error. @throws RegistryError */
export function absentIdentity(cloud: string) {
  return (failure: unknown): undefined => {
    if (failure instanceof IdentityError) {
      if (failure.isAbsent) return undefined;
      throw unusable(`the identity at ${cloud} cannot be used: ${failure.message}`, failure);
    }
    throw callFailure(policy, cloud, failure);
  };
}
