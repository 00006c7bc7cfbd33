import { construct } from "../../construct";
import { idsProvider } from "../provider/declare";
import * as declared from "./declare";

/**
 * Returns the full name of an endpoint, as other services and imports expect it. The endpoint does not have to exist.
 *
 * Terraform computes it, with the function of the provider, which must be in the stack. Needs Terraform 1.8 or OpenTofu
 * 1.7.
 *
 * @example ids.endpointName({ project: "my-project", location: "us-central1-f", endpointId: "edge" })
 */
export const endpointName = construct(declared.endpointName, idsProvider);

/**
 * Returns the parts of the full name of an endpoint: `project`, `location` and `endpointId`.
 *
 * Needs Terraform 1.8 or OpenTofu 1.7.
 *
 * @example ids.parseEndpointName({ name: edge.name }).location
 */
export const parseEndpointName = construct(declared.parseEndpointName, idsProvider);
