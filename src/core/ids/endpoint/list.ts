import {
  implementListResource,
  type ListContext,
  ProviderError,
  type ListedResource,
} from "../../provider-kit";
import { listResource, optional, stringRule, t } from "../../schema";
import { malformedAnswer } from "../client/api-error";
import type { Ids } from "../provider/configure";
import { endpointClient, type EndpointResource } from "./client";
import { endpoint, nameSegmentRule } from "./declare";
import { parseEndpointName } from "./name";
import { serviceError } from "./service-error";
import { type EndpointState, foundState } from "./state";

/** Stands for all locations of a project in names. */
const everyLocation = "-";

/** The time for one page, in milliseconds, with all attempts. */
const pageMs = 5 * 60 * 1000;

const filter = stringRule([[/^[^]{1,2000}$/, "must have 1 to 2000 characters"]]);

/** The endpoints that exist, for `terraform query`. */
export const endpointList = listResource(endpoint, {
  doc: "The endpoints of a project that exist, to import them.",
  attributes: {
    project: optional(t.string(nameSegmentRule), {
      doc: "Project of the endpoints. By default, the provider's `project`.",
    }),
    location: optional(t.string(nameSegmentRule), {
      doc: "Location of the endpoints: a zone, such as `us-central1-f`. By default, all locations.",
    }),
    filter: optional(t.string(filter), {
      doc: 'Filter of the service (AIP-160), such as `severity = "HIGH"`. By default, all endpoints.',
    }),
  },
});

export const endpointListHandler = implementListResource(endpointList)<Ids>({
  async *list({ project, location, filter: given }, context) {
    const parent = `projects/${await projectOf(project ?? null, context)}/locations/${location ?? everyLocation}`;
    try {
      for await (const found of endpointsBelow(parent, given ?? "", context)) {
        yield listed(found, context.includeResource);
      }
    } catch (error) {
      throw serviceError(error, { verb: "list", name: `${parent}/endpoints` });
    }
  },
});

async function projectOf(given: string | null, context: ListContext<Ids>): Promise<string> {
  const { client, signal } = context;
  const found = given ?? client.project ?? (await client.credentialsProject(signal));
  if (typeof found === "string") return found;
  throw new ProviderError({
    summary: "Missing Project",
    detail:
      "The list has no project, and the provider and its credentials have none either. Set project in the list, or on " +
      "the provider.",
    path: ["project"],
  });
}

/** Requests each page only when its endpoints are needed. */
async function* endpointsBelow(
  parent: string,
  given: string,
  context: ListContext<Ids>,
): AsyncGenerator<EndpointResource> {
  const client = endpointClient(context.client.api);
  // A set, because a faulty service could also return several tokens in turn.
  const requested = new Set<string>();
  let pageToken = "";
  do {
    requested.add(pageToken);
    const call = { signal: context.signal, deadline: Date.now() + pageMs };
    const page = await client.listEndpoints({ parent, filter: given, pageToken }, call);
    yield* page.endpoints;
    for (const place of page.unreachable) context.warn(unreachable(place));
    if (page.nextPageToken !== "" && requested.has(page.nextPageToken)) {
      throw malformedAnswer("the service returned the same page token twice");
    }
    pageToken = page.nextPageToken;
  } while (pageToken !== "");
}

const unreachable = (place: string) => ({
  summary: "Location Not Reached",
  detail: `The service could not list the endpoints in ${place}, so they are missing here. List again later.`,
});

function listed(
  found: EndpointResource,
  includeResource: boolean,
): ListedResource<typeof endpoint> {
  const place = parseEndpointName(found.name);
  if (place === undefined) {
    throw malformedAnswer("the service returned an endpoint without a valid name");
  }
  const displayName = `${place.location}/${place.endpointId}`;
  if (!includeResource) return { displayName, identity: place };
  return {
    displayName,
    identity: place,
    state: foundState(found.name, { ...empty, ...place }, found),
  };
}

/** The values of an endpoint that the service does not store or has not returned. */
const empty: Omit<EndpointState, "endpointId" | "location" | "project"> = {
  network: null,
  severity: null,
  description: null,
  labels: null,
  requestId: null,
  threatExceptions: null,
  trafficLogs: false,
  createTime: null,
  endpointForwardingRule: null,
  endpointIp: null,
  id: null,
  name: null,
  state: null,
  updateTime: null,
  timeouts: null,
};
