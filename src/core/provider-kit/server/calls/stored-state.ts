import type { Declaration } from "../../../schema/declaration";
import type { RequestOf, ResponseInitOf } from "../../wire/tfplugin6/tfplugin6";
import { Compiled } from "../compiled";
import { errorDiagnostic } from "../diagnostic";
import type { ResourceImplementation } from "../implementation";
import { ProviderError } from "../provider-error";
import type { Session } from "../session";
import { type Call, diagnosed, knownState, StoredPrivateState } from "./call";
import type { StateMove } from "../state-upgrade";
import { ResourceIdentity } from "./resource-identity";
import { isRecord, parseTrustedJson } from "../../../json/plain-json";
import type { Values } from "../../../schema/resource-rule";
import { CtyError } from "../../cty/type";
import type { RawState } from "../../wire/tfplugin6/tfplugin6-value";

type Response = ResponseInitOf<"upgradeResourceState">;

/**
 * Accepts a stored state, and converts one of an earlier schema version.
 *
 * A state of the same schema version is returned unchanged. Decoding it to JavaScript numbers could
 * change a large number, and cause permanent drift.
 */
export const upgradeResourceState: Call<"upgradeResourceState"> = (session, request) =>
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
  const stored = { type: declaration.type, version, json, declaration: earlier };
  const state = storedState({ ...stored, isOwn: true });
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
        ? "Use the provider version that wrote the state, or a later one."
        : "Apply once with a provider version in between, which converts the state."),
  });
}

/**
 * Converts a stored identity of an earlier version. Without a conversion, the identity is dropped, and the
 * next read provides a new one.
 */
export const upgradeResourceIdentity: Call<"upgradeResourceIdentity"> = (
  session,
  { typeName, version, rawIdentity },
) =>
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

/** Converts the state of another resource type, possibly of another provider, for a `moved` block. */
export const moveResourceState: Call<"moveResourceState"> = (session, request, context) =>
  diagnosed(async (warnings) => {
    const implementation = session.resource(request.targetTypeName);
    const { declaration, moves = [] } = implementation;
    const { sourceTypeName: type, sourceSchemaVersion: version, sourcePrivate } = request;
    const move = moves.find((each) => isFrom(each, request));
    if (move === undefined) throw noMove(request, moves);
    const source = move.declaration && new Compiled(move.declaration, session.secrets);
    const json = jsonOf(type, request.sourceState);
    const state = storedState({ type, version, json, declaration: source });
    const compiled = session.compiled(declaration);
    try {
      const converted = await move.convert(state, {
        identity: sourceIdentity(session, request, move.declaration),
        privateState: new StoredPrivateState(sourcePrivate),
      });
      const { values, diagnostics } = knownState(compiled, converted);
      const identities = ResourceIdentity.of(session, implementation, () =>
        session.context({ compiled, context, warnings }, {}),
      );
      // The next read provides an identity that is not known yet.
      const identity = values && identities?.ofSaved(values);
      return {
        targetState: compiled.encode(values),
        ...(identity && { targetIdentity: identities?.encode(identity) }),
        targetPrivate: move.keepPrivateState === true ? sourcePrivate : new Uint8Array(),
        diagnostics,
      };
    } catch (error) {
      return { diagnostics: [errorDiagnostic(error, compiled.type)] };
    }
  });

/** Decodes the identity of the other resource by the declaration of its state, or as plain JSON if there is no declaration. */
function sourceIdentity<Client>(
  session: Session<Client>,
  {
    sourceTypeName,
    sourceIdentity: raw,
    sourceIdentitySchemaVersion,
  }: RequestOf<"moveResourceState">,
  source: Declaration | undefined,
): Values | undefined {
  const { json = new Uint8Array() } = raw ?? {};
  if (json.length === 0 || (source !== undefined && source.identity === undefined))
    return undefined;
  return storedState({
    type: `the identity of ${sourceTypeName}`,
    version: sourceIdentitySchemaVersion,
    json,
    declaration: source?.identity && session.compiled(source.identity),
  });
}

