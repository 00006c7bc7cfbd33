import { type ConfigOf, ProviderError, UNKNOWN, type Unknown } from "../../provider-kit";
import type { endpoint } from "./declare";
import type { Ids } from "../provider/configure";
import type { EndpointPlan, EndpointState } from "./state";

type Config = ConfigOf<typeof endpoint>;

/** The project and location of an endpoint, as far as they are known during the plan. */
export interface PlannedPlace {
  readonly project: string | Unknown;
  readonly location: string | Unknown;
  /** The values that come from the provider's settings. */
  readonly decided: { readonly project?: string | Unknown; readonly location?: string | Unknown };
}

/**
 * Returns the project and location of an endpoint: from the configuration, else the state, else the
 * provider.
 *
 * The state takes precedence over the provider's settings, because changing those does not move
 * endpoints.
 */
export function planPlace(config: Config, drafted: Config, ids: Ids): PlannedPlace {
  const decided: { project?: string | Unknown; location?: string | Unknown } = {};
  for (const name of ["project", "location"] as const) {
    const isConfigured = config[name] !== null;
    const isInState = typeof drafted[name] === "string";
    if (!isConfigured && !isInState) decided[name] = ids[name] ?? missing(name);
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

/**
 * Returns the parts of an endpoint's name. They are known in a state, and in a plan that is being
 * applied.
 */
export function knownPlace(values: EndpointPlan | EndpointState) {
  const { project, location, endpointId } = values;
  if (typeof project !== "string" || typeof location !== "string") {
    throw new Error("an endpoint without project and location reached the service");
  }
  return { project, location, endpointId };
}
