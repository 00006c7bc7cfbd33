import { keepEquivalent } from "../../plan/modify";
import {
  type Call,
  deadlineOf,
  diagnosed,
  knownState,
  operationContext,
  StoredPrivateState,
} from "./call";
import { deferredBy } from "../provider-error";
import { errorDiagnostic } from "../diagnostic";
import { importedMark, ResourceIdentity } from "./resource-identity";
import { draft } from "../../plan/draft";

/**
 * Reads the current state of a resource. A resource that no longer exists is removed from the
 * state.
 */
export const readResource: Call<"readResource"> = (session, request, context) =>
  diagnosed(async (warnings) => {
    const implementation = session.resource(request.typeName);
    const compiled = session.compiled(implementation.declaration);
    const state = compiled.decode(request.currentState);
    if (state === undefined) return { newState: request.currentState };
    const privateState = new StoredPrivateState(request.private, warnings);
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
        newState: compiled.encode(values, state),
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

/** Reads a data source. Terraform calls it only when the whole configuration is known. */
export const readDataSource: Call<"readDataSource"> = (session, request, callContext) =>
  diagnosed(async (warnings) => {
    const implementation = session.dataSource(request.typeName);
    const compiled = session.compiled(implementation.declaration);
    try {
      const given = compiled.decodeConfig(request.config);
      const config = draft(implementation.declaration, given, undefined);
      const context = session.context(
        { compiled, context: callContext, warnings, meta: request.providerMeta },
        { deadline: deadlineOf(compiled, "read", given) },
      );
      const read = await implementation.read(config, context);
      const { values, diagnostics } = knownState(compiled, read, config);
      return { state: compiled.encode(values, given), diagnostics };
    } catch (error) {
      const deferred = deferredBy(error, request.clientCapabilities);
      if (deferred !== undefined) return { state: compiled.encodeUnknown(), ...deferred };
      return { diagnostics: [errorDiagnostic(error, compiled.type)] };
    }
  });
