import { implement, known, type PlanOf } from "../../provider-kit";
import { attest } from "../declare/attest";
import type { Signing } from "./configure";
import { imageOf } from "./image";
import { isComplete, writeAndNote } from "./signing-handlers";
import { formatOf, planSigning } from "./signing-plan";

type Plan = PlanOf<typeof attest>;

/**
 * How images are attested. The attested reference is unknown until the attestations are there, so that
 * whatever uses it waits.
 */
export const attestHandlers = implement(attest)<Signing>({
  plan: planSigning,

  create: (plan, context) => attested(plan, context),

  async read(state, context) {
    return (await isComplete(`the attestations of ${state.image}`, context)) ? state : undefined;
  },

  update: (plan, _state, context) => attested(plan, context),

  // Attestations stay: they were true when they were made.
  delete: () => Promise.resolve(),

  // What of it is ours, the update that is planned next finds out.
  import: ({ image = "" }) => ({ image, id: image, attestedRef: image }),
});

async function attested(plan: Plan, context: Parameters<typeof writeAndNote>[1]) {
  const image = imageOf(plan.image);
  const { attestImage } = await import("../backend/attest/attest-image.js");
  const settled = known({ ...plan, id: null, attestedRef: null, skipped: null });
  const { client } = context;
  const { skipped } = await writeAndNote(
    `Attesting ${plan.image}`,
    context,
    async (services, call, previous) =>
      attestImage(
        {
          image,
          predicates: await predicatesOf(plan),
          conflict: settled.conflict ?? "SKIPSAME",
          format: formatOf(plan.signatureFormat, client),
          entryType: client.entryType,
          fulcioUrl: settled.fulcioUrl ?? "",
          rekorUrl: settled.rekorUrl ?? "",
          previous,
        },
        services,
        call,
      ),
  );
  return known({ ...plan, id: plan.image, attestedRef: plan.image, skipped });
}

interface PredicateText {
  readonly type: string;
  readonly json: string;
}

/** The predicates in the order in which they are written, those of the deprecated attributes last. */
async function predicatesOf(plan: Plan): Promise<readonly PredicateText[]> {
  const { readPredicateFile } = await import("../backend/attest/read-predicate-file.js");
  const texts: PredicateText[] = [];
  for (const { type, json, files } of plan.predicates) {
    const [file] = files;
    if (json !== null) texts.push({ type, json });
    else if (file !== undefined) {
      texts.push({ type, json: await readPredicateFile(file.path, file.sha256) });
    }
  }
  const { predicateType: type, predicate, predicateFiles } = plan;
  const [file] = predicateFiles;
  if (type !== null && predicate !== null) texts.push({ type, json: predicate });
  else if (type !== null && file !== undefined) {
    texts.push({ type, json: await readPredicateFile(file.path, file.sha256) });
  }
  return texts;
}
