import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type {
  providerMethods,
  ValidateResourceConfigRequest,
} from "../../wire/tfplugin6/tfplugin6";
import { type Call, diagnosed } from "./call";

/** Runs the rules of a resource on what is known; Terraform calls it before every plan too. */
export const validateResourceConfig: Call<
  ValidateResourceConfigRequest,
  ResponseInitOf<typeof providerMethods.validateResourceConfig>
> = (session, request) =>
  diagnosed(() => {
    const compiled = session.compiled(session.resource(request.typeName).declaration);
    return { diagnostics: compiled.validate(compiled.decodeConfig(request.config)) };
  });