const isFrom = (
  { type, version, provider }: StateMove<unknown>,
  request: RequestOf<"moveResourceState">,
): boolean =>
  type === request.sourceTypeName &&
  (version === undefined || version === request.sourceSchemaVersion) &&
  (provider === undefined || provider === request.sourceProviderAddress);

function noMove(
  request: RequestOf<"moveResourceState">,
  moves: readonly StateMove<unknown>[],
): ProviderError {
  const { sourceTypeName, sourceSchemaVersion, sourceProviderAddress, targetTypeName } = request;
  const known = moves.map(({ type, version, provider }) =>
    [
      `  ${type}`,
      ...(version === undefined ? [] : [`with schema version ${version}`]),
      ...(provider === undefined ? [] : [`of ${provider}`]),
    ].join(" "),
  );
  const possible =
    known.length === 0
      ? "It supports no moves from other types."
      : `It supports moves from:\n${known.join("\n")}`;
  return new ProviderError({
    summary: "Move Not Supported",
    detail:
      `A ${sourceTypeName} of ${sourceProviderAddress} with schema version ${sourceSchemaVersion} ` +
      `cannot be moved to a ${targetTypeName}. ${possible}${adviceFor(request, moves)}`,
  });
}

/** Returns what to do about a resource of a known type; an empty string for any other. */
function adviceFor(
  { sourceTypeName, sourceProviderAddress: address }: RequestOf<"moveResourceState">,
  moves: readonly StateMove<unknown>[],
): string {
  const same = moves.filter(({ type }) => type === sourceTypeName);
  const providers = same.map(({ provider }) => provider);
  if (providers.length === 0) return "";
  if (providers.includes(undefined) || providers.includes(address)) {
    return "\nApply once with a version of that provider that writes one of these schema versions, then move the resource.";
  }
  const [host = ""] = address.split("/");
  const target = providers.find((each) => each?.startsWith(host)) ?? providers[0] ?? "";
  const tool = host === "registry.opentofu.org" ? "tofu" : "terraform";
  return `\nIf it is a mirror of that provider, replace the provider in the state first: ${tool} state replace-provider ${address} ${target}`;
}

interface StoredState {
  /** For messages. */
  readonly type: string;
  readonly version: number;
  readonly json: Uint8Array;
  /** Undefined for plain JSON. */
  readonly declaration: Compiled | undefined;
  /** True for a state of the same resource, which can contain removed attributes. */
  readonly isOwn?: boolean;
}

/**
 * Returns the JSON of a stored state.
 *
 * @throws ProviderError for the format of Terraform before 0.12
 */
function jsonOf(type: string, rawState: RawState | undefined): Uint8Array {
  if (rawState !== undefined && rawState.json.length > 0) return rawState.json;
  throw new ProviderError({
    summary: "State From Old Terraform Version",
    detail:
      `The state of ${type} has the format of Terraform before 0.12. ` +
      "Apply once with Terraform 0.12, which converts the state.",
  });
}

/**
 * Decodes a stored state by its declaration, or as plain JSON.
 *
 * @throws ProviderError when the state has another structure
 */
function storedState({ type, version, json, declaration, isOwn }: StoredState): Values {
  const unreadable = (reason: string): ProviderError =>
    new ProviderError({
      summary: "Unreadable State",
      detail:
        `The state of ${type} does not match its schema version ${version}: ${reason}. ` +
        "If it was edited by hand, restore a backup.",
    });
  try {
    const state = decoded(json, declaration, isOwn === true);
    if (isRecord(state)) return state;
  } catch (error) {
    // The parser's message quotes the text, which may contain secrets.
    throw unreadable(error instanceof CtyError ? error.message : "it is not JSON");
  }
  throw unreadable("it is not an object");
}

function decoded(json: Uint8Array, declaration: Compiled | undefined, isOwn: boolean): unknown {
  if (declaration === undefined) {
    return parseTrustedJson(new TextDecoder("utf-8", { fatal: true }).decode(json));
  }
  return isOwn
    ? declaration.decodeStored(json)
    : declaration.decode({ msgpack: new Uint8Array(), json });
}
