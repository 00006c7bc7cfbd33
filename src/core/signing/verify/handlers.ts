import { implementDataSource, known, ProviderError } from "../../provider-kit";
import type { ImageVerdict, PolicyReport } from "../policy/image-verdict";
import type { Signing } from "../provider/configure";
import { signingFailure } from "../provider/signing-failure";
import { verify } from "./declare";

/** Handler of the data source that verifies images. Unsupported parts of a policy are errors. */
export const verifyHandlers = implementDataSource(verify)<Signing>({
  async validate({ policy }) {
    if (typeof policy !== "string") return;
    const { policyProblems } = await import("../policy/parse/parse-policies.js");
    const problems = policyProblems(policy);
    if (problems.length === 0) return;
    throw new ProviderError({
      summary: "Invalid Policy",
      detail: problems.join("\n"),
      path: ["policy"],
    });
  },

  async read(config, { client, signal, warn }) {
    const { checkImage } = await import("./check-image.js");
    const { registry, trust, publicKey } = await client.services();
    const { image, policy, name, recursive } = config;
    const request = { image, policy, name: name ?? undefined, recursive: recursive ?? undefined };
    const context = { signal, deadline: Date.now() + client.timeoutMs };
    const verdict = await checkImage(request, {
      registry,
      trust,
      publicKey: (uri) => publicKey(uri, context),
      env: client.env,
      layouts: true,
      context,
    }).catch((error: unknown) => {
      throw signingFailure(error, `Verifying ${image}`);
    });
    const { code, text } = verdict;
    if (code !== "ACCEPTED") {
      throw new ProviderError({ summary: refusals[code], detail: text.trimEnd(), path: ["image"] });
    }
    const all = [verdict, ...(verdict.images ?? [])];
    const notes = new Set(all.flatMap((each) => each.notes));
    if (all.some(({ policies }) => policies.some(({ accepted }) => !accepted))) {
      warn({ summary: "Image Not Accepted By Policy", detail: text.trimEnd(), path: ["image"] });
    } else if (notes.size > 0) {
      warn({ summary: "Note On The Verdict", detail: [...notes].join("\n"), path: ["image"] });
    }
    return known({
      ...config,
      id: verdict.image,
      verifiedRef: verdict.image,
      verdict: text,
      policies: verdict.policies.map(policyState),
    });
  },
});

const refusals: Readonly<Record<Exclude<ImageVerdict["code"], "ACCEPTED">, string>> = {
  NOT_COVERED: "No Policy For The Image",
  REFUSED: "Image Refused By Policy",
  NOT_KNOWN: "Image Could Not Be Verified",
};

/** The result of a policy, with null for what is missing. */
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
