import type { CallContext } from "../../http/call-context";
import { signingError, isSigningError } from "../sign/signing-error";
import { type SigningRequest, SigningRun } from "../sign/signing-run";
import { attachToEach, type Payloads } from "../sign/sign-image";
import type { Written } from "../sign/attached-layers";
import type { Digest } from "../oci/reference/descriptor";
import { formatRepository } from "../oci/reference/image-name";
import type { SigningServices } from "../provider/services";
import {
  bundleStatementOf,
  legacyStatementOf,
  type Predicate,
  type PredicateInput,
  readPredicate,
} from "./prepare-statement";
import { goJson } from "../../json/exact-json";
import { isJsonError } from "../../json/read-json";
import { isJsonObject } from "../../json/plain-json";
import { type AttachedItem, Attachments } from "../image/attachments";
import { predicateTypes } from "../predicate/predicate-type";
import { readStatement, type Statement } from "../sigstore/format/statement";
import { isVerificationError } from "../sigstore/verification/verification";
import { attachedContent, type BundlePurpose } from "../sigstore/verification/verify-attached";

type EntryType = "intoto" | "dsse";

export interface AttestRequest extends SigningRequest {
  /** At least one; only one of each type, unless `conflict` is `APPEND`. */
  readonly predicates: readonly PredicateInput[];
  /** Type of the log entry for legacy attestations; bundles are always logged as `dsse`. */
  readonly entryType: EntryType;
}

// Each statement contains its predicate, and is held several times while it is signed.
const parallelImages = 4;
const maxParallelBytes = 1024 * 1024;

/**
 * Attests predicates of an image. A recursive request also attests each image of an index, before the index itself, but not
 * what a builder attached to them.
 *
 * The legacy attestations of one call are added to the tag together. Every attestation is verified before
 * it is written. After an interruption, the next call attests only what is missing, unless `conflict` is
 * `APPEND`.
 *
 * @returns all artifacts of this signer that are now in the registry
 * @throws SigningError, ImageError, ServiceError, RegistryError
 */
export async function attestImage(
  request: AttestRequest,
  services: SigningServices,
  context: CallContext,
): Promise<Written> {
  const { image, entryType, isRecursive = false } = request;
  const predicates = readPredicates(request, services.now());
  const run = new SigningRun(request, `${entryType}/0.0.1`, services, context);
  const name = formatRepository(run.repository);
  const about = (digest: Digest): Payloads => ({
    forLayers: predicates.map((each) => legacyStatementOf(each, { name, digest })),
    forBundles: predicates.map((each) => bundleStatementOf(each, digest)),
  });
  // Before any request, because it may fail.
  const own = about(image.digest);
  const size = own.forLayers.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  return attachToEach(run, {
    image: image.digest,
    isRecursive,
    purpose: "attestation",
    parallel: size > maxParallelBytes ? 1 : parallelImages,
    about: (digest) => (digest === image.digest ? own : about(digest)),
  });
}

function readPredicates({ predicates, conflict }: AttestRequest, now: Date): readonly Predicate[] {
  if (predicates.length === 0) {
    throw signingError("PREDICATE", "there is nothing to attest: at least one predicate is needed");
  }
  const read = predicates.map((each) => readPredicate(each, now));
  const seen = new Set<string>();
  for (const { type } of read) {
    if (conflict !== "APPEND" && seen.has(type)) {
      const message =
        `two predicates have the type ${type} and would replace each other; ` +
        "attest only one of each type, or set conflict to APPEND";
      throw signingError("PREDICATE", message);
    }
    seen.add(type);
  }
  return read;
}

/**
 * Finds the predicates of an image that this signer has attested, one of each type. Signs and writes nothing.
 *
 * @throws SigningError `NOT_ATTACHED`, ImageError, ServiceError, RegistryError
 */
export async function findAttested(
  request: Omit<AttestRequest, "predicates">,
  services: SigningServices,
  context: CallContext,
): Promise<{ readonly predicates: readonly PredicateInput[]; readonly written: Written }> {
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
  if (found.size === 0) {
    throw signingError("NOT_ATTACHED", "the image has no attestation by this signer");
  }
  const predicates = [...found.values()];
  return { predicates, written: await look(predicates) };
}

async function isAttached(look: Promise<unknown>): Promise<boolean> {
  try {
    await look;
    return true;
  } catch (error) {
    if (isSigningError(error)) return false;
    throw error;
  }
}

/** The predicate in an attestation, unverified, as Terraform's `jsonencode` writes it; undefined if it has none. */
async function predicateIn(item: AttachedItem): Promise<PredicateInput | undefined> {
  const { predicateType: type, predicate } = (await statementIn(item, "attestation")) ?? {};
  if (type === undefined) return undefined;
  if (type === predicateTypes.custom && isJsonObject(predicate)) {
    const { Data: data } = predicate;
    return typeof data === "string" ? { type, json: data } : undefined;
  }
  if (type === predicateTypes.spdx && typeof predicate === "string") {
    return { type: "spdx", json: predicate };
  }
  return isJsonObject(predicate) ? { type, json: goJson(predicate) } : undefined;
}

/** The signed statement, unverified; undefined if it cannot be read. */
export async function statementIn(
  item: AttachedItem,
  kind: BundlePurpose,
): Promise<Statement | undefined> {
  const content = await item.read();
  if ("problem" in content) return undefined;
  try {
    return readStatement(attachedContent(content, kind).payload);
  } catch (error) {
    if (isJsonError(error) || isVerificationError(error)) return undefined;
    throw error;
  }
}
