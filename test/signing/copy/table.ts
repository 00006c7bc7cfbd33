import type { Kinds, Noun } from "../../accept/noun";
import { invalid, rowsByKind, rowsOn } from "../../accept/row";
import { digestRows, image } from "../image-rows";

const base = { source: image, destination: "registry.example.org/mirror/app" };
const inputs: Kinds = { source: "string", destination: "string" };
const outputs: Kinds = { copiedRef: "string" };

const { accepts, refuses } = rowsOn(base);

const good = [
  "registry.example.org/app",
  "127.0.0.1:5000/app",
  "localhost:5000/team/app",
  "library/alpine",
  "alpine",
];

const bad = [
  "",
  "registry.example.org/app:v1",
  "127.0.0.1:5000/app:v1",
  image,
  "registry.example.org/App",
  "registry.example.org/",
  "https://registry.example.org/app",
  "registry.example.org/a//b",
  " registry.example.org/app",
];

/** The spec's Copy. */
export const copy: Noun = {
  kind: "resource",
  typeName: "signing_copy",
  construct: "signing.Copy",
  base,
  inputs,
  outputs,
  wire: {},
  rows: [
    ...digestRows(base, "source"),
    ...good.map((destination) => accepts(`the destination ${destination}`, { destination })),
    ...bad.map((destination) =>
      refuses(
        `the destination ${JSON.stringify(destination)}`,
        { destination },
        invalid("destination"),
      ),
    ),
    ...rowsByKind({ base, inputs, outputs, required: ["source", "destination"] }),
  ],
  builds: [],
  changes: [],
};
