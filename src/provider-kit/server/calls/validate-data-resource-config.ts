import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type {
  providerMethods,
  ValidateDataResourceConfigRequest,
} from "../../wire/tfplugin6/tfplugin6";
import { type Call, diagnosed } from "./call";

/** Runs the rules of a data source on what is known. */
export const validateDataResourceConfig: Call<
  ValidateDataResourceConfigRequest,
  ResponseInitOf<typeof providerMethods.validateDataResourceConfig>
> = (session, request) =>
  diagnosed(() => {
    const compiled = session.compiled(session.dataSource(request.typeName).declaration);
    return { diagnostics: compiled.validate(compiled.decodeConfig(request.config)) };
  });
