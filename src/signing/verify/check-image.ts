import type { CallContext } from "../../http/call-context";
import type { RegistryClient } from "../oci/registry/client";
import type { Reference } from "../oci/reference/reference";
import { formatRepository } from "../oci/reference/repository";
import type { EvaluateProgram } from "../policy/engine/program";
import { evaluatePolicies, policiesFor, uncovered } from "../policy/evaluate-policies";
import type { ImagePolicy } from "../policy/policy";
import type { FetchPublicKey } from "../policy/policy-evidence";
import type { PolicyVerdict } from "../policy/policy-verdict";
import type { TrustMaterial } from "../sigstore/trust/trust-material";
import { imageConfigurations } from "./image-configuration";
import type { ImageVerdict } from "./verdict/image-verdict";
import { policyEvidence } from "./policy-evidence";
import { reportVerdict } from "./verdict/report-verdict";

/** The image, the policies, and the means to read what they need. */
interface ImageCheck {
  /** The image as it was given. */
  readonly given: string;
  readonly image: Reference;
  readonly policies: readonly ImagePolicy[];
  /** What may not mean what the author of the policies intended. @default nothing */
  readonly advice?: readonly string[] | undefined;
  readonly registry: RegistryClient;
  readonly trust: () => Promise<TrustMaterial>;
  readonly publicKey: FetchPublicKey;
  readonly evaluate: EvaluateProgram;
  readonly context: CallContext;
}

/** A checked image: the verdict, and the same for people and programs. */
interface CheckedImage {
  readonly verdict: PolicyVerdict;
  readonly report: ImageVerdict;
  /** What was not read because of limits, as sentences without a full stop. */
  readonly unread: readonly string[];
}

/**
 * Evaluates policies for an image in a registry. A tag is resolved once. If no policy can apply, nothing is asked.
 *
 * @returns undefined if the image is not in the registry
 */
export async function checkImage(check: ImageCheck): Promise<CheckedImage | undefined> {
  const { given, image, policies, registry, trust, publicKey, evaluate, context } = check;
  const { advice = [] } = check;
  const repository = { registry: image.registry, path: image.path };
  const report = (
    name: string,
    verdict: PolicyVerdict,
    unread: readonly string[],
  ): CheckedImage => {
    return { verdict, report: reportVerdict(name, { verdict, advice, unread }), unread };
  };
  // Before the registry is asked, which may need credentials that an uncovered image is not worth.
  const named = { repository, digest: image.digest, given };
  if (policiesFor(named, policies).length === 0)
    return report(given, uncovered(named, policies), []);
  const found = await registry.manifests.get(repository, image.digest ?? image.tag, context);
  if (found === undefined) return undefined;
  const { digest } = found;
  const evidence = policyEvidence({ registry, repository, digest, trust, context });
  const verdict = await evaluatePolicies({
    policies,
    image: { repository, digest, given },
    ...evidence,
    configurations: () => imageConfigurations({ registry, repository, digest, context }),
    publicKey,
    evaluate,
  });
  return report(`${formatRepository(repository)}@${digest}`, verdict, evidence.unread());
}
