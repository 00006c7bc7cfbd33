import { providerMethods } from "../../src/provider-kit/wire/tfplugin6/tfplugin6";
import type { PlanSample } from "./plan-sample";

const { request, response } = providerMethods.planResourceChange;

/** Encodes and decodes the request and the response, as both sides of a connection do. */
export function take({ typeName, prior, config, planned }: PlanSample): number {
  const asked = request.decode(
    request.encode({
      typeName,
      priorState: { msgpack: prior },
      proposedNewState: { msgpack: config },
      config: { msgpack: config },
    }),
  );
  const answered = response.decode(
    response.encode({
      plannedState: { msgpack: planned },
      requiresReplace: [{ steps: [{ attributeName: "network" }] }],
      diagnostics: [{ severity: "WARNING", summary: "Summary", detail: "What there is to say." }],
    }),
  );
  return (
    (asked.config?.msgpack.length ?? 0) +
    (answered.plannedState?.msgpack.length ?? 0) +
    answered.diagnostics.length
  );
}
