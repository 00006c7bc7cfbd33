import { FunctionError, implementFunction } from "../../provider-kit";
import { formatEndpointName, parseEndpointName as parse } from "../endpoint/name";
import { endpointName, parseEndpointName } from "./declare";

/** `provider::ids::endpoint_name`. */
export const endpointNameHandler = implementFunction(endpointName)(formatEndpointName);

/** `provider::ids::parse_endpoint_name`. */
export const parseEndpointNameHandler = implementFunction(parseEndpointName)(({ name }) => {
  const parsed = parse(name);
  if (parsed !== undefined) return parsed;
  throw new FunctionError({
    message: "must have the form projects/PROJECT/locations/LOCATION/endpoints/ENDPOINT",
    path: ["name"],
  });
});
