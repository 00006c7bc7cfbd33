import type { Kinds, Noun } from "../../../accept/noun";
import { invalid, rowsByKind, rowsOn } from "../../../accept/row";
import { image, imageRows, layoutRows } from "../image-rows";

/** Holds of every image. */
export const policy = [
  "apiVersion: policy.sigstore.dev/v1beta1",
  "kind: ClusterImagePolicy",
  "metadata: { name: all }",
  "spec: { images: [{ glob: '**' }], authorities: [{ static: { action: pass } }] }",
].join("\n");

const base = { image, policy };
const inputs: Kinds = { image: "string", policy: "string", recursive: "bool", name: "string" };
const { accepts, refuses } = rowsOn(base);
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
    // Beyond the spec: image layouts, and the name of an image in one.
    ...layoutRows(base, "image"),
    accepts("a tag in a layout", {
      image: "oci:/srv/mirror:1.4",
      name: "registry.example.org/app",
    }),
    accepts("a layout without a tag", { image: "oci:/srv/mirror" }),
    refuses("a layout as a name", { name: "oci:/srv/mirror" }, invalid("name")),
    ...rowsByKind({ base, inputs, outputs, required: ["image", "policy"] }),
  ],
  builds: [],
  changes: [],
};
