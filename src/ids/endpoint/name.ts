import { formatParent, segment } from "../client/resource-name";

/** The parts of `projects/P/locations/L/endpoints/E`. */
interface EndpointName {
  readonly project: string;
  readonly location: string;
  readonly endpointId: string;
}

const namePattern = new RegExp(
  `^projects/(${segment})/locations/(${segment})/endpoints/(${segment})$`,
);
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

/**
 * Checks whether two strings name the same network. Only the part from `projects/` is compared, so a full URL
 * equals the relative name. Strings without that part must be identical.
 */
export function sameNetwork(a: string, b: string): boolean {
  return relativeNetwork(a) === relativeNetwork(b);
}

function relativeNetwork(value: string): string {
  return /(?:^|\/)(projects\/.*)$/.exec(value)?.[1] ?? value;
}
