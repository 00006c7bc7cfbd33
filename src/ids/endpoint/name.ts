import { formatParent, segment } from "../client/resource-name";

/** The parts of `projects/P/locations/L/endpoints/E`. */
export interface EndpointName {
  readonly project: string;
  readonly location: string;
  readonly endpointId: string;
}

const namePattern = new RegExp(
  `^projects/(${segment})/locations/(${segment})/endpoints/(${segment})$`,
);
/** `projects/P/locations/L/endpoints/E` */
export function formatEndpointName(name: EndpointName): string {
  return `${formatParent(name)}/endpoints/${name.endpointId}`;
}

/** Undefined for anything that is not a full name. */
export function parseEndpointName(text: string): EndpointName | undefined {
  const [, project, location, endpointId] = namePattern.exec(text) ?? [];
  if (project === undefined || location === undefined || endpointId === undefined) return undefined;
  return { project, location, endpointId };
}

/** Whether a text is `projects/P/locations/L/endpoints/E`. */
export function isEndpointName(text: string): boolean {
  return parseEndpointName(text) !== undefined;
}

/**
 * Whether two texts name one network: the part from `projects/` decides, so a full URL equals the
 * relative name. Texts without that part are compared as they stand.
 */
export function sameNetwork(a: string, b: string): boolean {
  return relativeNetwork(a) === relativeNetwork(b);
}

function relativeNetwork(text: string): string {
  return /(?:^|\/)(projects\/.*)$/.exec(text)?.[1] ?? text;
}
