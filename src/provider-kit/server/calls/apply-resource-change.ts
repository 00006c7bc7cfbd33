import type { Values } from "../../../schema/resource-rule";
import type { CtyValue } from "../../cty/value";
import { withoutUnknown } from "../../plan/conformity";
import { keepEquivalent } from "../../plan/modify";
import { type Call, changeContext, diagnosed, knownState, operationContext } from "./call";
import { errorDiagnostic } from "../diagnostic";
import { PrivateState } from "../context";
import { ResourceIdentity } from "./resource-identity";
import type { DynamicValueInit } from "../../wire/tfplugin6/tfplugin6-value";

/** Creates, updates or deletes one resource. */
export const applyResourceChange: Call<"applyResourceChange"> = (session, request, callContext) =>
  diagnosed(async (warnings) => {
    const implementation = session.resource(request.typeName);
    const compiled = session.compiled(implementation.declaration);
    const prior = compiled.decode(request.priorState);
    const planned = compiled.decode(request.plannedState);
    const privateState = new PrivateState(request.plannedPrivate);
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
        newState: compiled.encode(values),
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
        return compiled.encode(saved);
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
      const config = () => compiled.decodeConfig(request.config);
      const operation = prior === undefined ? "create" : "update";
      const context = changeContext(call, operation, planned, config, save);
      return prior === undefined
        ? await implementation.create(planned, context)
        : await implementation.update(planned, prior, context);
    }
  });
