import { tagOfDigest, type Digest } from "../oci/reference/digest";
import { mergeAttestations, planAttestation } from "../attach/conflict";
import { annotation } from "../sigstore/format/names";
import { attestationLayer, type LegacyLayer } from "../sigstore/format/legacy-layer";
import { annotationsOf, attachedLayers, checkRoom } from "../attach/attached-manifest";
import { attestationCandidates, type AttestationLayer } from "../attach/find-layers";
import { determineOwnership } from "../attach/ownership";
import type { WrittenLayer } from "../attach/written";
import { ReadBudget } from "../oci/protocol/read-budget";
import type { JsonObject } from "../oci/protocol/read-json";
import { makeEnvelope } from "../attach/make-bundle";
import { expectVerified, rulesForUs } from "../attach/prove";
import { certificatesOf } from "../attach/run-signer";
import type { SigningRun } from "../attach/signing-run";
import type { PreparedStatement } from "../attach/attest-as-bundles";
import { remembered, writeLayers } from "../attach/write-attached";
import { verifyAttestationLayer } from "../sigstore/verification/verify-layer";

/**
 * Attests statements in the legacy format, except those for which we have an attestation that can stay.
 *
 * @returns our layers under the `.att` tag
 */
export async function attestAsLayers(
  run: SigningRun,
  image: Digest,
  statements: readonly PreparedStatement[],
  entryType: "intoto" | "dsse",
): Promise<readonly WrittenLayer[]> {
  const { repository, services, context, conflict } = run;
  const tag = tagOfDigest(image, ".att");
  const current = await services.registry.manifests.get(repository, tag, context);
  const layers = attachedLayers(current, tag);
  const budget = new ReadBudget();
  const ours: AttestationLayer[] = [];
  const same: JsonObject[] = [];
  const missing: PreparedStatement[] = [];
  for (const statement of statements) {
    const candidates =
      conflict === "APPEND"
        ? []
        : await attestationCandidates(run, image, layers, tag, statement, budget);
    const existing = await determineOwnership(run, candidates);
    const plan = planAttestation(conflict, existing, statement);
    if (plan.action === "write") {
      missing.push(statement);
      ours.push(...existing.flatMap(({ item, ownership }) => (ownership === "ours" ? item : [])));
    } else {
      run.say("the image is attested already", { image, predicateType: statement.predicateType });
      same.push(plan.same.layer);
    }
  }
  if (missing.length === 0) return remembered(run, tag, layers, same);
  checkRoom(current, missing.length, tag);
  const made: LegacyLayer[] = [];
  for (const statement of missing) {
    made.push(await makeAttestation(run, image, statement, entryType));
  }
  const final = await writeLayers<AttestationLayer>(run, {
    tag,
    added: made,
    ours,
    describe: describeLayer,
    merge: (before, added) => mergeAttestations(conflict, before, added),
  });
  return remembered(run, tag, final.layers, [...same, ...final.added]);
}

async function makeAttestation(
  run: SigningRun,
  image: Digest,
  { bytes, predicateType }: PreparedStatement,
  entryType: "intoto" | "dsse",
): Promise<LegacyLayer> {
  const signer = await run.signer();
  const { text, logEntry, timestamp } = await makeEnvelope(run, signer, bytes, {
    entryType,
    stamped: "envelope",
  });
  const evidence = { ...certificatesOf(signer), logEntry, timestamp };
  const layer = attestationLayer(text, predicateType, evidence);
  expectVerified(verifyAttestationLayer(layer, image, await rulesForUs(run, signer)));
  return layer;
}

function describeLayer(layer: JsonObject): AttestationLayer {
  const predicateType = annotationsOf(layer)[annotation.predicateType];
  return { layer, predicateType, statementSha256: undefined };
}
