import { implement, known, type PlanOf } from "../../provider-kit";
import { metadata } from "./declare";
import { idOf } from "../provider/identity";

/** How metadata are managed: they exist in the state alone, where the platform reads them. */
export const metadataHandlers = implement(metadata)<unknown>({
  create: (plan) => made(plan),
  read: (state) => Promise.resolve(state),
  update: (plan) => made(plan),
  delete: () => Promise.resolve(),
});

const made = (plan: PlanOf<typeof metadata>) =>
  Promise.resolve(
    known({
      ...plan,
      metadataId: idOf(plan.metadataId),
      items: plan.items.map((item) => ({ ...item, isNull: item.value === null })),
    }),
  );
