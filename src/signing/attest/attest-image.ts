import type { CallContext } from "../../http/call-context";
import {
  annotationsOf,
  attachedLayers,
  checkRoom,
  layerKey,
  recordedLayers,
  remembered,
  writeLayers,
} from "../attach/attached-layers";
import { attachBundles, type PreparedStatement } from "../attach/attach-bundles";
import {
  mergeAttestations,
  sameAttestation,
  type AttestationItem,
  type Existing,
} from "../attach/conflict";
import { existingAttestations } from "../attach/existing";
import { expectVerified, layerEvidence, signAndLog } from "../attach/sign-and-log";
import { SigningError } from "../attach/signing-error";
import {
  signingRun,
  type SigningRequest,
  type SigningRun,
  type Written,
  type WrittenLayer,
} from "../attach/signing-run";
import { readImages } from "../attach/read-images";
import { writeEach } from "../attach/write-each";
import { Attachments } from "../image/attachments";
import type { JsonObject } from "../oci/protocol/read-json";
import { tagOfDigest, type Digest } from "../oci/reference/digest";
import { formatRepository } from "../oci/reference/repository";
import type { SigningServices } from "../provider/signing-services";
import { attestationLayer, type LegacyLayer } from "../sigstore/format/legacy-layer";
import { verifyAttestationLayer } from "../sigstore/verification/verify-layer";
import {
  bundleStatementOf,
  legacyStatementOf,
  readPredicate,
  type Predicate,
  type PredicateInput,
} from "./prepare-statement";
import { annotation } from "../sigstore/format/names";

type EntryType = "intoto" | "dsse";

/** A request to attest an image. */
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
 * Attests predicates of an image; if the request is recursive, also of each image of an index, before the index itself. What
 * a builder attached to the images is not attested.
 *
 * The legacy attestations of one call are added to the tag together. Every attestation is verified before
 * it is written. Run again after an interruption, it attests what is not attested yet, unless `conflict`
 * is `APPEND`.
 *
 * @returns everything of ours that is now in the registry
 * @throws SigningError | ServiceError | RegistryError
 */
export async function attestImage(
  request: AttestRequest,
  services: SigningServices,
  context: CallContext,
): Promise<Written> {
  const { image, format, entryType, isRecursive = false } = request;
  const predicates = readPredicates(request, services.now());
  const run = signingRun(request, services, context);
  const name = formatRepository(run.repository);
  const statementsAbout = (digest: Digest) => ({
    forLayers: predicates.map((each) => legacyStatementOf(each, { name, digest })),
    forBundles: predicates.map((each) => bundleStatementOf(each, digest)),
  });
  // What cannot be attested is refused before anything is read.
  const own = statementsAbout(image.digest);
  const size = own.forLayers.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  const tree = await readImages({ ...services, ...run }, image.digest, { isRecursive });
  const children = tree.children.filter(({ isAboutImage }) => !isAboutImage);
  const parallel = size > maxParallelBytes ? 1 : parallelImages;
  const [hasLayers, hasBundles] = [format !== "bundle", format !== "legacy"];
  return writeEach(run, { ...tree, children }, parallel, async (subject) => {
    const { digest } = subject;
    const { forLayers, forBundles } = digest === image.digest ? own : statementsAbout(digest);
    // Bundles come first: if the registry cannot store any, nothing is signed and logged.
    const bundles = hasBundles ? await attachBundles(run, subject, forBundles, "attestation") : [];
    const layers = hasLayers ? await attachAttestations(run, digest, forLayers, entryType) : [];
    return { layers, bundles };
  });
}

function readPredicates({ predicates, conflict }: AttestRequest, now: Date): readonly Predicate[] {
  if (predicates.length === 0) {
    throw new SigningError(
      "PREDICATE",
      "there is nothing to attest: at least one predicate is needed",
    );
  }
  const read = predicates.map((each) => readPredicate(each, now));
  const seen = new Set<string>();
  for (const { type } of read) {
    if (conflict !== "APPEND" && seen.has(type)) {
      const message =
        `two predicates have the type ${type} and would replace each other; ` +
        "attest only one of each type, or use APPEND";
      throw new SigningError("PREDICATE", message);
    }
    seen.add(type);
  }
  return read;
}

/**
 * Attests statements in the legacy format and adds the attestations to the `.att` tag, except those for which we have
 * an attestation that can stay.
 *
 * @returns our layers under the tag
 */
async function attachAttestations(
  run: SigningRun,
  image: Digest,
  statements: readonly PreparedStatement[],
  entryType: EntryType,
): Promise<readonly WrittenLayer[]> {
  const { repository, services, context, conflict } = run;
  const tag = tagOfDigest(image, ".att");
  const current = await services.registry.manifests.get(repository, tag, context);
  const layers = attachedLayers(current, tag);
  const attachments = new Attachments({ ...services, repository, context }, image);
  const recorded = recordedLayers(run, tag);
  const listed = layers.map((layer) => ({
    item: {
      ...attachments.layer(layer, "attestation", `the tag ${tag}`),
      layer,
      claimedType: typeOf(layer),
    },
    isRecorded: recorded.has(layerKey(layer)),
  }));
  const existing: Existing<AttestationLayer>[] = [];
  const same: JsonObject[] = [];
  const missing: PreparedStatement[] = [];
  for (const statement of statements) {
    const found = await existingAttestations(run, image, listed, statement);
    const ours = sameAttestation(conflict, found, statement);
    if (ours === undefined) {
      missing.push(statement);
      existing.push(...found);
    } else {
      run.say("the image is attested already", { image, predicateType: statement.predicateType });
      same.push(ours.layer);
    }
  }
  if (missing.length === 0) return remembered(run, tag, layers, same);
  checkRoom(current, missing.length, tag);
  const added: LegacyLayer[] = [];
  for (const statement of missing) {
    added.push(await makeAttestation(run, image, statement, entryType));
  }
  return writeLayers<AttestationLayer>(run, {
    tag,
    added,
    existing,
    same,
    describe: (layer) => ({ layer, predicateType: typeOf(layer), statementSha256: undefined }),
    merge: (before, news) => mergeAttestations(conflict, before, news),
  });
}

/** A layer with an attestation, as in its manifest. */
interface AttestationLayer extends AttestationItem {
  readonly layer: JsonObject;
}

const typeOf = (layer: JsonObject): string | undefined =>
  annotationsOf(layer)[annotation.predicateType];

/** Signs a statement, logs the signature, and returns the verified layer. */
async function makeAttestation(
  run: SigningRun,
  image: Digest,
  { bytes, predicateType }: PreparedStatement,
  entryType: EntryType,
): Promise<LegacyLayer> {
  const { timestampUrls } = run;
  const made = await signAndLog(run, {
    payload: bytes,
    form: "attestation-layer",
    logs: [{ url: run.rekorUrl, kind: `${entryType}/0.0.1` }],
    timestampUrls,
  });
  const layer = attestationLayer(made.content, predicateType, await layerEvidence(run, made));
  await expectVerified(run, made, (rules) => verifyAttestationLayer(layer, image, rules));
  return layer;
}
