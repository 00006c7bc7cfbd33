import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type {
  CloseEphemeralResourceRequest,
  providerMethods,
} from "../../wire/tfplugin6/tfplugin6";
import { errorDiagnostic } from "../diagnostic";
import { PrivateState } from "../private-state";
import { type Call, diagnosed } from "./call";
import { resourceContext } from "./operation-context";

/** Closes an ephemeral resource that was opened. */
export const closeEphemeralResource: Call<
  CloseEphemeralResourceRequest,
  ResponseInitOf<typeof providerMethods.closeEphemeralResource>
> = (session, request, context) =>
  diagnosed(async (warnings) => {
    const { declaration, close } = session.ephemeralResource(request.typeName);
    const compiled = session.compiled(declaration);
    try {
      const privateState = new PrivateState(request.private ?? new Uint8Array());
      await close?.(resourceContext({ session, compiled, context, warnings, privateState }));
      return {};
    } catch (error) {
      return { diagnostics: [errorDiagnostic(error, compiled.type)] };
    }
  });
