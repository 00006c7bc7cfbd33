import type { CtyRecord } from "../../cty/value";
import { toAttributePath } from "../../cty/path";
import { planChange } from "../../plan/plan-change";
import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type { PlanResourceChangeRequest, providerMethods } from "../../wire/tfplugin6/tfplugin6";
import { type Call, diagnosed } from "./call";
import { errorDiagnostic } from "../diagnostic";
import { resourceContext } from "./operation-context";
import { PrivateState } from "../private-state";
import { refuseUnlawfulDecisions } from "./decision";

/** Plans the change of one resource, or its destruction. */
export const planResourceChange: Call<
  PlanResourceChangeRequest,
  ResponseInitOf<typeof providerMethods.planResourceChange>
> = (session, request, callContext) =>
  diagnosed(async (warnings) => {
    const implementation = session.resource(request.typeName);
    const { declaration } = implementation;
    const compiled = session.compiled(declaration);
    const { type } = compiled;
    if (compiled.isNull(request.proposedNewState)) {
      return { plannedState: request.proposedNewState, plannedPrivate: request.priorPrivate };
    }
    const config = compiled.decodeConfig(request.config);
    const prior = compiled.decode(request.priorState);
    const privateState = new PrivateState(request.priorPrivate);
    try {
      const { planned, requiresReplace } = await planChange(
        { declaration, type, config, prior },
        async (drafted) => {
          if (implementation.plan === undefined) return {};
          const context = resourceContext({
            session,
            compiled,
            context: callContext,
            warnings,
            privateState,
          });
          const decisions = await implementation.plan({ config, prior, drafted }, context);
          refuseUnlawfulDecisions(declaration, config, decisions);
          return decisions as CtyRecord;
        },
      );
      return {
        plannedState: compiled.encode(planned),
        requiresReplace: requiresReplace.map((path) => toAttributePath(type, path)),
        plannedPrivate: privateState.toBytes(),
      };
    } catch (error) {
      return { diagnostics: [errorDiagnostic(error, type)] };
    }
  });
