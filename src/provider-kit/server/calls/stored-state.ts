import { isRecord } from "../../../json/is-object";
import type { Values } from "../../../schema/resource-rule";
import { CtyError } from "../../cty/error";
import type { RawState } from "../../wire/tfplugin6/tfplugin6";
import type { Compiled } from "../compiled";
import { ProviderError } from "../provider-error";

/** A state as Terraform has stored it. */
export interface StoredState {
  /** The type of the resource that it is of. */
  readonly type: string;
  readonly version: number;
  readonly json: Uint8Array;
  /** How it is decoded; undefined for plain JSON. */
  readonly declaration: Compiled | undefined;
}

/**
 * The JSON of a stored state.
 *
 * @throws ProviderError for the format of Terraform before 0.12
 */
export function jsonOf(type: string, rawState: RawState | undefined): Uint8Array {
  if (rawState !== undefined && rawState.json.length > 0) return rawState.json;
  throw new ProviderError({
    summary: "State From An Old Terraform",
    detail:
      `The state of ${type} has the format of Terraform before 0.12. ` +
      "Apply it once with Terraform 0.12, which converts it.",
  });
}

/**
 * Decodes a stored state: by its declaration, or else as plain JSON.
 *
 * @throws ProviderError when it has another form
 */
export function storedState({ type, version, json, declaration }: StoredState): Values {
  const unreadable = (reason: string): ProviderError =>
    new ProviderError({
      summary: "Unreadable State",
      detail:
        `The state of ${type} does not have the form of its schema version ${version}: ${reason}. ` +
        "If it was edited by hand, restore a backup.",
    });
  try {
    const state: unknown =
      declaration === undefined
        ? JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(json))
        : declaration.decode({ msgpack: new Uint8Array(), json });
    if (isRecord(state)) return state;
  } catch (error) {
    // The message of JSON.parse quotes the text, which may contain secrets.
    throw unreadable(error instanceof CtyError ? error.message : "it is not JSON");
  }
  throw unreadable("it is not an object");
}
