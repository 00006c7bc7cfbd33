import { construct } from "../../construct";
import { signingProvider } from "../provider/declare";
import * as declared from "./declare";

/**
 * Returns the parts of an image reference: `reference`, `repository`, `registry`, `path`, `tag` and `digest`. The
 * defaults of Docker Hub are filled in. The registry is not contacted.
 *
 * Terraform computes them, with the function of the provider, which must be in the stack. Needs Terraform 1.8 or
 * OpenTofu 1.7.
 *
 * @example signing.parseReference({ reference: image.stringValue }).repository
 */
export const parseReference = construct(declared.parseReference, signingProvider);
