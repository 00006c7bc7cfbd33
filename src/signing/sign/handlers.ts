import { implement, known, type PlanOf } from "../../provider-kit";
import { sign } from "./declare";
import type { Signing } from "../provider/configure";
import { isComplete, writeAndNote } from "../attach/signing-handlers";
import {
  chooseServices,
  planSigning,
  signingRequest,
  urlsForState,
  type ChosenServices,
} from "../attach/signing-plan";

type Plan = PlanOf<typeof sign>;

/**
 * Handlers of the resource that signs images. The signed reference is unknown until the signature exists,
 * so that resources that use it wait.
 */
export const signHandlers = implement(sign)<Signing>({
  plan: planSigning,

  create: (plan, context) => signed(plan, context),

  async read(state, context) {
    return (await isComplete(`the signature of ${state.image}`, context)) ? state : undefined;
  },

  update: (plan, _state, context) => signed(plan, context),

  // Signatures are kept: they were valid when they were created.
  delete: () => Promise.resolve(),

  // The next plan is an update, which finds out what is already signed.
  import: ({ image = "" }) => ({ image, id: image, signedRef: image }),
});

async function signed(plan: Plan, context: Parameters<typeof writeAndNote>[1]) {
  const request = signingRequest(plan, context.client);
  const { signImage } = await import("./sign-image.js");
  let urls: ChosenServices["urls"] | undefined;
  const { skipped } = await writeAndNote(
    `Signing ${plan.image}`,
    context,
    async (available, call, previous) => {
      const chosen = await chooseServices(plan, request.format, available, context.client);
      urls = chosen.urls;
      return signImage({ ...request, ...urls, previous }, chosen.services, call);
    },
  );
  const image = { id: plan.image, signedRef: plan.image };
  return known({ ...plan, ...urlsForState(plan, urls), ...image, skipped });
}
