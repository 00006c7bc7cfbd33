import type { CtyType } from "../../../core/provider-kit/values";
import { convert } from "../convert";
import type { TerraformFunction } from "../function";
import { Value } from "../value";
import { openParameter } from "./arguments";
import { elementFunctions } from "./collection-elements";
import { listFunctions } from "./collection-lists";
import { mapFunctions } from "./collection-maps";
import { setFunctions } from "./collection-sets";
import { dateFunctions } from "./date-and-time";
import { encodingFunctions, otherEncodingFunctions, hashFunctions } from "./encoding";
import { cidrcontains, ipNetworkFunctions } from "./ip-network";
import { filesystemFunctions, notEvaluated, notEvaluatedFunctions } from "./not-evaluated";
import { numericFunctions } from "./numeric";
import { stringFunctions } from "./string";

const to = (type: CtyType): TerraformFunction => ({
  parameters: [openParameter("v")],
  returns: type,
  call: ([value = Value.null()]) => {
    const found = convert(value, type);
    // Terraform does not keep the type of the elements here.
    return found.isKnown ? found : new Value(type, found.content, found.isSensitive);
  },
});

const ofAny = (call: (value: Value) => Value): TerraformFunction => ({
  parameters: [openParameter("value")],
  returns: ([value]) => value?.type ?? "dynamic",
  call: ([value = Value.null()]) => call(value),
});

/** @see {@link https://developer.hashicorp.com/terraform/language/functions/tolist} and its neighbours */
const conversionFunctions: Readonly<Record<string, TerraformFunction>> = {
  // No value is ephemeral here.
  ephemeralasnull: ofAny((value) => value),
  issensitive: ofAny((value) =>
    value.isKnown || value.isSensitive
      ? Value.bool(value.isSensitive)
      : Value.unknown("bool", ...value.reasons()),
  ),
  nonsensitive: ofAny((value) => value.marked(false)),
  sensitive: ofAny((value) => value.marked(true)),
  tobool: to("bool"),
  tolist: to({ list: "dynamic" }),
  tomap: to({ map: "dynamic" }),
  tonumber: to("number"),
  toset: to({ set: "dynamic" }),
  tostring: to("string"),
};

/** Terraform's built-in functions, by name. */

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
