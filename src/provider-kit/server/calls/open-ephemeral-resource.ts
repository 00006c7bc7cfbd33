import { draft } from "../../plan/draft";
import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type { OpenEphemeralResourceRequest, providerMethods } from "../../wire/tfplugin6/tfplugin6";
import { deferredBy } from "../deferral";
import { errorDiagnostic } from "../diagnostic";
import { PrivateState } from "../private-state";
import { type Call, diagnosed } from "./call";
import { EphemeralCall } from "./ephemeral-context";
import { knownState } from "./known-state";

/** Opens an ephemeral resource. Terraform calls it only when the whole configuration is known. */
export const openEphemeralResource: Call<
  OpenEphemeralResourceRequest,
  ResponseInitOf<typeof providerMethods.openEphemeralResource>
> = (session, request, context) =>
  diagnosed(async (warnings) => {
    const { declaration, open, renew } = session.ephemeralResource(request.typeName);
    const compiled = session.compiled(declaration);
    try {
      const config = draft(declaration, compiled.decodeConfig(request.config), undefined);
      const privateState = new PrivateState(new Uint8Array());
      const handlerCall = { session, compiled, context, warnings, privateState };
      const call = new EphemeralCall(handlerCall, renew !== undefined);
      const opened = await open(config, call.context);
      session.secrets.collect(declaration, opened);
      const { values, diagnostics } = knownState(compiled, opened, config);
      return {
        result: compiled.encode(values),
        private: privateState.toBytes(),
        ...call.renewal,
        diagnostics,
      };
    } catch (error) {
      const deferred = deferredBy(error, request.clientCapabilities);
      if (deferred !== undefined) return { result: compiled.encodeUnknown(), ...deferred };
      return { diagnostics: [errorDiagnostic(error, compiled.type)] };
    }
  });
