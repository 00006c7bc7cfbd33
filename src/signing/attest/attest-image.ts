import type { CallContext } from "../../http/call-context";
import type { Conflict } from "../attach/conflict";
import type { DigestReference } from "../oci/reference/reference";
import { formatRepository } from "../oci/reference/repository";
import type { Written } from "../attach/written";
import { readImage } from "../attach/read-image";
import { SigningError } from "../attach/signing-error";
import type { SignatureFormat, SigningServices } from "../provider/signing-services";
import { signingRun } from "../attach/signing-run";
import { attestAsBundles } from "../attach/attest-as-bundles";
import { attestAsLayers } from "./attest-as-layers";
import {
  bundleStatementOf,
  legacyStatementOf,
  readPredicate,
  type Predicate,
  type PredicateInput,
} from "./prepare-statement";

/** What to attest and how. */
export interface AttestRequest {
  readonly image: DigestReference;
  /** At least one; only one of each type, unless `conflict` is `APPEND`. */
  readonly predicates: readonly PredicateInput[];
  readonly conflict: Conflict;
  readonly format: SignatureFormat;
  /** Type of the log entry for legacy attestations; bundles are always logged as `dsse`. */
  readonly entryType: "intoto" | "dsse";
  /** Base URL of the certificate authority. */
  readonly fulcioUrl: string;
  /** Base URL of the transparency log. */
  readonly rekorUrl: string;
  /** What we wrote before. It counts as ours even without an identity token. */
  readonly previous?: Written | undefined;
}

/**
 * Attests predicates of an image. Of an index, only the index itself is attested.
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
