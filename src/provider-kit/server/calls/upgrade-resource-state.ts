import type { Declaration } from "../../../schema/declaration";
import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type { providerMethods, UpgradeResourceStateRequest } from "../../wire/tfplugin6/tfplugin6";
import { Compiled } from "../compiled";
import { errorDiagnostic } from "../diagnostic";
import type { ResourceImplementation } from "../implementation";
import { ProviderError } from "../provider-error";
import type { Session } from "../session";
import { type Call, diagnosed } from "./call";
import { knownState } from "./known-state";
import { jsonOf, storedState } from "./stored-state";

type Response = ResponseInitOf<typeof providerMethods.upgradeResourceState>;

/**
 * Accepts a stored state, and converts one of an earlier schema version.
 *
 * A state of the same schema version is returned unchanged. Decoding it to JavaScript numbers could
 * change a large number, and cause permanent drift.
 */
export const upgradeResourceState: Call<UpgradeResourceStateRequest, Response> = (
  session,
  request,
) =>
  diagnosed<Response>(() => {
    const implementation = session.resource(request.typeName);
    const { declaration } = implementation;
    const { rawState, version } = request;
    const json = jsonOf(declaration.type, rawState);
    if (version === declaration.version) return { upgradedState: { json } };
    return upgraded(session, implementation, version, json);
  });

async function upgraded<Client>(
  session: Session<Client>,
  { declaration, upgrades = [] }: ResourceImplementation<Client>,
  version: number,
  json: Uint8Array,
): Promise<Response> {
  const upgrade = upgrades.find((each) => each.version === version);
  if (upgrade === undefined) throw noUpgrade(declaration, version);
  const earlier = upgrade.declaration && new Compiled(upgrade.declaration, session.secrets);
  const state = storedState({ type: declaration.type, version, json, declaration: earlier });
  const compiled = session.compiled(declaration);
  try {
    const { values, diagnostics } = knownState(compiled, await upgrade.convert(state));
    return { upgradedState: compiled.encode(values), diagnostics };
  } catch (error) {
    return { diagnostics: [errorDiagnostic(error, compiled.type)] };
  }
}

function noUpgrade({ type, version: current }: Declaration, version: number): ProviderError {
  return new ProviderError({
    summary: "State From Another Provider Version",
    detail:
      `The state of ${type} has schema version ${version}, but this provider supports ` +
      `version ${current}. ` +
      (version > current
        ? "Use the provider version that wrote the state, or a newer one."
        : "Apply once with a provider version in between, which converts the state."),
  });
}
