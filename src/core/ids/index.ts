export { ValidationError } from "../construct";
export { endpointName, parseEndpointName } from "./endpoint-name/construct";
export { Endpoint } from "./endpoint/construct";
export type { EndpointProps, EndpointTimeouts } from "./endpoint/generated";
export { EndpointSeverity } from "./endpoint/generated";
export { IdsProvider } from "./provider/construct";
export type { ExternalCredentials, IdsProviderProps } from "./provider/generated";
