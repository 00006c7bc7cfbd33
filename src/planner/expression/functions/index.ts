/** Terraform's built-in functions, by name. */
import type { TerraformFunction } from "../function";
import { elementFunctions } from "./collection-elements";
import { listFunctions } from "./collection-lists";
import { mapFunctions } from "./collection-maps";
import { setFunctions } from "./collection-sets";
import { dateFunctions } from "./date-and-time";
import { encodingFunctions } from "./encoding";
import { filesystemFunctions } from "./filesystem";
import { hashFunctions } from "./hash-and-crypto";
import { ipNetworkFunctions } from "./ip-network";
import { notEvaluatedFunctions } from "./not-evaluated";
import { numericFunctions } from "./numeric";
import { stringFunctions } from "./string";
import { conversionFunctions } from "./type-conversion";

export { notEvaluated } from "./not-evaluated";

/**
 * The functions of Terraform 1.11. `can` and `try` are missing: their arguments are not evaluated before.
 *
 * @see {@link https://developer.hashicorp.com/terraform/language/functions}
 */
export const terraformFunctions: ReadonlyMap<string, TerraformFunction> = new Map(
  [
    elementFunctions,
    listFunctions,
    mapFunctions,
    setFunctions,
    dateFunctions,
    encodingFunctions,
    filesystemFunctions,
    hashFunctions,
    ipNetworkFunctions,
    numericFunctions,
    stringFunctions,
    conversionFunctions,
    notEvaluatedFunctions,
  ].flatMap((functions) => Object.entries(functions)),
);
