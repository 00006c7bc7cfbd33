import { ImageGlob } from "../image-glob";
import type { PolicyProgram } from "../engine/run-engine";
import type { Authority, ImagePolicy } from "../policy";
import { metadataFields, PolicyFields, quote, type Report } from "./policy-fields";
import { authorityFields, inputFields, readAuthority, readProgram } from "./read-authority";
import type { TrustRoots } from "./read-trust-root";
import { isJsonObject, type JsonValue } from "../../../json/json-value";

const apiVersions = ["policy.sigstore.dev/v1beta1", "policy.sigstore.dev/v1alpha1"];

/**
 * Reads one document. A Secret in the namespace of the policies is accepted and ignored.
 *
 * @returns undefined if a problem was reported, or for a Secret
 */
export function readPolicy(
  document: JsonValue,
  report: Report,
  { advise, trustRoots }: { readonly advise: Report; readonly trustRoots: TrustRoots },
): ImagePolicy | undefined {
  if (!isJsonObject(document)) {
    report("", "must be an object");
    return undefined;
  }
  const { apiVersion, kind } = document;
  if (apiVersion === "v1" && kind === "Secret") {
    checkSecret(document, report);
    return undefined;
  }
  if (kind !== "ClusterImagePolicy" || !apiVersions.some((known) => known === apiVersion)) {
    const got = `${describe(apiVersion)}, kind ${describe(kind)}`;
    report("", `must be a ClusterImagePolicy of ${apiVersions.join(" or ")} (got ${got})`);
    return undefined;
  }
  const known = ["apiVersion", "kind", "metadata", "spec", "status"];
  const fields = PolicyFields.of(document, "", report, known);
  const { name, missing } = fields === undefined ? {} : readMetadata(fields);
  if (fields?.has("spec") === false) fields.refuse("spec", "is missing");
  const specFields = ["images", "authorities", "policy", "mode", "match"];
  const spec = fields?.fields("spec", specFields);
  if (spec === undefined) return undefined;
  const images = readImages(spec, advise);
  const authorities = spec
    .list("authorities", authorityFields)
    .flatMap((each, index) => readAuthority(each, index, { advise, missing, trustRoots }) ?? []);
  if (spec.sizeOf("authorities") === 0) {
    spec.refuse("authorities", "is missing: at least one authority is required");
  }
  const program = readProgram(spec, missing, inputFields);
  const readsConfiguration = spec.anyFields("policy")?.boolean("fetchConfigFile") === true;
  if (program !== undefined) refuseSameNames(spec, authorities);
  const mode = spec.oneOf("mode", ["enforce", "warn"]) ?? "enforce";
  checkMatch(spec);
  return name === undefined
    ? undefined
    : { name, images, authorities, mode, ...(program && { program, readsConfiguration }) };
}

/** A program reads the results by the names of the authorities, so one would hide the other. */
function refuseSameNames(spec: PolicyFields, authorities: readonly Authority[]): void {
  const names = authorities.map(({ name }) => name);
  for (const name of new Set(names.filter((each, index) => names.indexOf(each) < index))) {
    spec.refuse(
      "authorities",
      `has several authorities with the name ${quote(name)}, but policy tells them apart by their names: rename one`,
    );
  }
}

/** Chooses what policies in CUE do with fields that only they have. */
const missingAnnotation = "trivet.local/missing-fields";

function readMetadata(fields: PolicyFields): {
  readonly name?: string | undefined;
  readonly missing?: PolicyProgram["missing"];
} {
  if (!fields.has("metadata")) fields.refuse("metadata.name", "is missing");
  const metadata = fields.fields("metadata", metadataFields);
  const annotations = metadata?.anyFields("annotations");
  for (const unknown of annotations?.names() ?? []) {
    if (!unknown.startsWith("trivet.local/") || unknown === missingAnnotation) continue;
    annotations?.refuse(unknown, `is not a known annotation (known: ${missingAnnotation})`);
  }
  return {
    name: metadata?.requiredString("name"),
    missing: annotations?.oneOf(missingAnnotation, ["refused", "allowed"]),
  };
}

function readImages(spec: PolicyFields, advise: Report): readonly ImageGlob[] {
  if (spec.sizeOf("images") === 0) {
    spec.refuse("images", "is missing: at least one pattern for images is required");
  }
  return spec.list("images", ["glob"]).flatMap((image) => {
    const pattern = image.requiredString("glob");
    if (pattern === undefined) return [];
    const glob = ImageGlob.parse(pattern);
    if ("problem" in glob) {
      image.refuse("glob", `${glob.problem} (got ${quote(pattern)})`);
      return [];
    }
    if (glob.advice !== undefined) advise(image.at("glob"), glob.advice);
    return [glob];
  });
}

/** What the controller watches, and takes in `match`. */
const resources = "pods replicasets deployments statefulsets daemonsets jobs cronjobs".split(" ");

/** `match` selects resources of a cluster. Without a cluster, the policy applies to all matching images. */
function checkMatch(spec: PolicyFields): void {
  for (const each of spec.list("match", ["group", "version", "resource", "selector"])) {
    each.fields("selector", ["matchLabels", "matchExpressions"]);
    each.oneOf("resource", resources);
    if (!each.has("selector") || ["group", "version", "resource"].some((name) => each.has(name))) {
      continue;
    }
    each.refuse("resource", "is missing: as in a cluster, a selector needs a resource");
  }
}

function checkSecret(document: JsonValue, report: Report): void {
  const known = ["apiVersion", "kind", "metadata", "data", "stringData", "type", "immutable"];
  const metadata = PolicyFields.of(document, "", report, known)?.fields("metadata", metadataFields);
  if (metadata?.string("namespace") !== "cosign-system") {
    report("metadata.namespace", "must be cosign-system: other Secrets have no meaning here");
  }
}

function describe(value: JsonValue | undefined): string {
  if (value === undefined) return "none";
  return typeof value === "string" ? quote(value) : "not a string";
}
