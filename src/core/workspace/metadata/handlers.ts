import { implement, known, type PlanOf } from "../../provider-kit";
import { metadata } from "./declare";
import { idOf } from "../provider/configure";

/** Handlers of `workspace_metadata`. It exists only in the state, where the platform reads it. */
export const metadataHandlers = implement(metadata)<unknown>({
  create: (plan) => withOutputs(plan),
  read: (state) => Promise.resolve(state),
  update: (plan) => withOutputs(plan),
  delete: () => Promise.resolve(),
});

const withOutputs = (plan: PlanOf<typeof metadata>) =>
  Promise.resolve(
    known({
      ...plan,
      metadataId: idOf(plan.metadataId),
      items: plan.items.map((item) => ({ ...item, isNull: item.value === null })),
    }),
  );
