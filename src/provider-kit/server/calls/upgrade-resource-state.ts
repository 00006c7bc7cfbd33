import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type { providerMethods, UpgradeResourceStateRequest } from "../../wire/tfplugin6/tfplugin6";
import { type Call, diagnosed } from "./call";
import { ProviderError } from "../provider-error";

/**
 * Accepts a stored state.
 *
 * A state of the same schema version is returned unchanged. Decoding it to JavaScript numbers could
 * change a large number, and cause permanent drift.
 */
export const upgradeResourceState: Call<
  UpgradeResourceStateRequest,
  ResponseInitOf<typeof providerMethods.upgradeResourceState>
> = (session, request) =>
  diagnosed(() => {
    const { declaration } = session.resource(request.typeName);
    const { rawState, version } = request;
    if (rawState === undefined || rawState.json.length === 0) {
      throw new ProviderError({
        summary: "State From An Old Terraform",
        detail:
          `The state of ${declaration.type} has the format of Terraform before 0.12. ` +
          "Apply it once with Terraform 0.12, which converts it.",
      });
    }
    if (version !== declaration.version) {
      throw new ProviderError({
        summary: "State From Another Provider Version",
        detail:
          `The state of ${declaration.type} has schema version ${version}, but this provider supports ` +
          `version ${declaration.version}. Use the provider version that wrote the state, or a newer one.`,
      });
    }
    return { upgradedState: { json: rawState.json } };
  });
