import { implementDataSource, known, ProviderError } from "../../provider-kit";
import type { CallContext } from "../../http/call-context";
import type { EvaluateProgram, PolicyProgram } from "../policy/engine/program";
import type { ImagePolicy } from "../policy/policy";
import { verify } from "./declare";
import { formatRepository } from "../oci/reference/repository";
import { parseReference } from "../oci/reference/reference";
import type { Signing } from "../provider/configure";
import { invalidReference } from "../provider/image";
import { explained } from "../provider/signing-failure";

/** Handler of the data source that verifies images. Unsupported parts of a policy are errors, never ignored. */
export const verifyHandlers = implementDataSource(verify)<Signing>({
  async validate({ policy }) {
    if (typeof policy !== "string") return;
    const { policyProblems } = await import("../policy/parse/parse-policies.js");
    const problems = policyProblems(policy);
    if (problems.length > 0) throw invalidPolicy(problems);
  },

  async read(config, { client, signal, warn }) {
    const image = parseReference(config.image);
    if ("problem" in image) throw invalidReference("image", image.problem);
    const [{ parsePolicies }, { formatProblem }, { evaluatePolicies }, { policyEvidence }] =
      await Promise.all([
        import("../policy/parse/parse-policies.js"),
        import("../policy/parse/policy-fields.js"),
        import("../policy/evaluate-policies.js"),
        import("./policy-evidence.js"),
      ]);
    const parsed = parsePolicies(config.policy);
    if ("problems" in parsed) throw invalidPolicy(parsed.problems.map(formatProblem));
    for (const detail of parsed.warnings) warn({ summary: "Policy", detail, path: ["policy"] });

    const context = { signal, deadline: Date.now() + client.timeoutMs };
    const evaluate = await policyEngines(parsed.policies, client.env, context);
    const { registry, trust, publicKey } = await client.services();
    const attempt = `Verifying ${config.image}`;
    const { registry: host, path } = image;
    const repository = { registry: host, path };
    const found = await explained(attempt, () =>
      registry.manifests.get(repository, image.digest ?? image.tag, context),
    );
    if (found === undefined) throw missingImage(config.image);
    const { digest } = found;
    const { unread, ...evidence } = policyEvidence({
      registry,
      repository,
      digest,
      trust,
      context,
    });
    const verdict = await explained(attempt, () =>
      evaluatePolicies({
        policies: parsed.policies,
        image: { repository, digest, given: config.image },
        ...evidence,
        publicKey: (uri) => publicKey(uri, context),
        evaluate,
      }),
    );
    for (const detail of verdict.warnings) {
      warn({ summary: "Image Not Accepted By Policy", detail, path: ["image"] });
    }
    for (const detail of verdict.advice) {
      warn({ summary: "Policy", detail, path: ["image"] });
    }
    const limits = unread().map((sentence) => `Not everything was read: ${sentence}.`);
    if (!verdict.isAccepted) throw refused(verdict.code, [verdict.message, ...limits].join("\n"));
    for (const detail of limits)
      warn({ summary: "Not All Signatures Read", detail, path: ["image"] });
    const verifiedRef = `${formatRepository(repository)}@${digest}`;
    return known({ ...config, id: verifiedRef, verifiedRef });
  },
});

/** Finds the engines for the programs of policies, before anything is requested. */
async function policyEngines(
  policies: readonly ImagePolicy[],
  env: Signing["env"],
  context: CallContext,
): Promise<EvaluateProgram> {
  const { PolicyEngines } = await import("../policy/engine/policy-engines.js");
  const engines = new PolicyEngines(env, context);
  const types = new Set(policies.flatMap(programsOf).map(({ type }) => type));
  const missing = await Promise.all(Array.from(types, (type) => engines.missing(type)));
  const problems = missing.filter((each) => each !== undefined);
  if (problems.length > 0) {
    throw new ProviderError({
      summary: "Policy Engine Not Found",
      detail: `${problems.join(".\n")}.`,
      path: ["policy"],
    });
  }
  return (program, input) => engines.evaluate(program, input);
}

function programsOf({ program, authorities }: ImagePolicy): readonly PolicyProgram[] {
  const ofAttestations = authorities.flatMap((authority) =>
    authority.kind === "signing" ? authority.attestations.map((each) => each.program) : [],
  );
  return [program, ...ofAttestations].filter((each) => each !== undefined);
}

const invalidPolicy = (problems: readonly string[]): ProviderError =>
  new ProviderError({
    summary: "Invalid Policy",
    detail: problems.join("\n"),
    path: ["policy"],
  });

const missingImage = (image: string): ProviderError =>
  new ProviderError({
    summary: "Image Not Found",
    detail: `The image ${image} is not in the registry.`,
    path: ["image"],
  });

const refused = (code: "NOT_COVERED" | "REFUSED", message: string): ProviderError =>
  new ProviderError({
    summary: code === "NOT_COVERED" ? "No Policy For The Image" : "Image Refused By Policy",
    detail: message,
    path: ["image"],
  });
