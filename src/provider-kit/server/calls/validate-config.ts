import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type {
  providerMethods,
  ValidateProviderConfigRequest,
  ValidateResourceConfigRequest,
  ValidateDataResourceConfigRequest,
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

/** Runs the rules of a resource on what is known; Terraform calls it before every plan too. */
export const validateResourceConfig: Call<
  ValidateResourceConfigRequest,
  ResponseInitOf<typeof providerMethods.validateResourceConfig>
> = (session, request) =>
  diagnosed(() => {
    const compiled = session.compiled(session.resource(request.typeName).declaration);
    return { diagnostics: compiled.validate(compiled.decodeConfig(request.config)) };
  });

/** Runs the rules of a data source on what is known. */
export const validateDataResourceConfig: Call<
  ValidateDataResourceConfigRequest,
  ResponseInitOf<typeof providerMethods.validateDataResourceConfig>
> = (session, request) =>
  diagnosed(() => {
    const compiled = session.compiled(session.dataSource(request.typeName).declaration);
    return { diagnostics: compiled.validate(compiled.decodeConfig(request.config)) };
  });
