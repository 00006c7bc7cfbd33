import { listOf, objectOf, stringOf } from "../terraform/json-value";
import { parsedJson } from "../../../json/plain-json";

/** Returns the IDs and tokens of the agents in a state, which the platform considers running. */
export function runningAgents(
  state: string,
  typePrefix: string,
): readonly { readonly id: string; readonly token: string }[] {
  return listOf(objectOf(parsedJson(state))["resources"])
    .map(objectOf)
    .filter(({ mode, type }) => mode === "managed" && type === `${typePrefix}agent`)
    .flatMap(({ instances }) => listOf(instances).map(objectOf))
    .filter(({ deposed }) => deposed === undefined)
    .map(({ attributes }) => objectOf(attributes))
    .map(({ id, token }) => ({ id: stringOf(id), token: stringOf(token) }))
    .filter(({ token }) => token !== "");
}
