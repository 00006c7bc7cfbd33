import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type {
  providerMethods,
  UpgradeResourceIdentityRequest,
} from "../../wire/tfplugin6/tfplugin6";
import { Compiled } from "../compiled";
import { errorDiagnostic } from "../diagnostic";
import { type Call, diagnosed } from "./call";
import { knownState } from "./known-state";
import { storedState } from "./stored-state";

/**
 * Converts a stored identity of an earlier version. Without a conversion, the identity is forgotten, and the
 * next read provides it.
 */
export const upgradeResourceIdentity: Call<
  UpgradeResourceIdentityRequest,
  ResponseInitOf<typeof providerMethods.upgradeResourceIdentity>
> = (session, { typeName, version, rawIdentity }) =>
  diagnosed(async () => {
    const { declaration, identityUpgrades = [] } = session.resource(typeName);
    const json = rawIdentity?.json ?? new Uint8Array();
    // A state from before there was an identity has version 0 and no identity.
    if (declaration.identity === undefined || json.length === 0) return {};
    const compiled = session.compiled(declaration.identity);
    const isCurrent = version === declaration.identity.version;
    const upgrade = identityUpgrades.find((each) => each.version === version);
    if (!isCurrent && upgrade === undefined) return {};
    const earlier = upgrade?.declaration && new Compiled(upgrade.declaration);
    const stored = storedState({
      type: `the identity of ${typeName}`,
      version,
      json,
      declaration: isCurrent ? compiled : earlier,
    });
    try {
      const identity = upgrade === undefined ? stored : await upgrade.convert(stored);
      const { values, diagnostics } = knownState(compiled, identity);
      return { upgradedIdentity: { identityData: compiled.encode(values) }, diagnostics };
    } catch (error) {
      return { diagnostics: [errorDiagnostic(error, compiled.type)] };
    }
  });
