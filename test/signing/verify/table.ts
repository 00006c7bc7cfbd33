import type { Kinds, Noun } from "../../accept/noun";
import { rowsByKind } from "../../accept/row";
import { image, imageRows } from "../image-rows";

/** Holds of every image. */
export const policy = [
  "apiVersion: policy.sigstore.dev/v1beta1",
  "kind: ClusterImagePolicy",
  "metadata: { name: all }",
  "spec: { images: [{ glob: '**' }], authorities: [{ static: { action: pass } }] }",
].join("\n");

const base = { image, policy };
const inputs: Kinds = { image: "string", policy: "string", recursive: "bool" };
const outputs: Kinds = {
  id: "string",
  verifiedRef: "string",
  verdict: "string",
  policies: "list",
};

/** The spec's getVerify, with what decided. */
export const dataVerify: Noun = {
  kind: "data source",
  typeName: "signing_verify",
  construct: "signing.DataVerify",
  base,
  inputs,
  outputs,
  wire: {},
  rows: [
    ...imageRows(base, "image"),
    ...rowsByKind({ base, inputs, outputs, required: ["image", "policy"] }),
  ],
  builds: [],
  changes: [],
};
