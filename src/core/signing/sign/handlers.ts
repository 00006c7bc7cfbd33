import { implement, known, type PlanOf } from "../../provider-kit";
import { adopt, carryOut, isComplete, type SigningChange } from "./carry-out";
import { planSigning } from "./plan-signing";
import type { Signing } from "../provider/configure";
import { sign } from "./declare";

/**
 * Handlers of the resource that signs images. The signed reference is unknown until the signature exists,
 * so that resources that use it wait.
 */
export const signHandlers = implement(sign)<Signing>({
  plan: planSigning,

  create: signed,

  async read(state, context) {
    if (state.skipped === null) {
      const { signImage } = await import("./sign-image.js");
      return { ...state, ...(await adopt(state, context, signImage)) };
    }
    return (await isComplete(`the signature of ${state.image}`, context)) ? state : undefined;
  },

  update: (plan, _state, context) => signed(plan, context),

  // Signatures are kept: they were valid when they were created.
  delete: () => Promise.resolve(),

  // The read that follows finds our signature. Without one, the next plan is an update that signs.
  import: ({ image = "" }) => ({ image, id: image, signedRef: image }),
});

async function signed(plan: PlanOf<typeof sign>, context: SigningChange) {
  const { signImage } = await import("./sign-image.js");
  const done = await carryOut(`Signing ${plan.image}`, plan, context, signImage);
  return known({ ...plan, ...done, signedRef: plan.image });
}
