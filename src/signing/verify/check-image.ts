import type { CallContext } from "../../http/call-context";
import { readChildren } from "../attach/read-images";
import { readDescriptors, type Descriptor } from "../oci/protocol/descriptor";
import type { Digest, Problem } from "../oci/reference/digest";
import type { RegistryClient } from "../oci/registry/client";
import { parseReference, type Reference } from "../oci/reference/reference";
import { formatRepository, type Repository } from "../oci/reference/repository";
import type { EvaluateProgram } from "../policy/engine/program";
import { evaluatePolicies, policiesFor, uncovered } from "../policy/evaluate-policies";
import type { ImagePolicy } from "../policy/policy";
import type { FetchPublicKey } from "../policy/policy-evidence";
import type { PolicyVerdict } from "../policy/policy-verdict";
import type { TrustMaterial } from "../sigstore/trust/trust-material";
import { imageConfigurations } from "./image-configuration";
import type { ImageVerdict } from "./verdict/image-verdict";
import { policyEvidence } from "../evidence/policy-evidence";
import { reportVerdict } from "./verdict/report-verdict";

/** The image, the policies, and the means to read what they need. */
interface ImageCheck {
  /** The image as it was given. */
  readonly given: string;
  readonly image: Reference;
  /** The name by which policies know the image, if it is elsewhere. @default its own */
  readonly name?: PolicyName | undefined;
  readonly policies: readonly ImagePolicy[];
  /** True to check each image of an index, too. @default false */
  readonly isRecursive?: boolean | undefined;
  /** What may not mean what the author of the policies intended. @default nothing */
  readonly advice?: readonly string[] | undefined;
  readonly registry: RegistryClient;
  readonly trust: () => Promise<TrustMaterial>;
  readonly publicKey: FetchPublicKey;
  readonly evaluate: EvaluateProgram;
  readonly context: CallContext;
}

/** A name for the patterns of policies. */
interface PolicyName {
  readonly repository: Repository;
  /** As the user wrote it, perhaps with a tag. */
  readonly given: string;
}

/** Parses a name for the patterns of policies. */
export function parsePolicyName(given: string): PolicyName | Problem {
  const name = parseReference(given);
  if ("problem" in name) return name;
  return { repository: { registry: name.registry, path: name.path }, given };
}

/** A checked image: the verdict, and the same for people and programs. */
interface CheckedImage {
  readonly verdict: PolicyVerdict;
  readonly report: ImageVerdict;
  /** What was not read because of limits, as sentences without a full stop. */
  readonly unread: readonly string[];
  /** The images of an index, if they were checked, too. */
  readonly images: readonly CheckedImage[];
}

/**
 * Evaluates policies for an image in a registry. A tag is resolved once. If no policy can apply, nothing is asked.
 *
 * If the check is recursive, also for each image of an index, except for what a builder attached to them, which nothing runs.
 * Patterns match them as they match the index.
 *
 * @returns undefined if the image is not in the registry
 * @throws SigningError if an image of the index is missing; RegistryError
 */
export async function checkImage(check: ImageCheck): Promise<CheckedImage | undefined> {
  const { given, image, policies, registry, context, advice = [], isRecursive = false } = check;
  const repository = { registry: image.registry, path: image.path };
  const name = check.name ?? { repository, given };
  // Before the registry is asked, which may need credentials that an uncovered image is not worth.
  const named = { ...name, digest: image.digest };
  if (policiesFor(named, policies).length === 0) {
    const verdict = uncovered(named, policies);
    return { verdict, report: reportVerdict(given, { verdict, advice }), unread: [], images: [] };
  }
  const found = await registry.manifests.get(repository, image.digest ?? image.tag, context);
  if (found === undefined) return undefined;
  const images: CheckedImage[] = [];
  const place = { registry, repository, context };
  const children = isRecursive ? await readChildren(place, found) : [];
  // One after the other, because each holds what is attached to it.
  for (const { descriptor, platform, isAboutImage } of children) {
    if (isAboutImage) continue;
    images.push(await checkDigest(check, repository, descriptor.digest, { platform }));
  }
  const entries = readDescriptors(found.json["manifests"]);
  return checkDigest(check, repository, found.digest, { advice, images, entries });
}

/** What is reported beside the verdict about a digest. */
interface Beside {
  readonly platform?: string | undefined;
  readonly advice?: readonly string[];
  readonly images?: readonly CheckedImage[];
  /** What an index lists. */
  readonly entries?: readonly Descriptor[];
}

async function checkDigest(
  { given, name, policies, registry, trust, publicKey, evaluate, context }: ImageCheck,
  repository: Repository,
  digest: Digest,
  { platform, advice = [], images = [], entries }: Beside,
): Promise<CheckedImage> {
  const evidence = policyEvidence({ registry, repository, digest, entries, trust, context });
  const verdict = await evaluatePolicies({
    policies,
    image: { repository, given, ...name, digest },
    ...evidence,
    configurations: () => imageConfigurations({ registry, repository, digest, context }),
    publicKey,
    evaluate,
  });
  const unread = evidence.unread();
  const place = `${formatRepository(repository)}@${digest}`;
  const reports = images.map(({ report }) => report);
  const report = reportVerdict(place, { verdict, advice, unread, platform, images: reports });
  return { verdict, report, unread, images };
}
