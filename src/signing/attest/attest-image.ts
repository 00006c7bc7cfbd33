import type { CallContext } from "../../http/call-context";
import type { Conflict } from "../conflict/conflict";
import type { DigestReference } from "../oci/reference/digest-reference";
import { formatRepository } from "../oci/reference/repository";
import type { Written } from "../run/written";
import { readImage } from "../run/read-image";
import { SigningError } from "../run/signing-error";
import { signingRun } from "../run/signing-run";
import type { SignatureFormat, SigningServices } from "../run/signing-services";
import { attestAsBundles } from "../attached/attest-as-bundles";
import { attestAsLayers } from "./attest-as-layers";
import {
  bundleStatementOf,
  legacyStatementOf,
  readPredicate,
  type Predicate,
  type PredicateText,
} from "./prepare-statement";

export interface AttestRequest {
  readonly image: DigestReference;
  /** At least one; of one type only one, unless `conflict` is `APPEND`. */
  readonly predicates: readonly PredicateText[];
  readonly conflict: Conflict;
  readonly format: SignatureFormat;
  /** What the log keeps of legacy attestations; bundles are always logged as `dsse`. */
  readonly entryType: "intoto" | "dsse";
  /** Base address of the certificate authority. */
  readonly fulcioUrl: string;
  /** Base address of the transparency log. */
  readonly rekorUrl: string;
  /** What was written before: known as ours without asking who we are. */
  readonly previous?: Written | undefined;
}

/**
 * Attests predicates of an image; of an index, the index alone.
 *
 * The legacy attestations of one call come to the tag together. Everything that was made is verified before
 * it is written. Run again after an interruption, it attests what is not attested yet, unless it appends.
 *
 * @returns what of ours is there now
 * @throws SigningError | ServiceError | RegistryError
 */
export async function attestImage(
  request: AttestRequest,
  services: SigningServices,
  context: CallContext,
): Promise<Written> {
  const { image, format, entryType } = request;
  const predicates = readPredicates(request, services.now());
  const run = signingRun(request, services, context);
  const { digest } = image;
  const name = formatRepository(run.repository);
  const forLayers = predicates.map((each) => legacyStatementOf(each, { name, digest }));
  const forBundles = predicates.map((each) => bundleStatementOf(each, digest));
  const { descriptor } = await readImage(run, digest, { withChildren: false });
  const layers = format === "bundle" ? [] : await attestAsLayers(run, digest, forLayers, entryType);
  const bundles =
    format === "legacy" ? [] : await attestAsBundles(run, descriptor, forBundles, "attestation");
  return { version: 1, repository: name, layers, bundles };
}

function readPredicates({ predicates, conflict }: AttestRequest, now: Date): readonly Predicate[] {
  if (predicates.length === 0) {
    throw new SigningError("PREDICATE", "there is no predicate, so there is nothing to attest");
  }
  const read = predicates.map((each) => readPredicate(each, now));
  const seen = new Set<string>();
  for (const { type } of read) {
    if (conflict !== "APPEND" && seen.has(type)) {
      const message =
        `there are two predicates of the type ${type}, which would replace each other; ` +
        "attest one of each type, or use APPEND";
      throw new SigningError("PREDICATE", message);
    }
    seen.add(type);
  }
  return read;
}
