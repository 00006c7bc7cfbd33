import { type Call, diagnosed } from "./call";
import { Deferral, deferredBy } from "../provider-error";
import { errorDiagnostic } from "../diagnostic";

/** Passes the settings to the provider's `configure`. */
export const configureProvider: Call<"configureProvider"> = (session, request, call) =>
  diagnosed(async () => {
    const { definition, env, log } = session;
    const compiled = session.compiled(definition.declaration);
    const config = compiled.decodeConfig(request.config);
    try {
      const client = await definition.configure(config, {
        env,
        log,
        terraformVersion: request.terraformVersion,
        signal: session.signal(call.signal),
      });
      session.configured(client);
      return {};
    } catch (error) {
      if (error instanceof Deferral && deferredBy(error, request.clientCapabilities)) {
        session.defer(error);
        return {};
      }
      return { diagnostics: [errorDiagnostic(error, compiled.type)] };
    }
  });
