import { Failure } from "../../failure/failure";
import { existsSync } from "node:fs";
import { walkImages } from "../image/walk-images";
import { type Descriptor, readDescriptors } from "../oci/reference/descriptor";
import {
  hasTag,
  isLayout,
  parseImage,
  parseReference,
  type Reference,
} from "../oci/reference/image-name";
import type { RegistryClient } from "../oci/registry/client";
import { PolicyEngines } from "../policy/engine/policy-engines";
import type { EvaluateProgram, PolicyProgram } from "../policy/engine/run-engine";
import {
  evaluatePolicies,
  policiesFor,
  type PolicyInput,
  uncovered,
} from "../policy/evaluate-policies";
import type { ImageVerdict } from "../policy/image-verdict";
import { parsePolicies } from "../policy/parse/parse-policies";
import { formatProblem } from "../policy/parse/policy-fields";
import type { ImagePolicy } from "../policy/policy";
import { type PolicyEvidence, policyEvidence } from "../policy/policy-evidence";
import { imageConfigurations } from "./image-configuration";

/** The image to verify, and the policies. */
export interface ImageRequest {
  /** By tag or digest. A tag is resolved once. In a layout, `oci:PATH:TAG` or `oci-archive:PATH:TAG`. */
  readonly image: string;
  /**
   * The name by which policies know the image, if `image` is a copy of it.
   *
   * @default that of `image`; a layout has none, so only policies for all images apply to it
   */
  readonly name?: string | undefined;
  /** Policies in YAML or JSON, as `signing_verify` takes them. */
  readonly policy: string;
  /** True to verify each image of an index, too, as if it were deployed by its digest. @default false */
  readonly recursive?: boolean | undefined;
}

interface Means extends Pick<PolicyEvidence, "trust" | "publicKey" | "context"> {
  readonly registry: RegistryClient;
  /** With the `PATH` on which `cue` and `opa` are. */
  readonly env: Readonly<NodeJS.ProcessEnv>;
  /** True if images may be in layouts on this machine. */
  readonly layouts: boolean;
}

/**
 * Why there is no verdict: the reference or the policies are invalid (or a policy is not supported), `cue` or `opa` is not on
 * the given `PATH`, the image does not exist, the registry refuses access or the layout cannot be read, the time limit is
 * exceeded, or the call was cancelled.
 */
export type VerifyErrorCode =
  | "INVALID_IMAGE"
  | "INVALID_POLICY"
  | "NO_ENGINE"
  | "NO_IMAGE"
  | "REGISTRY"
  | "LAYOUT"
  | "DEADLINE"
  | "CANCELLED";

/** There is no verdict about an image. Its message contains no secrets. */
export class VerifyError extends Failure<VerifyErrorCode> {
  override readonly name = "VerifyError";
}

/**
 * Evaluates policies for an image. A tag is resolved once. If no policy can apply, nothing is requested. Everything that cannot
 * be read, except for the image itself, counts against the authority that needs it.
 *
 * A recursive request also evaluates each image of an index, but not what a builder attached to them, which is never run.
 * Patterns match the images as they match the index.
 *
 * @throws VerifyError; ImageError if an image of the index is missing; RegistryError
 */
export async function checkImage(request: ImageRequest, means: Means): Promise<ImageVerdict> {
  const { image: given, recursive = false } = request;
  const { registry, context } = means;
  const image = parseGiven(given, means.layouts);
  const repository = { registry: image.registry, path: image.path };
  const name = request.name === undefined ? undefined : policyName(request.name);
  const parsed = parsePolicies(request.policy);
  if ("problems" in parsed) {
    throw new VerifyError("INVALID_POLICY", parsed.problems.map(formatProblem).join("\n"));
  }
  const { policies, warnings: advice } = parsed;
  const evaluate = await findEngines(policies, means);

  // Before any request, because an image without a policy needs no credentials.
  const known = { repository, given, ...name, digest: image.digest };
  if (policiesFor(known, policies).length === 0) return uncovered(given, known, policies, advice);
  const found = await registry.manifests.get(repository, image.digest ?? image.tag, context);
  if (found === undefined) throw missingImage(given, image);

  const images: ImageVerdict[] = [];
  const place = { registry, repository, context };
  const common = { policies, name, publicKey: means.publicKey, evaluate };
  // In turn, because each holds its attachments in memory.
  for await (const each of recursive ? walkImages(place, found) : []) {
    const { digest, platform, isAboutImage, problems } = each;
    for (const problem of problems) throw problem;
    if (isAboutImage || digest === found.digest) continue;
    const child = { repository, given, digest };
    const evidence = evidenceOf(child, means);
    images.push(await evaluatePolicies({ ...common, ...evidence, image: child, platform }));
  }
  const entries = readDescriptors(found.json["manifests"]);
  const self = { repository, given, digest: found.digest };
  const evidence = evidenceOf(self, means, entries);
  return evaluatePolicies({ ...common, ...evidence, image: self, advice, images });
}

function evidenceOf(
  { repository, digest }: PolicyInput["image"],
  { registry, trust, context }: Means,
  entries?: readonly Descriptor[],
) {
  const place = { registry, repository, context };
  return {
    ...policyEvidence({ ...place, digest, entries, trust }),
    configurations: () => imageConfigurations(place, digest),
  };
}

/** Parses the user's reference. @throws VerifyError */
export function parseGiven(given: string, layouts: boolean): Reference {
  const image = layouts ? parseImage(given) : parseReference(given);
  if (!("problem" in image)) return image;
  throw new VerifyError("INVALID_IMAGE", `the image ${image.problem}`);
}

function policyName(given: string): NonNullable<PolicyInput["name"]> {
  const name = parseReference(given);
  if ("problem" in name) throw new VerifyError("INVALID_IMAGE", `the name ${name.problem}`);
  return { repository: { registry: name.registry, path: name.path }, given };
}

export function missingImage(given: string, image: Reference): VerifyError {
  const isAbsent = isLayout(image) && !existsSync(image.path);
  const isUntagged = !isLayout(image) && image.tag !== undefined && !hasTag(given);
  const untagged = isUntagged ? `; without a tag or digest, the tag ${image.tag} is read` : "";
  const problem = isAbsent
    ? `there is no image layout ${image.path}: the file or folder does not exist`
    : `the image ${given} is not in the ${isLayout(image) ? "layout" : "registry"}${untagged}`;
  return new VerifyError("NO_IMAGE", problem);
}

/** Finds the engines that the policies' programs need. Evaluates nothing. */
async function findEngines(
  policies: readonly ImagePolicy[],
  { env, context }: Means,
): Promise<EvaluateProgram> {
  const engines = new PolicyEngines(env, context);
  const types = new Set(policies.flatMap(programsOf).map(({ type }) => type));
  const missing = await Promise.all(Array.from(types, (type) => engines.missing(type)));
  const problems = missing.filter((each) => each !== undefined);
  if (problems.length > 0) throw new VerifyError("NO_ENGINE", problems.join("\n"));
  return (program, input) => engines.evaluate(program, input);
}

const programsOf = ({ program, authorities }: ImagePolicy): readonly PolicyProgram[] =>
  [
    program,
    ...authorities.flatMap((each) =>
      each.kind === "signing" ? each.attestations.map((wanted) => wanted.program) : [],
    ),
  ].filter((each) => each !== undefined);
