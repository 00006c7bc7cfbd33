import {
  implement,
  known,
  type OperationContext,
  type PlanOf,
  type StateOf,
} from "../../provider-kit";
import { predicateTypes, predicateTypeUri } from "../predicate/predicate-type";
import { attest } from "./declare";
import type { PredicateInput } from "./prepare-statement";
import type { Signing } from "../provider/configure";
import { adopt, carryOut, isComplete, type SigningChange } from "../sign/carry-out";
import { planSigning } from "../sign/handlers";

type Plan = PlanOf<typeof attest>;
type State = StateOf<typeof attest>;

/** Handlers of the resource that attests images. The attested reference is unknown before the apply, so that its users wait. */
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

  create: attested,

  async read(state, context) {
    if (state.skipped === null) return adopted(state, context);
    return (await isComplete(`the attestations of ${state.image}`, context)) ? state : undefined;
  },

  update: (plan, _state, context) => attested(plan, context),

  // Attestations are kept: they were true when they were created.
  delete: () => Promise.resolve(),

  // The read that follows finds this signer's attestations. Without any, the next plan is an update that attests.
  import: ({ image = "" }) => imported(image),
  importByIdentity: ({ image }) => imported(image),
});

const imported = (image: string) => ({ image, id: image, attestedRef: image });

async function attested(plan: Plan, context: SigningChange) {
  const { attestImage } = await import("./attest-image.js");
  const { entryType } = context.client;
  const done = await carryOut(
    `Attesting ${plan.image}`,
    plan,
    context,
    async (request, services, call) => {
      const predicates = await predicatesOf(plan);
      const files = predicates.filter(({ isFile }) => isFile);
      await warnOfNumbers(files, context);
      return attestImage({ ...request, predicates, entryType }, services, call);
    },
  );
  return known({ ...plan, ...done, attestedRef: plan.image });
}

async function adopted(state: State, context: OperationContext<Signing>): Promise<State> {
  const { attestImage, findAttested } = await import("./attest-image.js");
  const { entryType } = context.client;
  let predicates = state.predicates;
  const found = await adopt(state, context, async (request, services, call) => {
    // Only an import does not know what is attested.
    const given = await predicatesOf(state);
    if (given.length > 0) {
      return attestImage({ ...request, predicates: given, entryType }, services, call);
    }
    const attested = await findAttested({ ...request, entryType }, services, call);
    predicates = attested.predicates.map((each) => ({ ...each, files: [] }));
    return attested.written;
  });
  return { ...state, ...found, predicates };
}

/** A predicate as the user wrote it. Values can be unknown or missing. */
interface GivenPredicate {
  readonly type: unknown;
  readonly json: unknown;
}

const isPredicate = (value: unknown): value is GivenPredicate =>
  typeof value === "object" && value !== null && "type" in value && "json" in value;

/** Warns about numbers that lose digits in statements, before anything is published. */
async function warnOfNumbers(
  given: readonly unknown[],
  { warn }: Pick<SigningChange, "warn">,
): Promise<void> {
  const { impreciseNumbers } = await import("../predicate/imprecise-numbers.js");
  for (const { type, json } of given.filter(isPredicate)) {
    if (typeof type !== "string" || typeof json !== "string" || isText(type)) continue;
    const found = impreciseNumbers(json);
    if (found.length === 0) continue;
    const listed = found.map((each) => `${each.path}: ${each.given} is written as ${each.written}`);
    const rule = "statements have numbers with double precision, as other tools write them";
    warn({
      summary: "Numbers Lose Digits",
      detail: `The predicate of type ${type} has numbers that lose digits: ${rule}. To keep all digits, use strings.\n${listed.join("\n")}`,
    });
  }
}

/** True if the content of a type is not read as JSON. */
const isText = (type: string): boolean =>
  type === "spdx" || predicateTypeUri(type) === predicateTypes.custom;

interface GivenInput extends PredicateInput {
  /** True if the content was not known to the plan. */
  readonly isFile: boolean;
}

/** The predicates in their order, that of the deprecated attributes last. */
async function predicatesOf(plan: Plan | State): Promise<readonly GivenInput[]> {
  const { readPredicateFile } = await import("./prepare-statement.js");
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
