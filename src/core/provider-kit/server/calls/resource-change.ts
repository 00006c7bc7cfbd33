import { formatPath } from "../../../schema/finding";
import type { Values } from "../../../schema/resource-rule";
import { wirePath } from "../../cty/type";
import { type CtyValue, withoutUnknown } from "../../cty/value";
import { keepEquivalent } from "../../plan/modify";
import { changesOnlyTimeouts, PlanBreachError, planChange } from "../../plan/plan-change";
import type { RequestOf, ResponseInitOf } from "../../wire/tfplugin6/tfplugin6";
import type { DiagnosticInit, DynamicValueInit } from "../../wire/tfplugin6/tfplugin6-value";
import type { Compiled } from "../compiled";
import { attributeOf, bugDiagnostic, errorDiagnostic, toAttributePath } from "../diagnostic";
import type { ResourceImplementation } from "../implementation";
import { deferredBy } from "../provider-error";
import {
  type Call,
  changeContext,
  diagnosed,
  type HandlerCall,
  knownState,
  operationContext,
  planContext,
  resourceContext,
  StoredPrivateState,
} from "./call";
import { ResourceIdentity } from "./resource-identity";

type PlanResponse = ResponseInitOf<"planResourceChange">;

/** Plans the creation, update or destruction of one resource. */
export const planResourceChange: Call<"planResourceChange"> = (session, request, context) =>
  diagnosed(async (warnings) => {
    const implementation = session.resource(request.typeName);
    const compiled = session.compiled(implementation.declaration);
    const privateState = new StoredPrivateState(request.priorPrivate, warnings);
    const { providerMeta: meta } = request;
    const call = { session, compiled, context, warnings, meta, privateState };
    const plan = { call, implementation, request };
    try {
      return await currentPlan(plan).catch((error: unknown) => deferredPlan(plan, error));
    } catch (error) {
      return { diagnostics: [planDiagnostic(error, compiled)] };
    }
  });

interface PlanCall<Client> {
  readonly call: HandlerCall<Client>;
  readonly implementation: ResourceImplementation<Client>;
  readonly request: RequestOf<"planResourceChange">;
}

type PlanHandlers<Client> = Pick<
  ResourceImplementation<Client>,
  "plan" | "planDestroy" | "planDeferred"
>;

async function currentPlan<Client>(plan: PlanCall<Client>): Promise<PlanResponse> {
  const { call, implementation } = plan;
  const { session } = call;
  session.throwIfDeferred();
  const identities = ResourceIdentity.of(session, implementation, () => session.context(call, {}));
  return planWith({ ...implementation, planDeferred: undefined }, plan, identities);
}

/**
 * Plans a deferred change with what is known without a client. The resource can give another reason.
 *
 * @throws the error if it does not defer the change
 */
async function deferredPlan<Client>(plan: PlanCall<Client>, error: unknown): Promise<PlanResponse> {
  const { priorPrivate, priorIdentity, clientCapabilities } = plan.request;
  const deferred = deferredBy(error, clientCapabilities);
  if (deferred === undefined) throw error;
  const { planDeferred } = plan.implementation;
  const planned = await planWith({ planDeferred }, plan).catch(async (own: unknown) => {
    const ownReason = deferredBy(own, clientCapabilities);
    if (ownReason === undefined) throw own;
    return { ...(await planWith({}, plan)), ...ownReason };
  });
  return {
    ...deferred,
    ...planned,
    plannedPrivate: priorPrivate,
    plannedIdentity: priorIdentity,
  };
}

