import type { Declaration } from "../../../schema/declaration";
import type { Values } from "../../../schema/resource-rule";
import { toAttributePath } from "../../cty/path";
import type { CtyRecord } from "../../cty/value";
import { planChange } from "../../plan/plan-change";
import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type { PlanResourceChangeRequest, providerMethods } from "../../wire/tfplugin6/tfplugin6";
import { errorDiagnostic } from "../diagnostic";
import { PrivateState } from "../private-state";
import { type Call, diagnosed } from "./call";
import { resourceContext } from "./operation-context";

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
          checkPlanModification(declaration, config, decisions);
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

/**
 * A `plan` handler may decide only what Terraform lets a provider plan: attributes that are computed,
 * or that are optional, computed and absent from the configuration.
 */
function checkPlanModification(
  { type, attributes, blocks }: Declaration,
  config: Values,
  decisions: Values,
): void {
  for (const name of Object.keys(decisions)) {
    const presence = attributes[name]?.presence;
    const isFree = presence === "optionalComputed" && (config[name] ?? null) === null;
    // An absent set block may gain an element; Terraform itself refuses what goes too far.
    const isBlock = blocks[name]?.nesting === "set";
    if (presence !== "computed" && !isFree && !isBlock) {
      throw new Error(
        `the plan of ${type} decided "${name}", which only the configuration may set`,
      );
    }
  }
}
