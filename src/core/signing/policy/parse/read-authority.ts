import { parseRepository } from "../../oci/reference/image-name";
import { predicateTypeUri } from "../../predicate/predicate-type";
import type {
  AttestationRequirement,
  Authority,
  SignatureFormat,
  SignatureSource,
  SigningAuthority,
  StaticAuthority,
} from "../policy";
import type { PolicyProgram } from "../engine/run-engine";
import { type PolicyFields, quote, type Report } from "./policy-fields";
import { keyFields, keylessFields, readKeylessSigner, readKeySigner } from "./read-signer";
import { readTrustRootRef, type TrustRoots } from "./read-trust-root";

export const authorityFields =
  "name key keyless static source ctlog attestations rfc3161timestamp signatureFormat".split(" ");

interface Around {
  /** Called for valid parts that may not mean what the author intended. */
  readonly advise: Report;
  /** What its programs do with missing fields. */
  readonly missing: PolicyProgram["missing"];
  readonly trustRoots: TrustRoots;
}

/** Reads an authority; undefined if a problem was reported. */
export function readAuthority(
  fields: PolicyFields,
  index: number,
  around: Around,
): Authority | undefined {
  const name = fields.string("name") ?? `authority-${index}`;
  const kinds = ["key", "keyless", "static"].filter((kind) => fields.has(kind));
  if (kinds.length !== 1) {
    fields.report(fields.path, "must have exactly one of key, keyless and static");
    return undefined;
  }
  if (fields.has("static")) return readStatic(fields, name);
  const key = fields.fields("key", keyFields);
  const keyless = fields.fields("keyless", keylessFields);
  const signer =
    (key && readKeySigner(key)) ?? (keyless && readKeylessSigner(keyless)) ?? undefined;
  const format = fields.oneOf("signatureFormat", ["legacy", "bundle"]) ?? "legacy";
  const log = readLog(fields);
  const trustRoots = readTrustRootRefs(fields, around.trustRoots);
  if (format === "bundle") checkOneTrustRoot(fields);
  else adviseLog(fields, around.advise);
  const parts = {
    needsTimestamp: fields.has("rfc3161timestamp"),
    source: readSource(fields, format),
    attestations: readAttestations(fields, around),
    ...(trustRoots && { trustRoots }),
  };
  if (signer === undefined) return undefined;
  // A certificate is valid for minutes, so the log must prove when it was used.
  const isNeeded = signer.kind === "identity" || log !== undefined;
  return { kind: "signing", name, signer, format, log: { isNeeded, url: log?.url }, ...parts };
}

function readStatic(fields: PolicyFields, name: string): StaticAuthority | undefined {
  for (const other of authorityFields) {
    if (other === "name" || other === "static") continue;
    fields.refuseIfSet(other, "cannot be combined with static, which checks no signature");
  }
  const settings = fields.fields("static", ["action", "message"]);
  if (settings?.has("action") === false) settings.refuse("action", "is missing");
  const action = settings?.oneOf("action", ["pass", "fail"]);
  const message = settings?.string("message");
  return action && { kind: "static", name, action, message };
}

function readLog(fields: PolicyFields): { readonly url: URL | undefined } | undefined {
  const log = fields.fields("ctlog", ["url", "trustRootRef"]);
  if (log === undefined) return undefined;
  if (!log.has("url") && !log.has("trustRootRef")) {
    const ambiguity = "without it, some tools use the public log and others no log";
    log.refuse("url", `is missing: ${ambiguity}. Set url, or omit ctlog`);
  }
  return { url: log.url("url") };
}

/** The objects of an authority that can refer to a TrustRoot, and what it then replaces. */
const trustRootPlaces = [
  ["keyless", "identity"],
  ["ctlog", "log"],
  ["rfc3161timestamp", "timestamp"],
] as const;

