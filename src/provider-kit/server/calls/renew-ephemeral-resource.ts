import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type {
  providerMethods,
  RenewEphemeralResourceRequest,
} from "../../wire/tfplugin6/tfplugin6";
import { errorDiagnostic } from "../diagnostic";
import { PrivateState } from "../private-state";
import { type Call, diagnosed } from "./call";
import { EphemeralCall } from "./ephemeral-context";

/** Renews an open ephemeral resource, at the time that it asked for. */
export const renewEphemeralResource: Call<
  RenewEphemeralResourceRequest,
  ResponseInitOf<typeof providerMethods.renewEphemeralResource>
> = (session, request, context) =>
  diagnosed(async (warnings) => {
    const { declaration, renew } = session.ephemeralResource(request.typeName);
    const compiled = session.compiled(declaration);
    const privateState = new PrivateState(request.private ?? new Uint8Array());
    try {
      const handlerCall = { session, compiled, context, warnings, privateState };
      const call = new EphemeralCall(handlerCall, renew !== undefined);
      await renew?.(call.context);
      return { private: privateState.toBytes(), ...call.renewal };
    } catch (error) {
      return {
        private: privateState.toBytes(),
        diagnostics: [errorDiagnostic(error, compiled.type)],
      };
    }
  });
