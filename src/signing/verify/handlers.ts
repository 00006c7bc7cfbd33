import { implementDataSource, known, ProviderError } from "../../provider-kit";
import { verify } from "./declare";
import type { PolicyReport } from "./verdict/image-verdict";
import { parseImage } from "../oci/reference/layout";
import { isLayout, type Repository } from "../oci/reference/repository";
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
    const image = parseImage(config.image);
    if ("problem" in image) throw invalidReference("image", image.problem);
    const [{ parsePolicies }, { formatProblem }, { findEngines }, { checkImage, parsePolicyName }] =
      await Promise.all([
        import("../policy/parse/parse-policies.js"),
        import("../policy/parse/policy-fields.js"),
        import("./find-engines.js"),
        import("./check-image.js"),
      ]);
    const parsed = parsePolicies(config.policy);
    if ("problems" in parsed) throw invalidPolicy(parsed.problems.map(formatProblem));
    const { policies, warnings: advice } = parsed;
    for (const detail of advice) warn({ summary: "Policy", detail, path: ["policy"] });

    const name = config.name === null ? undefined : parsePolicyName(config.name);
    if (name !== undefined && "problem" in name) throw invalidReference("name", name.problem);

    const context = { signal, deadline: Date.now() + client.timeoutMs };
    const engines = await findEngines(policies, client.env, context);
    if ("problems" in engines) throw missingEngines(engines.problems);
    const { registry, trust, publicKey } = await client.services();
    const checked = await explained(`Verifying ${config.image}`, () =>
      checkImage({
        given: config.image,
        image,
        name,
        policies,
        advice,
        isRecursive: config.recursive ?? false,
        registry,
        trust,
        publicKey: (uri) => publicKey(uri, context),
        evaluate: engines.evaluate,
        context,
      }),
    );
    if (checked === undefined) throw missingImage(config.image, image);
    const { report } = checked;
    const all = [checked, ...checked.images];
    for (const detail of all.flatMap(({ verdict }) => verdict.warnings)) {
      warn({ summary: "Image Not Accepted By Policy", detail, path: ["image"] });
    }
    for (const detail of new Set(all.flatMap(({ verdict }) => verdict.advice))) {
      warn({ summary: "Policy", detail, path: ["image"] });
    }
    const limits = all.flatMap(({ unread }) =>
      unread.map((sentence) => `Not everything was read: ${sentence}.`),
    );
    if (report.code !== "ACCEPTED") {
      const reasons = all.map(({ verdict }) => (verdict.isAccepted ? [] : [verdict.message]));
      throw refused(report.code, [...reasons.flat(), ...limits].join("\n"));
    }
    for (const detail of limits)
      warn({ summary: "Not All Signatures Read", detail, path: ["image"] });
    return known({
      ...config,
      id: report.image,
      verifiedRef: report.image,
      verdict: report.text,
      policies: report.policies.map(policyState),
    });
  },
});

const invalidPolicy = (problems: readonly string[]): ProviderError =>
  new ProviderError({
    summary: "Invalid Policy",
    detail: problems.join("\n"),
    path: ["policy"],
  });

const missingEngines = (problems: readonly string[]): ProviderError =>
  new ProviderError({
    summary: "Policy Engine Not Found",
    detail: `${problems.join(".\n")}.`,
    path: ["policy"],
  });

const missingImage = (image: string, place: Repository): ProviderError =>
  new ProviderError({
    summary: "Image Not Found",
    detail: `The image ${image} is not in the ${isLayout(place) ? "layout" : "registry"}.`,
    path: ["image"],
  });

const refusals = {
  NOT_COVERED: "No Policy For The Image",
  REFUSED: "Image Refused By Policy",
  NOT_KNOWN: "Image Could Not Be Verified",
} as const;

const refused = (code: keyof typeof refusals, message: string): ProviderError =>
  new ProviderError({
    summary: refusals[code],
    detail: message,
    path: ["image"],
  });

/** The outcome of a policy with Terraform's null for what is missing. */
function policyState(policy: PolicyReport) {
  return {
    ...policy,
    problem: policy.problem ?? null,
    authorities: policy.authorities.map((authority) => ({
      ...authority,
      problem: authority.problem ?? null,
      requirements: authority.requirements.map((requirement) => ({
        ...requirement,
        attestation: requirement.attestation ?? null,
        counted: requirement.counted.map((each) => ({ ...nothing, ...each })),
      })),
    })),
  };
}

const nothing = {
  subject: null,
  issuer: null,
  key: null,
  log: null,
  logIndex: null,
  time: null,
  predicateType: null,
};
