import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type { providerMethods, ReadDataSourceRequest } from "../../wire/tfplugin6/tfplugin6";
import { draft } from "../../plan/draft";
import { type Call, diagnosed } from "./call";
import { deferredBy } from "../deferral";
import { errorDiagnostic } from "../diagnostic";
import { knownState } from "./known-state";

/** Reads a data source. Terraform calls it only when the whole configuration is known. */
export const readDataSource: Call<
  ReadDataSourceRequest,
  ResponseInitOf<typeof providerMethods.readDataSource>
> = (session, request, callContext) =>
  diagnosed(async (warnings) => {
    const implementation = session.dataSource(request.typeName);
    const compiled = session.compiled(implementation.declaration);
    try {
      const config = draft(
        implementation.declaration,
        compiled.decodeConfig(request.config),
        undefined,
      );
      const context = session.context(
        { compiled, context: callContext, warnings, meta: request.providerMeta },
        {},
      );
      const read = await implementation.read(config, context);
      const { values, diagnostics } = knownState(compiled, read, config);
      return { state: compiled.encode(values), diagnostics };
    } catch (error) {
      const deferred = deferredBy(error, request.clientCapabilities);
      if (deferred !== undefined) return { state: compiled.encodeUnknown(), ...deferred };
      return { diagnostics: [errorDiagnostic(error, compiled.type)] };
    }
  });
