/** The parts of `projects/P/locations/L/endpoints/E`. */
export interface EndpointName {
  readonly project: string;
  readonly location: string;
  readonly endpointId: string;
}

// Also legacy projects of a domain ("example.com:web"); nothing that a URL would give a meaning.
const segment = "[A-Za-z0-9](?:[A-Za-z0-9._:~-]*[A-Za-z0-9])?";
const parentPattern = new RegExp(`^projects/${segment}/locations/${segment}$`);
const namePattern = new RegExp(
  `^projects/(${segment})/locations/(${segment})/endpoints/(${segment})$`,
);
const operationPattern = new RegExp(
  `^projects/${segment}/locations/${segment}/operations/[A-Za-z0-9][A-Za-z0-9._:~-]*$`,
);

/** `projects/P/locations/L/endpoints/E` */
export function formatEndpointName(name: EndpointName): string {
  return `${formatParent(name)}/endpoints/${name.endpointId}`;
}

/** `projects/P/locations/L` */
export function formatParent(name: Pick<EndpointName, "project" | "location">): string {
  return `projects/${name.project}/locations/${name.location}`;
}

/** Undefined for anything that is not a full name. */
export function parseEndpointName(text: string): EndpointName | undefined {
  const [, project, location, endpointId] = namePattern.exec(text) ?? [];
  if (project === undefined || location === undefined || endpointId === undefined) return undefined;
  return { project, location, endpointId };
}

export function isParent(text: string): boolean {
  return parentPattern.test(text);
}

/** Guards a name that the server sent before it becomes part of a URL. */
export function isOperationName(text: string): boolean {
  return text.length <= 1024 && operationPattern.test(text);
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
