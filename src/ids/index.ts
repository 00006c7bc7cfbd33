export { ValidationError } from "../construct";
export { Endpoint } from "./endpoint";
export type { EndpointProps, EndpointTimeouts } from "./endpoint-props";
export { EndpointSeverity } from "./endpoint-severity";
export { IdsProvider } from "./ids-provider";
export type { IdsProviderProps } from "./ids-provider-props";
