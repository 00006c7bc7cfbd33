import { UNKNOWN } from "../../../../src/core/schema";
import type { AcceptanceRow } from "../../../accept/table";
import { anyUuid, noBuild } from "../environment";
import type { Kinds, Noun } from "../../../accept/noun";
import { advice, invalid, missing, rowsByKind, rowsOn, unknownProperty } from "../../../accept/row";

const base = { resourceId: "vm-1" };

const inputs: Kinds = {
  resourceId: "string",
  dailyCost: "number",
  hide: "bool",
  icon: "string",
  items: { blocks: { key: "string", value: "string", sensitive: "bool" } },
};

/** The spec shows none; the facts have an id. */
const outputs: Kinds = {};

const { accepts, refuses, warns, build } = rowsOn(base);

const size = { key: "size", value: "large" };

const rows: readonly AcceptanceRow[] = [
  warns("no resourceId, which ties it to nothing", { resourceId: undefined }, advice("resourceId")),
  accepts("a negative dailyCost", { dailyCost: -5 }),
  accepts("a dailyCost of 0", { dailyCost: 0 }),
  ...["", "/icon/vm.svg", "builtin:x"].map((icon) =>
    accepts(`the icon ${JSON.stringify(icon)}`, { icon }),
  ),
  refuses("an icon with a bad escape", { icon: "/i%.svg" }, invalid("icon")),
  accepts("no items", { items: [] }),
  accepts("an item without value", { items: [{ key: "size" }] }),
  accepts("an item with an empty value", { items: [{ key: "size", value: "" }] }),
  accepts("a sensitive item", { items: [{ ...size, sensitive: true }] }),
  accepts("keys that differ only in case", { items: [size, { key: "Size" }] }),
  accepts("keys that are unknown", { items: [{ key: UNKNOWN }, { key: UNKNOWN }] }),
  refuses("an item without key", { items: [size, { value: "x" }] }, missing("items", 1, "key")),
  refuses(
    "two items with the same key",
    { items: [size, { key: "zone" }, { key: "size" }] },
    invalid("items", 2, "key"),
  ),
  refuses(
    "two items with the same key among unknown ones",
    { items: [size, { key: UNKNOWN }, size] },
    invalid("items", 2, "key"),
  ),
  refuses(
    "isNull of an item, which is an output",
    { items: [{ ...size, isNull: true }] },
    unknownProperty("items", 0, "isNull"),
  ),
];

/** The spec's Metadata. */
export const metadata: Noun = {
  kind: "resource",
  typeName: "workspace_metadata",
  construct: "workspace.Metadata",
  base,
  inputs,
  outputs,
  wire: { items: "item" },
  rows: [...rows, ...rowsByKind({ base, inputs, outputs, samples: { items: size } })],
  builds: [
    build(
      "reports which items have no value",
      { items: [{ key: "a" }, { key: "b", value: "" }, { key: "c", value: "x" }] },
      noBuild,
      {
        outputs: {
          metadataId: anyUuid,
          items: [
            { key: "a", isNull: true, sensitive: false },
            { key: "b", value: "", isNull: false },
            { key: "c", value: "x", isNull: false },
          ],
        },
      },
    ),
  ],
  changes: [
    { input: "resourceId", from: "a", to: "b", replaces: true },
    { input: "dailyCost", from: 1, to: 2, replaces: false },
    { input: "hide", from: undefined, to: true, replaces: false },
    { input: "icon", from: "/a", to: "/b", replaces: false },
    { input: "items", from: [size], to: [{ ...size, value: "small" }], replaces: false },
    { input: "items", from: [size], to: [{ key: "size" }], replaces: false },
    { input: "items", from: [size], to: [], replaces: false },
  ],
};
