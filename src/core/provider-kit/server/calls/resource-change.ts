import { formatPath } from "../../../schema/finding";
import type { Values } from "../../../schema/resource-rule";
import { type CtyValue, withoutUnknown } from "../../cty/value";
import { keepEquivalent } from "../../plan/modify";
import { changesOnlyTimeouts, PlanBreachError, planChange } from "../../plan/plan-change";
import type { ResponseInitOf } from "../../wire/tfplugin6/tfplugin6";
import type { Compiled } from "../compiled";
import { attributeOf, bugDiagnostic, errorDiagnostic, toAttributePath } from "../diagnostic";
import { deferredBy } from "../provider-error";
import {
  type Call,
  changeContext,
  diagnosed,
  knownState,
  operationContext,
  planContext,
  resourceContext,
  StoredPrivateState,
} from "./call";
import { ResourceIdentity } from "./resource-identity";
import type { DiagnosticInit, DynamicValueInit } from "../../wire/tfplugin6/tfplugin6-value";
import { wirePath } from "../../cty/type";

type Response = ResponseInitOf<"planResourceChange">;

/** Plans the creation, update or destruction of one resource. */
export const planResourceChange: Call<"planResourceChange"> = (session, request, callContext) =>
  diagnosed(async (warnings) => {
    const implementation = session.resource(request.typeName);
    const { declaration, plan, planDestroy, planDeferred } = implementation;
    const reasonIn = (error: unknown) => deferredBy(error, request.clientCapabilities);
    const compiled = session.compiled(declaration);
    const { type } = compiled;
    const privateState = new StoredPrivateState(request.priorPrivate, warnings);
    const firstPlan = new StoredPrivateState(request.plannedPrivate);
    const { providerMeta: meta } = request;
    const call = { session, compiled, context: callContext, warnings, meta, privateState };
    const planOne = compiled.isNull(request.proposedNewState) ? planDestruction : planDeclared;
    const ownIdentities = ResourceIdentity.of(session, implementation, () =>
      session.context(call, {}),
    );
    try {
      session.throwIfDeferred();
      return await planOne({ plan, planDestroy }, ownIdentities);
    } catch (error) {
      const deferred = reasonIn(error);
      if (deferred === undefined) return { diagnostics: [diagnosticOf(error, compiled)] };
      // A deferred change has a plan, too: what is known without a client. The resource can give another reason.
      const planned = await planOne({ planDeferred }, undefined).catch(async (own: unknown) => {
        if (reasonIn(own) === undefined) throw own;
        return { ...(await planOne({}, undefined)), ...reasonIn(own) };
      });
      const { priorPrivate: plannedPrivate, priorIdentity: plannedIdentity } = request;
      return { ...deferred, ...planned, plannedPrivate, plannedIdentity };
    }

    async function planDeclared(
      handlers: Partial<typeof implementation>,
      identities: typeof ownIdentities,
    ): Promise<Response> {
      const config = compiled.decodeConfig(request.config);
      const prior = compiled.decode(request.priorState);
      const { planned, requiresReplace } = await planChange(
        { declaration, type, config, prior },
        (drafted, requireReplace) => {
          const values = { config, prior, drafted };
          return handlers.plan === undefined
            ? handlers.planDeferred?.(values, { requireReplace })
            : handlers.plan(values, planContext(call, firstPlan, requireReplace));
        },
      );
      const response = {
        plannedState: compiled.encodePlan(planned, config, prior),
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

    async function planDestruction(handlers: Partial<typeof implementation>): Promise<Response> {
      const plannedState = request.proposedNewState;
      if (handlers.planDestroy === undefined)
        return { plannedState, plannedPrivate: request.priorPrivate };
      const state = compiled.decode(request.priorState);
      if (state !== undefined) await handlers.planDestroy(state, resourceContext(call));
      return { plannedState, plannedPrivate: privateState.toBytes() };
    }
  });

function diagnosticOf(error: unknown, { type, declaration }: Compiled): DiagnosticInit {
  if (!(error instanceof PlanBreachError)) return errorDiagnostic(error, type);
  const { path, reason } = error.breach;
  const what = `The plan of ${declaration.type} sets ${formatPath(wirePath(type, path))}, which ${reason}.`;
  return bugDiagnostic("Unexpected Provider Plan", what, attributeOf(type, path));
}

/** Creates, updates or deletes one resource. */
export const applyResourceChange: Call<"applyResourceChange"> = (session, request, callContext) =>
  diagnosed(async (warnings) => {
    const implementation = session.resource(request.typeName);
    const compiled = session.compiled(implementation.declaration);
    const prior = compiled.decode(request.priorState);
    const planned = compiled.decode(request.plannedState);
    const privateState = new StoredPrivateState(request.plannedPrivate);
    const { providerMeta: meta } = request;
    const call = { session, compiled, context: callContext, warnings, meta, privateState };
    const identities = ResourceIdentity.of(session, implementation, () =>
      session.context(call, {}),
    );
    let saved = prior;
    try {
      const result = await change();
      // A created resource must not be lost because the handler's result has the wrong type.
      if (prior === undefined && planned !== undefined) save({});
      if (planned !== undefined && result === undefined) {
        throw new Error(`a handler of ${request.typeName} returned no state`);
      }
      const kept = planned && result && keepEquivalent(implementation.declaration, planned, result);
      const { values, diagnostics } = knownState(compiled, kept, planned);
      const response = {
        newState: compiled.encode(values, planned),
        private: privateState.toBytes(),
        diagnostics,
      };
      if (identities === undefined || values === undefined) return response;
      const before = identities.decode(request.plannedIdentity);
      const { identity, diagnostics: refused } = identities.checked(values, before);
      return { ...response, newIdentity: identity, diagnostics: [...diagnostics, ...refused] };
    } catch (error) {
      return {
        newState: encodeSaved(),
        newIdentity: saved && identities?.ofFailed(saved, request.plannedIdentity),
        private: privateState.toBytes(),
        diagnostics: [errorDiagnostic(error, compiled.type)],
      };
    }

    function encodeSaved(): DynamicValueInit {
      try {
        return compiled.encode(saved, planned ?? prior);
      } catch {
        return compiled.encode(prior ?? (withoutUnknown((planned ?? null) as CtyValue) as Values));
      }
    }

    function save(state: Values): void {
      saved = withoutUnknown({ ...(saved ?? planned), ...state } as CtyValue) as Values;
    }

    async function change(): Promise<Values | undefined> {
      if (planned === undefined) {
        if (prior === undefined) return undefined;
        await implementation.delete(prior, operationContext(call, "delete", prior));
        return undefined;
      }
      if (prior !== undefined && changesOnlyTimeouts(implementation.declaration, planned, prior)) {
        return planned;
      }
      const config = () => compiled.decodeConfig(request.config);
      const operation = prior === undefined ? "create" : "update";
      const context = changeContext(call, operation, planned, config, save);
      return prior === undefined
        ? await implementation.create(planned, context)
        : await implementation.update(planned, prior, context);
    }
  });
