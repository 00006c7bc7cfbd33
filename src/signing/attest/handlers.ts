import { implement, known, type PlanOf } from "../../provider-kit";
import { attest } from "./declare";
import type { PredicateInput } from "./prepare-statement";
import type { Signing } from "../provider/configure";
import { isComplete, writeAndNote } from "../sign/signing-handlers";
import {
  chooseServices,
  planSigning,
  signingRequest,
  urlsForState,
  type ChosenServices,
} from "../sign/signing-plan";

type Plan = PlanOf<typeof attest>;

/**
 * Handlers of the resource that attests images. The attested reference is unknown until the attestations
 * exist, so that resources that use it wait.
 */
export const attestHandlers = implement(attest)<Signing>({
  plan: planSigning,

  create: (plan, context) => attested(plan, context),

  async read(state, context) {
    return (await isComplete(`the attestations of ${state.image}`, context)) ? state : undefined;
  },

  update: (plan, _state, context) => attested(plan, context),

  // Attestations are kept: they were true when they were created.
  delete: () => Promise.resolve(),

  // The next plan is an update, which finds out what is already attested.
  import: ({ image = "" }) => ({ image, id: image, attestedRef: image }),
});

async function attested(plan: Plan, context: Parameters<typeof writeAndNote>[1]) {
  const request = signingRequest(plan, context.client);
  const { entryType } = context.client;
  const { attestImage } = await import("./attest-image.js");
  let urls: ChosenServices["urls"] | undefined;
  const { skipped } = await writeAndNote(
    `Attesting ${plan.image}`,
    context,
    async (available, call, previous) => {
      const predicates = await predicatesOf(plan);
      const chosen = await chooseServices(plan, request.format, available);
      urls = chosen.urls;
      const what = { ...request, ...urls, predicates, entryType, previous };
      return attestImage(what, chosen.services, call);
    },
  );
  const image = { id: plan.image, attestedRef: plan.image };
  return known({ ...plan, ...urlsForState(plan, urls), ...image, skipped });
}

/** The predicates in their order, that of the deprecated attributes last. */
async function predicatesOf(plan: Plan): Promise<readonly PredicateInput[]> {
  const { readPredicateFile } = await import("./read-predicate-file.js");
  const { predicateType, predicate, predicateFiles } = plan;
  const last = { type: predicateType, json: predicate, files: predicateFiles };
  const inputs: PredicateInput[] = [];
  for (const { type, json, files } of [...plan.predicates, last]) {
    const [file] = files;
    if (type === null) continue;
    if (json !== null) inputs.push({ type, json });
    else if (file !== undefined) {
      inputs.push({ type, json: await readPredicateFile(file.path, file.sha256) });
    }
  }
  return inputs;
}
