import { listOf, objectOf, parsedJson, textOf } from "../terraform/json-value";

/** The agents of a state with their tokens: what the platform knows of those that run. */
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
    .map(({ id, token }) => ({ id: textOf(id), token: textOf(token) }))
    .filter(({ token }) => token !== "");
}
