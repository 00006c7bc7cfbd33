export { ValidationError } from "../construct";
export { Endpoint } from "./endpoint/construct";
export type { EndpointProps, EndpointTimeouts } from "./endpoint/props";
export { EndpointSeverity } from "./endpoint/enums";
export { IdsProvider } from "./provider/construct";
export type { ExternalCredentials, IdsProviderProps } from "./provider/props";
