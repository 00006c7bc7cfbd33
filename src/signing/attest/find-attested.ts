import type { CallContext } from "../../http/call-context";
import { goJson } from "../../json/go-json";
import { JsonError } from "../../json/json-error";
import { isJsonObject } from "../../json/json-value";
import { SigningError } from "../attach/signing-error";
import type { Written } from "../attach/written";
import { type AttachedItem, Attachments } from "../image/attachments";
import { predicateTypes } from "../predicate/predicate-type";
import type { SigningServices } from "../provider/signing-services";
import { readEnvelope } from "../sigstore/format/dsse";
import { readStatement } from "../sigstore/format/statement";
import { VerificationError } from "../sigstore/verification/verification";
import { bundleContent } from "../sigstore/verification/verify-bundle";
import { attestImage, type AttestRequest } from "./attest-image";
import type { PredicateInput } from "./prepare-statement";

/** Our attestations of an image. */
interface Attested {
  readonly predicates: readonly PredicateInput[];
  readonly written: Written;
}

/**
 * Finds the predicates that we have attested of an image, one of each type. Signs and writes nothing.
 *
 * @throws SigningError `NOT_ATTACHED`, ImageError, ServiceError, RegistryError
 */
export async function findAttested(
  request: Omit<AttestRequest, "predicates">,
  services: SigningServices,
  context: CallContext,
): Promise<Attested> {
  const { image, format } = request;
  const { registry, path } = image;
  const place = { registry: services.registry, repository: { registry, path }, context };
  const attachments = new Attachments(place, image.digest);
  const look = (predicates: readonly PredicateInput[]) =>
    attestImage({ ...request, predicates, isLookOnly: true }, services, context);
  const found = new Map<string, PredicateInput>();
  for (const item of [
    ...(format === "bundle" ? [] : await attachments.layers("attestation")),
    ...(format === "legacy" ? [] : await attachments.bundles()),
  ]) {
    const predicate = await predicateIn(item);
    if (predicate === undefined || found.has(predicate.type)) continue;
    if (await isAttached(look([predicate]))) found.set(predicate.type, predicate);
  }
  if (found.size === 0) throw new SigningError("NOT_ATTACHED", "there is no attestation of ours");
  const predicates = [...found.values()];
  return { predicates, written: await look(predicates) };
}

async function isAttached(look: Promise<unknown>): Promise<boolean> {
  try {
    await look;
    return true;
  } catch (error) {
    if (error instanceof SigningError) return false;
    throw error;
  }
}

/** The predicate that an attestation claims, as `jsonencode` of Terraform writes it; undefined if it has none. */
async function predicateIn(item: AttachedItem): Promise<PredicateInput | undefined> {
  const content = await item.read();
  if ("problem" in content) return undefined;
  try {
    const { payload } =
      content.kind === "bundle" ? bundleContent(content.bytes) : readEnvelope(content.layer.blob);
    const { predicateType: type, predicate } = readStatement(payload);
    if (type === predicateTypes.custom && isJsonObject(predicate)) {
      const { Data: data } = predicate;
      return typeof data === "string" ? { type, json: data } : undefined;
    }
    if (type === predicateTypes.spdx && typeof predicate === "string") {
      return { type: "spdx", json: predicate };
    }
    return isJsonObject(predicate) ? { type, json: goJson(predicate) } : undefined;
  } catch (error) {
    if (error instanceof JsonError || error instanceof VerificationError) return undefined;
    throw error;
  }
}
