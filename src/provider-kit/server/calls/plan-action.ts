import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type { PlanActionRequest, providerMethods } from "../../wire/tfplugin6/tfplugin6";
import { errorDiagnostic } from "../diagnostic";
import { type Call, diagnosed } from "./call";

/** Asks the handler of an action whether it can run, as far as is known during the plan. */
export const planAction: Call<
  PlanActionRequest,
  ResponseInitOf<typeof providerMethods.planAction>
> = (session, request, context) =>
  diagnosed(async (warnings) => {
    const { declaration, plan } = session.action(request.actionType);
    const compiled = session.compiled(declaration);
    try {
      if (plan !== undefined) {
        const config = compiled.decodeConfig(request.config);
        await plan(config, session.context({ compiled, context, warnings }, {}));
      }
      return {};
    } catch (error) {
      return { diagnostics: [errorDiagnostic(error, compiled.type)] };
    }
  });
