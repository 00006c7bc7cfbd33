import { type ConfigOf, ProviderError, UNKNOWN, type Unknown } from "../../provider-kit";
import type { endpoint } from "./declare";
import type { Ids } from "../provider/configure";
import type { EndpointPlan, EndpointState } from "./state";

type Config = ConfigOf<typeof endpoint>;

/** Where an endpoint is, as far as it is known while planning. */
export interface PlannedPlace {
  readonly project: string | Unknown;
  readonly location: string | Unknown;
  /** The part that the provider's settings decided. */
  readonly decided: { readonly project?: string | Unknown; readonly location?: string | Unknown };
}

/**
 * The project and the location of an endpoint: its own, else the state's, else the provider's.
 *
 * The state goes before the provider's settings, because changing those moves no endpoint.
 */
export function planPlace(config: Config, drafted: Config, ids: Ids): PlannedPlace {
  const decided: { project?: string | Unknown; location?: string | Unknown } = {};
  for (const name of ["project", "location"] as const) {
    const isGiven = config[name] !== null;
    const isInState = typeof drafted[name] === "string";
    if (!isGiven && !isInState) decided[name] = ids[name] ?? missing(name);
  }
  const at = { ...drafted, ...decided };
  return { project: at.project ?? UNKNOWN, location: at.location ?? UNKNOWN, decided };
}

function missing(name: "project" | "location"): never {
  const settings = { project: "project", location: "zone (or region)" }[name];
  const variable = { project: "GOOGLE_PROJECT", location: "GOOGLE_ZONE" }[name];
  throw new ProviderError({
    summary: name === "project" ? "Missing Project" : "Missing Location",
    detail:
      `The endpoint has no ${name} and the provider has no ${settings}. Set ${name} on the resource, ` +
      `${settings} on the provider, or the environment variable ${variable}.`,
    path: [name],
  });
}

/** The parts of an endpoint's name, which a state and a plan that is applied have. */
export function knownPlace(values: EndpointPlan | EndpointState) {
  const { project, location, endpointId } = values;
  if (typeof project !== "string" || typeof location !== "string") {
    throw new Error("an endpoint without project and location reached the service");
  }
  return { project, location, endpointId };
}
