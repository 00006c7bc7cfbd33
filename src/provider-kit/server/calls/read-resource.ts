import { keepEquivalent } from "../../plan/semantic-equality";
import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type { providerMethods, ReadResourceRequest } from "../../wire/tfplugin6/tfplugin6";
import { type Call, diagnosed } from "./call";
import { deferredBy } from "../deferral";
import { errorDiagnostic } from "../diagnostic";
import { operationContext } from "./operation-context";
import { PrivateState } from "../private-state";
import { knownState } from "./known-state";
import { importedMark, ResourceIdentity } from "./resource-identity";

/**
 * Reads the current state of a resource. A resource that no longer exists is removed from the
 * state.
 */
export const readResource: Call<
  ReadResourceRequest,
  ResponseInitOf<typeof providerMethods.readResource>
> = (session, request, context) =>
  diagnosed(async (warnings) => {
    const implementation = session.resource(request.typeName);
    const compiled = session.compiled(implementation.declaration);
    const state = compiled.decode(request.currentState);
    if (state === undefined) return { newState: request.currentState };
    const privateState = new PrivateState(request.private);
    try {
      const { providerMeta: meta } = request;
      const call = { session, compiled, context, warnings, meta, privateState };
      const identities = ResourceIdentity.of(session, implementation, () =>
        session.context(call, {}),
      );
      // A service may have another name for what an import has named.
      const isImported = privateState.delete(importedMark);
      const found = await implementation.read(state, operationContext(call, "read", state));
      const kept = found && keepEquivalent(implementation.declaration, state, found);
      const { values, diagnostics } = knownState(compiled, kept);
      const response = {
        newState: compiled.encode(values),
        private: privateState.toBytes(),
        diagnostics,
      };
      if (identities === undefined || values === undefined) return response;
      const before = isImported ? undefined : identities.decode(request.currentIdentity);
      const { identity, diagnostics: refused } = identities.checked(values, before);
      return { ...response, newIdentity: identity, diagnostics: [...diagnostics, ...refused] };
    } catch (error) {
      const deferred = deferredBy(error, request.clientCapabilities);
      if (deferred !== undefined) {
        return { newState: request.currentState, private: request.private, ...deferred };
      }
      return { diagnostics: [errorDiagnostic(error, compiled.type)] };
    }
  });
