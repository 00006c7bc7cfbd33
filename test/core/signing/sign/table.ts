import type { Kinds, Noun } from "../../../accept/noun";
import { rowsByKind } from "../../../accept/row";
import { image } from "../image-rows";
import { signingInputs as inputs, signingRows } from "../signing-rows";

const base = { image };
const outputs: Kinds = { signedRef: "string" };

/** The spec's Sign. */
export const sign: Noun = {
  kind: "resource",
  typeName: "signing_sign",
  construct: "signing.Sign",
  base,
  inputs,
  outputs,
  wire: {},
  rows: [...signingRows(base), ...rowsByKind({ base, inputs, outputs, required: ["image"] })],
  builds: [],
  changes: [],
};
