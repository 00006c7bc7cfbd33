import type { CtyType } from "../../../core/provider-kit/values";
import { convert } from "../convert";
import type { TerraformFunction } from "../function";
import { Value } from "../value";
import { openParameter } from "./arguments";

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
export const conversionFunctions: Readonly<Record<string, TerraformFunction>> = {
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
