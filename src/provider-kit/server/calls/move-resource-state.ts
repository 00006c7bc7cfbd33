import type { ResponseInitOf } from "../../wire/tfplugin6/method";
import type { MoveResourceStateRequest, providerMethods } from "../../wire/tfplugin6/tfplugin6";
import { Compiled } from "../compiled";
import { errorDiagnostic } from "../diagnostic";
import { ProviderError } from "../provider-error";
import type { StateMove } from "../state-move";
import { type Call, diagnosed } from "./call";
import { knownState } from "./known-state";
import { ResourceIdentity } from "./resource-identity";
import { jsonOf, storedState } from "./stored-state";

/** Converts the state of another resource type, possibly of another provider, for a `moved` block. */
export const moveResourceState: Call<
  MoveResourceStateRequest,
  ResponseInitOf<typeof providerMethods.moveResourceState>
> = (session, request, context) =>
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
      const { values, diagnostics } = knownState(compiled, await move.convert(state));
      const identities = ResourceIdentity.of(session, implementation, () =>
        session.context({ compiled, context, warnings }, {}),
      );
      // What is not known yet follows with the next read.
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

const isFrom = (
  { type, version, provider }: StateMove<unknown>,
  request: MoveResourceStateRequest,
): boolean =>
  type === request.sourceTypeName &&
  (version === undefined || version === request.sourceSchemaVersion) &&
  (provider === undefined || provider === request.sourceProviderAddress);

function noMove(
  request: MoveResourceStateRequest,
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
    known.length === 0 ? "Nothing can become one." : `It can be made of:\n${known.join("\n")}`;
  return new ProviderError({
    summary: "Move Not Supported",
    detail:
      `A ${sourceTypeName} of ${sourceProviderAddress}, with schema version ${sourceSchemaVersion}, ` +
      `cannot become a ${targetTypeName}. ${possible}`,
  });
}
