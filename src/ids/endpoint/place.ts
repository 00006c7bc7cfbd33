import {
  type ConfigOf,
  type Context,
  ProviderError,
  UNKNOWN,
  type Unknown,
} from "../../provider-kit";
import type { endpoint } from "./declare";
import type { Ids } from "../provider/configure";
import { idsProvider } from "../provider/declare";
import type { EndpointPlan, EndpointState } from "./state";

type Config = ConfigOf<typeof endpoint>;

/** The project and location of an endpoint, as far as they are known during the plan. */
interface PlannedPlace {
  readonly project: string | Unknown;
  readonly location: string | Unknown;
  /** The values that come from the provider's settings. */
  readonly decided: { readonly project?: string | Unknown; readonly location?: string | Unknown };
}

/**
 * Returns the project and location of an endpoint: from the configuration, else the state, else the
 * provider's settings. The project can also be that of the credentials.
 *
 * The state takes precedence over the provider's settings, because changing those does not move endpoints.
 *
 * @throws ProviderError when no project or location is set, with all places where it can be set
 */
export async function planPlace(
  config: Config,
  drafted: Config,
  context: Pick<Context<Ids>, "client" | "signal">,
): Promise<PlannedPlace> {
  const ids = context.client;
  const decided: { project?: string | Unknown; location?: string | Unknown } = {};
  const isOpen = (name: "project" | "location"): boolean =>
    config[name] === null && typeof drafted[name] !== "string";
  if (isOpen("project")) {
    // The signal of a call is created when it is read, which takes a tenth as long as the rest of a plan.
    decided.project =
      ids.project ??
      (await ids.credentialsProject(context.signal)) ??
      missing("project", ["project"]);
  }
  if (isOpen("location")) {
    decided.location = ids.location ?? missing("location", ["zone", "region"]);
  }
  const at = { ...drafted, ...decided };
  return { project: at.project ?? UNKNOWN, location: at.location ?? UNKNOWN, decided };
}

function missing(
  name: "project" | "location",
  settings: readonly ("project" | "zone" | "region")[],
): never {
  const variables = settings.flatMap((setting) => idsProvider.attributes[setting].env ?? []);
  const extra = name === "project" ? ", and the credentials belong to no project" : "";
  throw new ProviderError({
    summary: name === "project" ? "Missing Project" : "Missing Location",
    detail:
      `The endpoint has no ${name}, the provider has no ${settings.join(" or ")}, none of the environment ` +
      `variables for it is set${extra}. Set ${name} on the endpoint, ${settings.join(" or ")} on the ` +
      `provider, or one of ${variables.join(", ")}.`,
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
