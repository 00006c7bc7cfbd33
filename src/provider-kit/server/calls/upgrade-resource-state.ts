import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type { providerMethods, UpgradeResourceStateRequest } from "../../wire/tfplugin6/tfplugin6";
import { type Call, diagnosed } from "./call";
import { ProviderError } from "../provider-error";

/**
 * Takes a stored state over.
 *
 * A state of the same schema version goes back as it came: through JavaScript's numbers a large one
 * would come back changed, and drift for ever.
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
        summary: "State Of An Old Terraform",
        detail:
          `The state of ${declaration.type} has the form of Terraform before 0.12. ` +
          "Apply it once with Terraform 0.12, which converts it.",
      });
    }
    if (version !== declaration.version) {
      throw new ProviderError({
        summary: "State Of Another Provider Version",
        detail:
          `The state of ${declaration.type} has schema version ${version}, this provider knows ` +
          `version ${declaration.version}. Use the provider version that wrote the state, or a newer one.`,
      });
    }
    return { upgradedState: { json: rawState.json } };
  });
