import { isRecord } from "../../../json/is-object";
import type { Declaration } from "../../../schema/declaration";
import { CtyError } from "../../cty/error";
import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type { providerMethods, UpgradeResourceStateRequest } from "../../wire/tfplugin6/tfplugin6";
import { Compiled } from "../compiled";
import { errorDiagnostic } from "../diagnostic";
import type { ResourceImplementation } from "../implementation";
import { ProviderError } from "../provider-error";
import type { Session } from "../session";
import { type Call, diagnosed } from "./call";
import { knownState } from "./known-state";

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
    if (rawState === undefined || rawState.json.length === 0) {
      throw new ProviderError({
        summary: "State From An Old Terraform",
        detail:
          `The state of ${declaration.type} has the format of Terraform before 0.12. ` +
          "Apply it once with Terraform 0.12, which converts it.",
      });
    }
    const { json } = rawState;
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
  const state = decoded(declaration, version, json, earlier);
  const compiled = session.compiled(declaration);
  try {
    const { values, diagnostics } = knownState(compiled, await upgrade.convert(state));
    return { upgradedState: compiled.encode(values), diagnostics };
  } catch (error) {
    return { diagnostics: [errorDiagnostic(error, compiled.type)] };
  }
}

/** The stored state: by its earlier declaration, or else as plain JSON. */
function decoded(
  { type }: Declaration,
  version: number,
  json: Uint8Array,
  earlier: Compiled | undefined,
): unknown {
  const unreadable = (reason: string): ProviderError =>
    new ProviderError({
      summary: "Unreadable State",
      detail:
        `The state of ${type} does not have the form of its schema version ${version}: ${reason}. ` +
        "If it was edited by hand, restore a backup.",
    });
  try {
    const state: unknown =
      earlier === undefined
        ? JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json))
        : earlier.decode({ msgpack: new Uint8Array(), json });
    if (isRecord(state)) return state;
  } catch (error) {
    // The message of JSON.parse quotes the text, which may contain secrets.
    throw unreadable(error instanceof CtyError ? error.message : "it is not JSON");
  }
  throw unreadable("it is not an object");
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
