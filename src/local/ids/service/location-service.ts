import type { Properties } from "../../../core/json/plain-json";
import type { Call } from "../rpc/call";
import { page } from "../rpc/page";
import { RpcError } from "../rpc/rpc-error";

/** The zones that are listed. Endpoints can be created in any zone with a valid name. */
const zones = ["europe-west1-b", "us-central1-a", "us-central1-f", "us-east1-b"];

/** The methods of zones, which the API calls locations. */
export class LocationService {
  get(call: Call): Properties {
    const locationId = call.variable("location");
    if (locationId === "-") throw new RpcError("NOT_FOUND", `Location '-' was not found`);
    return locationToJson(call.variable("project"), locationId);
  }

  list(call: Call): Properties {
    const project = call.variable("project");
    const all = zones.map((zone) => locationToJson(project, zone));
    const { items, nextPageToken } = page(call, all, ["name", "locationId"]);
    return { locations: items, ...(nextPageToken === undefined ? {} : { nextPageToken }) };
  }
}

function locationToJson(project: string, locationId: string) {
  return { name: `projects/${project}/locations/${locationId}`, locationId };
}
