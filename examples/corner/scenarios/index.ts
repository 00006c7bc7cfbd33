import { dataSources } from "./data-sources";
import { functions } from "./functions";
import { others } from "./newer";
import type { Scenario } from "./scenario";
import { moves, users, writeOnly } from "./states";
import { ephemeralTypes, storedTypes } from "./types";
import { computedValues, numbers, values } from "./values";

export type { Need, Scenario, Step } from "./scenario";

/** All scenarios, by group. */
export const groups: Readonly<Record<string, readonly Scenario[]>> = {
  "Each type in a resource": storedTypes,
  "Each type in an ephemeral resource": ephemeralTypes,
  Functions: functions,
  "Numbers with more digits than the service has": numbers,
  "Values with a form": values,
  "Computed values": computedValues,
  "Write-only values": writeOnly,
  "A service in memory": users,
  "Moves and identities": moves,
  "Data sources, and a provider that breaks the protocol": dataSources,
  "Ephemeral resources, deferrals, actions, lists, state stores": others,
};
