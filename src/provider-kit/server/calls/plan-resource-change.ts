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

/** Plans the creation, update or destruction of one resource. */
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
 * A `plan` handler may set only what Terraform lets a provider plan: computed attributes, and
 * optional computed attributes that are absent from the configuration.
 */
function checkPlanModification(
  { type, attributes, blocks }: Declaration,
  config: Values,
  decisions: Values,
): void {
  for (const name of Object.keys(decisions)) {
    const presence = attributes[name]?.presence;
    const isFree = presence === "optionalComputed" && (config[name] ?? null) === null;
    // A set block may gain elements; Terraform itself refuses any other change.
    const isBlock = blocks[name]?.nesting === "set";
    if (presence !== "computed" && !isFree && !isBlock) {
      throw new Error(`the plan of ${type} sets "${name}", which only the configuration may set`);
    }
  }
}
