/** Terraform's types, numbers and values, used only inside this repository: no package exports them. */
export { type Codec, compile } from "./cty/codec";
export { decodeJson } from "./cty/json-decode";
export {
  type CtyNumber,
  Decimal,
  isPrintedExactly,
  narrowInteger,
  numberText,
  parseNumber,
} from "./cty/number";
export {
  CtyError,
  type CtyField,
  type CtyObjectType,
  type CtyType,
  partOf,
  typeFromJson,
} from "./cty/type";
export { type CtyRecord, type CtyValue, DynamicValue, isCtyRecord } from "./cty/value";
export { formatPath } from "../schema/finding";