/** @param identities undefined for a plan without an identity */
async function planWith<Client>(
  handlers: PlanHandlers<Client>,
  plan: PlanCall<Client>,
  identities?: ResourceIdentity<Client>,
): Promise<PlanResponse> {
  const { call, request } = plan;
  const { compiled, privateState } = call;
  const { declaration, type } = compiled;
  if (compiled.isNull(request.proposedNewState)) return planDestruction(handlers, plan);
  const firstPlan = new StoredPrivateState(request.plannedPrivate);
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

async function planDestruction<Client>(
  { planDestroy }: PlanHandlers<Client>,
  { call, request }: PlanCall<Client>,
): Promise<PlanResponse> {
  const { proposedNewState: plannedState, priorPrivate, priorState } = request;
  if (planDestroy === undefined) return { plannedState, plannedPrivate: priorPrivate };
  const state = call.compiled.decode(priorState);
  if (state !== undefined) await planDestroy(state, resourceContext(call));
  return { plannedState, plannedPrivate: call.privateState.toBytes() };
}

function planDiagnostic(error: unknown, { type, declaration }: Compiled): DiagnosticInit {
  if (!(error instanceof PlanBreachError)) return errorDiagnostic(error, type);
  const { path, reason } = error.breach;
  const what = `The plan of ${declaration.type} sets ${formatPath(wirePath(type, path))}, which ${reason}.`;
  return bugDiagnostic("Unexpected Provider Plan", what, attributeOf(type, path));
}

/** Creates, updates or deletes one resource. */
export const applyResourceChange: Call<"applyResourceChange"> = (session, request, context) =>
  diagnosed(async (warnings) => {
    const implementation = session.resource(request.typeName);
    const { declaration } = implementation;
    const compiled = session.compiled(declaration);
    const prior = compiled.decode(request.priorState);
    const planned = compiled.decode(request.plannedState);
    const privateState = new StoredPrivateState(request.plannedPrivate);
    const { providerMeta: meta } = request;
    const call = { session, compiled, context, warnings, meta, privateState };
    const identities = ResourceIdentity.of(session, implementation, () =>
      session.context(call, {}),
    );
    const saved = new SavedState(compiled, planned, prior);
    try {
      const config = () => compiled.decodeConfig(request.config);
      const result = await change(call, implementation, saved, config);
      // A created resource must not be lost because the handler's result has the wrong type.
      if (prior === undefined && planned !== undefined) saved.save({});
      if (planned !== undefined && result === undefined) {
        throw new Error(`a handler of ${request.typeName} returned no state`);
      }
      const kept = planned && result && keepEquivalent(declaration, planned, result);
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
        newState: saved.encode(),
        newIdentity: saved.values && identities?.ofFailed(saved.values, request.plannedIdentity),
        private: privateState.toBytes(),
        diagnostics: [errorDiagnostic(error, compiled.type)],
      };
    }
  });

/** @returns the handler's result; undefined after a deletion */
async function change<Client>(
  call: HandlerCall<Client>,
  implementation: ResourceImplementation<Client>,
  { planned, prior, save }: SavedState,
  config: () => Values,
): Promise<Values | undefined> {
  if (planned === undefined) {
    if (prior === undefined) return undefined;
    await implementation.delete(prior, operationContext(call, "delete", prior));
    return undefined;
  }
  if (prior === undefined) {
    const context = changeContext(call, "create", planned, config, save);
    return implementation.create(planned, context);
  }
  if (changesOnlyTimeouts(implementation.declaration, planned, prior)) return planned;
  const context = changeContext(call, "update", planned, config, save);
  return implementation.update(planned, prior, context);
}

/** The state to store if a handler fails. */
class SavedState {
  readonly #compiled: Compiled;
  #values: Values | undefined;

  constructor(
    compiled: Compiled,
    readonly planned: Values | undefined,
    readonly prior: Values | undefined,
  ) {
    this.#compiled = compiled;
    this.#values = prior;
  }

  /** Undefined as long as nothing exists. */
  get values(): Values | undefined {
    return this.#values;
  }

  readonly save = (state: Values): void => {
    const known = withoutUnknown({ ...(this.#values ?? this.planned), ...state } as CtyValue);
    this.#values = known as Values;
  };

  encode(): DynamicValueInit {
    const { planned, prior } = this;
    try {
      return this.#compiled.encode(this.#values, planned ?? prior);
    } catch {
      // The handler has saved a value of the wrong type.
      const left = prior ?? (withoutUnknown((planned ?? null) as CtyValue) as Values);
      return this.#compiled.encode(left);
    }
  }
}