function readTrustRootRefs(
  fields: PolicyFields,
  trustRoots: TrustRoots,
): SigningAuthority["trustRoots"] {
  fields.fields("rfc3161timestamp", ["trustRootRef"]);
  const found = trustRootPlaces.flatMap(([name, use]) => {
    const place = fields.anyFields(name);
    const root = place && readTrustRootRef(place, trustRoots);
    return root === undefined ? [] : [[use, root] as const];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** As in a cluster, a bundle is verified with one TrustRoot. */
function checkOneTrustRoot(fields: PolicyFields): void {
  const [first, ...others] = trustRootPlaces.flatMap(([name]) => fields.anyFields(name) ?? []);
  const wanted = first?.string("trustRootRef");
  for (const other of others) {
    if (other.string("trustRootRef") === wanted) continue;
    const place = first?.path ?? "";
    other.refuse("trustRootRef", `must be the same as in ${place}: a bundle is verified with one`);
  }
}

/** A cluster then looks at no log, and finds that the certificate, which is valid for minutes, has expired. */
function adviseLog(fields: PolicyFields, advise: Report): void {
  const trusts = (name: string) => fields.anyFields(name)?.has("trustRootRef") === true;
  if (!trusts("keyless") || fields.has("ctlog") || trusts("rfc3161timestamp")) return;
  advise(
    fields.at("ctlog"),
    "is missing: a cluster then accepts a signature only while its certificate is valid, which is for minutes. Set ctlog.trustRootRef or rfc3161timestamp.trustRootRef",
  );
}

function readSource(fields: PolicyFields, format: SignatureFormat): SignatureSource | undefined {
  const known = ["oci", "signaturePullSecrets", "tagPrefix"];
  const [source] = fields.list("source", known);
  if (fields.sizeOf("source") > 1) fields.refuse("source", "must have at most one item");
  if (source === undefined) return undefined;
  source.refuseIfSet(
    "signaturePullSecrets",
    "is not supported: the provider's own registry credentials are used",
  );
  const tagPrefix = source.string("tagPrefix");
  if (tagPrefix !== undefined && format === "bundle") {
    source.refuse("tagPrefix", "cannot be used with bundles, which are not found by tags");
  } else if (tagPrefix !== undefined && !/^[A-Za-z0-9_][A-Za-z0-9._-]{0,49}$/.test(tagPrefix)) {
    source.refuse("tagPrefix", "must be at most 50 letters, digits and . _ -");
  }
  const name = source.string("oci");
  // As in a cluster, the tags are then in the image's own repository.
  if (name === undefined) return { tagPrefix };
  const repository = parseRepository(name);
  if (!("problem" in repository)) return { repository, tagPrefix };
  source.refuse("oci", `${repository.problem} (got ${quote(name)})`);
  return undefined;
}

/** Further short names of predicate types that policies in clusters can use. */
const policyTypes: ReadonlyMap<string, string> = new Map([
  ["slsaprovenance02", "https://slsa.dev/provenance/v0.2"],
  ["slsaprovenance1", "https://slsa.dev/provenance/v1"],
  ["openvex", "https://openvex.dev/ns"],
]);

function readAttestations(
  fields: PolicyFields,
  { advise, missing }: Around,
): readonly AttestationRequirement[] {
  if (fields.has("attestations") && fields.sizeOf("attestations") === 0) {
    fields.refuse("attestations", "must have at least one item: add one, or omit the field");
  }
  return fields.list("attestations", ["name", "predicateType", "policy"]).flatMap((each) => {
    const program = readProgram(each, missing);
    const name = each.requiredString("name");
    const type = each.requiredString("predicateType");
    if (name === undefined || type === undefined) return [];
    const uri = policyTypes.get(type) ?? predicateTypeUri(type);
    if (uri === undefined) {
      advise(each.at("predicateType"), `${quote(type)} is neither a URI nor a known short name`);
    }
    return [{ name, predicateType: uri ?? type, writtenType: type, ...(program && { program }) }];
  });
}

const programFields = ["type", "data", "remote", "configMapRef"] as const;
/** Further fields of a whole policy, which add a resource of a cluster to its input. */
const clusterFields = ["includeSpec", "includeObjectMeta", "includeTypeMeta"] as const;
/** Further fields of a whole policy, which add something to its input. */
export const inputFields = ["fetchConfigFile", ...clusterFields] as const;

/**
 * Reads a policy in CUE or Rego; undefined if it is missing or a problem was reported.
 *
 * @param missing what a policy in CUE does with fields that only it has
 * @param more the names of further fields
 */
export function readProgram(
  parent: PolicyFields,
  missing: PolicyProgram["missing"],
  more: readonly string[] = [],
): PolicyProgram | undefined {
  const fields = parent.fields("policy", [...programFields, ...more]);
  if (fields === undefined) return undefined;
  const elsewhere = "is not supported: put the policy into data";
  fields.refuseIfSet("remote", elsewhere);
  fields.refuseIfSet("configMapRef", elsewhere);
  for (const name of clusterFields) {
    if (!more.includes(name) || fields.boolean(name) !== true) continue;
    // Without the field alone, conditions about what it adds would mean something else.
    const reason = "describes a resource of a cluster, and only an image is checked here";
    fields.refuse(name, `${reason}: remove the field, and what the policy says about it`);
  }
  if (!fields.has("type")) fields.refuse("type", "is missing: cue or rego");
  const type = fields.oneOf("type", ["cue", "rego"]);
  if (fields.has("remote") || fields.has("configMapRef")) return undefined;
  const data = fields.requiredString("data");
  if (type === undefined || data === undefined) return undefined;
  if (type === "rego" && !/^[ \t]*package[ \t]+sigstore[ \t]*(?:[#;].*)?$/m.test(data)) {
    fields.refuse("data", "must be in the package sigstore, and define isCompliant");
    return undefined;
  }
  return { type, data, ...(type === "cue" && missing !== undefined && { missing }) };
}
