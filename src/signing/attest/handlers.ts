import { implement, known, type PlanOf } from "../../provider-kit";
import { attest } from "./declare";
import type { PredicateInput } from "./prepare-statement";
import type { GivenPredicate } from "./number-warnings";
import type { Signing } from "../provider/configure";
import { isComplete, writeAndNote } from "../attach/signing-handlers";
import {
  chooseServices,
  planSigning,
  signingRequest,
  urlsForState,
  type ChosenServices,
} from "../attach/signing-plan";

type Plan = PlanOf<typeof attest>;

/**
 * Handlers of the resource that attests images. The attested reference is unknown until the attestations
 * exist, so that resources that use it wait.
 */
export const attestHandlers = implement(attest)<Signing>({
  async plan(draft, context) {
    const { predicates, predicate, predicateType } = draft.config;
    const given = [
      ...(Array.isArray(predicates) ? (predicates as readonly unknown[]) : []),
      { type: predicateType, json: predicate },
    ];
    await warnOfNumbers(given, context);
    return planSigning(draft, context);
  },

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
      await warnOfNumbers(
        predicates.filter(({ isFile }) => isFile),
        context,
      );
      const chosen = await chooseServices(plan, request.format, available, context.client);
      urls = chosen.urls;
      const what = { ...request, ...urls, predicates, entryType, previous };
      return attestImage(what, chosen.services, call);
    },
  );
  const image = { id: plan.image, attestedRef: plan.image };
  return known({ ...plan, ...urlsForState(plan, urls), ...image, skipped });
}

/** Warns of numbers before anything is published for good. */
async function warnOfNumbers(
  given: readonly unknown[],
  { warn }: Pick<Parameters<typeof writeAndNote>[1], "warn">,
): Promise<void> {
  const { numberWarnings } = await import("./number-warnings.js");
  for (const detail of numberWarnings(given.filter(isPredicate))) {
    warn({ summary: "Numbers Lose Digits", detail });
  }
}

const isPredicate = (value: unknown): value is GivenPredicate =>
  typeof value === "object" && value !== null && "type" in value && "json" in value;

interface GivenInput extends PredicateInput {
  /** Whether it was not known to the plan. */
  readonly isFile: boolean;
}

/** The predicates in their order, that of the deprecated attributes last. */
async function predicatesOf(plan: Plan): Promise<readonly GivenInput[]> {
  const { readPredicateFile } = await import("./read-predicate-file.js");
  const { predicateType, predicate, predicateFiles } = plan;
  const last = { type: predicateType, json: predicate, files: predicateFiles };
  const inputs: GivenInput[] = [];
  for (const { type, json: given, files } of [...plan.predicates, last]) {
    const [file] = files;
    if (type === null) continue;
    if (given !== null) inputs.push({ type, json: given, isFile: false });
    else if (file !== undefined) {
      const json = await readPredicateFile(file.path, file.sha256);
      inputs.push({ type, json, isFile: true });
    }
  }
  return inputs;
}
