import type { Properties } from "../../core/json/plain-json";
import { Call, type LocalRequest, invalidFields, rpcError } from "./rpc/call";
import type { EndpointService } from "./service/endpoint-service";
import { getLocation, listLocations, type OperationService } from "./service/operations";
import { pageParameters } from "./rpc/page";

interface Route {
  readonly method: string;
  readonly path: RegExp;
  readonly parameters: readonly string[];
  readonly answer: (call: Call) => Properties;
}

const locations = "/v1/projects/:project/locations";
const location = `${locations}/:location`;

/** Creates a function that finds the method of the API for a request, and returns its response. */
export function createRouter(
  endpoints: EndpointService,
  operations: OperationService,
): (request: LocalRequest) => Properties {
  const routes = [
    route("GET", locations, [...pageParameters, "extraLocationTypes"], listLocations),
    route("GET", location, [], getLocation),
    route("GET", `${location}/endpoints`, [...pageParameters, "orderBy"], (call) =>
      endpoints.list(call),
    ),
    route("POST", `${location}/endpoints`, ["endpointId", "requestId"], (call) =>
      endpoints.create(call),
    ),
    route("GET", `${location}/endpoints/:endpoint`, [], (call) => endpoints.get(call)),
    route("PATCH", `${location}/endpoints/:endpoint`, ["updateMask", "requestId"], (call) =>
      endpoints.patch(call),
    ),
    route("DELETE", `${location}/endpoints/:endpoint`, ["requestId"], (call) =>
      endpoints.delete(call),
    ),
    route("GET", `${location}/operations`, [...pageParameters, "returnPartialSuccess"], (call) =>
      operations.list(call),
    ),
    route("GET", `${location}/operations/:operation`, [], (call) => operations.get(call)),
    route("DELETE", `${location}/operations/:operation`, [], unimplemented),
    route("POST", `${location}/operations/:operation::cancel`, [], unimplemented),
    route("GET", `${location}/endpoints/:endpoint::getIamPolicy`, [], unimplemented),
    route("POST", `${location}/endpoints/:endpoint::setIamPolicy`, [], unimplemented),
    route("POST", `${location}/endpoints/:endpoint::testIamPermissions`, [], (call) =>
      endpoints.testIamPermissions(call),
    ),
  ];
  return (request) => {
    for (const { method, path, parameters, answer } of routes) {
      const groups = method === request.method ? path.exec(request.path)?.groups : undefined;
      if (groups !== undefined) return answer(new Call(request, decode(groups), parameters));
    }
    throw rpcError("NOT_FOUND", "Method not found.");
  };
}

function route(
  method: string,
  template: string,
  parameters: readonly string[],
  answer: (call: Call) => Properties,
): Route {
  // ":name" is one segment, "::verb" a custom method at its end. Projects of a domain contain a
  // colon.
  const pattern = template
    .replaceAll(/::(\w+)/g, "%3A$1")
    .replaceAll(":project", "(?<project>[^/]+)")
    .replaceAll(/:(\w+)/g, "(?<$1>[^/:]+)")
    .replaceAll("%3A", ":");
  return { method, path: new RegExp(`^${pattern}$`), parameters, answer };
}

function unimplemented(): never {
  throw rpcError("UNIMPLEMENTED", "the local back end does not implement this method");
}

function decode(groups: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(groups).map(([name, text]) => [name, decodeSegment(name, text)]),
  );
}

function decodeSegment(name: string, text: string): string {
  let decoded = "";
  try {
    decoded = decodeURIComponent(text);
  } catch {
    // Refused below.
  }
  if (/^(?:-|[A-Za-z0-9][A-Za-z0-9._:~-]{0,254})$/.test(decoded)) return decoded;
  throw invalidFields([{ field: "name", description: `malformed ${name} in the path` }]);
}
