import { segment } from "../client/rest-call";
import {
  type ConfigOf,
  type Context,
  type PlanOf,
  ProviderError,
  type StateOf,
  UNKNOWN,
  type Unknown,
} from "../../provider-kit";
import type { Ids } from "../provider/configure";
import { idsProvider } from "../provider/declare";
import type { endpoint } from "./declare";

/** The parts of `projects/P/locations/L/endpoints/E`. */
interface EndpointName {
  readonly project: string;
  readonly location: string;
  readonly endpointId: string;
}

const namePattern = new RegExp(
  `^projects/(${segment})/locations/(${segment})/endpoints/(${segment})$`,
);
const parentPattern = new RegExp(`^projects/${segment}/locations/${segment}$`);

/** Formats a parent name as `projects/P/locations/L`. */
export function formatParent(name: {
  readonly project: string;
  readonly location: string;
}): string {
  return `projects/${name.project}/locations/${name.location}`;
}

/** Checks whether a string has the form `projects/P/locations/L`. */
export function isParent(name: string): boolean {
  return parentPattern.test(name);
}

/** Checks whether a string has that form, or `projects/P/locations/-` for all locations. */
export function isListParent(name: string): boolean {
  return isParent(name.replace(/\/-$/, "/all"));
}

/** Formats a name as `projects/P/locations/L/endpoints/E`. */
export function formatEndpointName(name: EndpointName): string {
  return `${formatParent(name)}/endpoints/${name.endpointId}`;
}

/** Parses a full name; undefined for anything else. */
export function parseEndpointName(value: string): EndpointName | undefined {
  const [, project, location, endpointId] = namePattern.exec(value) ?? [];
  if (project === undefined || location === undefined || endpointId === undefined) return undefined;
  return { project, location, endpointId };
}

/** Checks whether a string has the form `projects/P/locations/L/endpoints/E`. */
export function isEndpointName(value: string): boolean {
  return parseEndpointName(value) !== undefined;
}

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
export function knownPlace(values: PlanOf<typeof endpoint> | StateOf<typeof endpoint>) {
  const { project, location, endpointId } = values;
  if (typeof project !== "string" || typeof location !== "string") {
    throw new Error("an endpoint without project and location reached the service");
  }
  return { project, location, endpointId };
}
