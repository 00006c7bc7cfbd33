import {
  attributeOf,
  bugDiagnostic,
  errorDiagnostic,
  toAttributePath,
  wirePath,
} from "../diagnostic";
import { formatPath } from "../../../schema/finding";
import { PlanBreachError, planChange } from "../../plan/plan-change";
import type { ResponseInitOf } from "../../wire/tfplugin6/tfplugin6";
import type { Compiled } from "../compiled";
import { deferredBy } from "../provider-error";
import { PrivateState } from "../context";
import { type Call, diagnosed, planContext, resourceContext } from "./call";
import { ResourceIdentity } from "./resource-identity";
import type { DiagnosticInit } from "../../wire/tfplugin6/tfplugin6-value";

type Response = ResponseInitOf<"planResourceChange">;

/** Plans the creation, update or destruction of one resource. */
export const planResourceChange: Call<"planResourceChange"> = (session, request, callContext) =>
  diagnosed(async (warnings) => {
    const implementation = session.resource(request.typeName);
    type PlanHandlers = Partial<Pick<typeof implementation, "plan" | "planDestroy">>;
    const { declaration } = implementation;
    const compiled = session.compiled(declaration);
    const { type } = compiled;
    const privateState = new PrivateState(request.priorPrivate);
    const { providerMeta: meta } = request;
    const call = { session, compiled, context: callContext, warnings, meta, privateState };
    const planOne = compiled.isNull(request.proposedNewState) ? planDestruction : planDeclared;
    const ownIdentities = ResourceIdentity.of(session, implementation, () =>
      session.context(call, {}),
    );
    try {
      session.throwIfDeferred();
      return await planOne(implementation, ownIdentities);
    } catch (error) {
      const deferred = deferredBy(error, request.clientCapabilities);
      if (deferred === undefined) return { diagnostics: [diagnosticOf(error, compiled)] };
      // A deferred change has a plan, too: what is known without the handlers.
      const plan = await planOne({}, undefined);
      const { priorPrivate: plannedPrivate, priorIdentity: plannedIdentity } = request;
      return { ...plan, plannedPrivate, plannedIdentity, ...deferred };
    }

    async function planDeclared(
      { plan }: PlanHandlers,
      identities: typeof ownIdentities,
    ): Promise<Response> {
      const config = compiled.decodeConfig(request.config);
      const prior = compiled.decode(request.priorState);
      const { planned, requiresReplace } = await planChange(
        { declaration, type, config, prior },
        plan &&
          ((drafted, requireReplace) =>
            plan({ config, prior, drafted }, planContext(call, requireReplace))),
      );
      const response = {
        plannedState: compiled.encode(planned),
        requiresReplace: requiresReplace.map((path) => toAttributePath(type, path)),
        plannedPrivate: privateState.toBytes(),
      };
      if (identities === undefined) return response;
      const { identity, diagnostics } = identities.ofPlan(
        planned,
        prior && { state: prior, identity: identities.decode(request.priorIdentity) },
        requiresReplace.length > 0,
      );
      return { ...response, plannedIdentity: identity && identities.encode(identity), diagnostics };
    }

    async function planDestruction({ planDestroy }: PlanHandlers): Promise<Response> {
      const plannedState = request.proposedNewState;
      if (planDestroy === undefined) return { plannedState, plannedPrivate: request.priorPrivate };
      const state = compiled.decode(request.priorState);
      if (state !== undefined) await planDestroy(state, resourceContext(call));
      return { plannedState, plannedPrivate: privateState.toBytes() };
    }
  });

function diagnosticOf(error: unknown, { type, declaration }: Compiled): DiagnosticInit {
  if (!(error instanceof PlanBreachError)) return errorDiagnostic(error, type);
  const { path, reason } = error.breach;
  const what = `The plan of ${declaration.type} sets ${formatPath(wirePath(type, path))}, which ${reason}.`;
  return bugDiagnostic("Unexpected Provider Plan", what, attributeOf(type, path));
}
