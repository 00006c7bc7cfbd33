import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type {
  providerMethods,
  ValidateProviderConfigRequest,
} from "../../wire/tfplugin6/tfplugin6";
import { type Call, diagnosed } from "./call";

/** Runs the rules of the provider's settings. */
export const validateProviderConfig: Call<
  ValidateProviderConfigRequest,
  ResponseInitOf<typeof providerMethods.validateProviderConfig>
> = (session, request) =>
  diagnosed(() => {
    const compiled = session.compiled(session.definition.declaration);
    return { diagnostics: compiled.validate(compiled.decodeConfig(request.config)) };
  });
