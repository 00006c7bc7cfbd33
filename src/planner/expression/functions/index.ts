/** Terraform's built-in functions, by name. */
import type { TerraformFunction } from "../function";
import { elementFunctions } from "./collection-elements";
import { listFunctions } from "./collection-lists";
import { mapFunctions } from "./collection-maps";
import { setFunctions } from "./collection-sets";
import { dateFunctions } from "./date-and-time";
import { encodingFunctions, otherEncodingFunctions } from "./encoding";
import { filesystemFunctions } from "./filesystem";
import { hashFunctions } from "./hash-and-crypto";
import { cidrcontains, ipNetworkFunctions } from "./ip-network";
import { notEvaluated, notEvaluatedFunctions } from "./not-evaluated";
import { numericFunctions } from "./numeric";
import { stringFunctions } from "./string";
import { conversionFunctions } from "./type-conversion";

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

/** The functions that only OpenTofu has. */
export const openTofuFunctions: ReadonlyMap<string, TerraformFunction> = new Map(
  Object.entries({ cidrcontains, ...otherEncodingFunctions }),
);

/** The same for a program that may have them or not. */
export const undecidedFunctions: ReadonlyMap<string, TerraformFunction> = new Map(
  [...openTofuFunctions].map(([name, each]) => [name, notEvaluated(each)]),
);
