import { UNKNOWN } from "../../../../src/core/schema";
import type { Kinds, Noun } from "../../../accept/noun";
import { invalid, rowsByKind, rowsOn } from "../../../accept/row";
import { digestRows, hex, image, layoutRows } from "../image-rows";

const base = { source: image, destination: "registry.example.org/mirror/app" };
const inputs: Kinds = {
  source: "string",
  destination: "string",
  tags: "list",
  platforms: "list",
};
const outputs: Kinds = { copiedRef: "string" };

const { accepts, refuses } = rowsOn(base);

const good = [
  "registry.example.org/app",
  "127.0.0.1:5000/app",
  "localhost:5000/team/app",
  "library/alpine",
  "alpine",
  "oci:/srv/mirror",
  "oci:../mirror",
  "oci-archive:mirror.tar",
  // A registry with the host name `oci`.
  "oci:5000/app",
];

const goodTags = ["latest", "v1.2.3", "_", "A-b.c_d", "a".repeat(128), "sha256-abc"];

const badTags = [
  "",
  ".a",
  "-a",
  "a b",
  "a:b",
  "a/b",
  "a".repeat(129),
  `sha256-${hex}`,
  `sha256-${hex}.sig`,
];

const goodPlatforms = ["linux/amd64", "linux/arm64/v8", "windows/amd64", "linux/arm/v7"];

const badPlatforms = [
  "",
  "linux",
  "linux/",
  "/amd64",
  "Linux/amd64",
  "linux/arm64/v8/x",
  "all",
  "*",
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
  "oci:",
  "oci-archive:",
  "oci:/srv/mirror:1",
  `oci:/srv/mirror@sha256:${hex}`,
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
    // Beyond the spec: image layouts.
    ...layoutRows(base, "source"),
    refuses("a tag in a layout", { source: "oci:/srv/mirror:1" }, invalid("source")),
    ...good.map((destination) => accepts(`the destination ${destination}`, { destination })),
    ...bad.map((destination) =>
      refuses(
        `the destination ${JSON.stringify(destination)}`,
        { destination },
        invalid("destination"),
      ),
    ),
    accepts("no tags", { tags: [] }),
    accepts("an unknown tag", { tags: [UNKNOWN] }),
    ...goodTags.map((tag) => accepts(`the tag ${tag.slice(0, 20)}`, { tags: ["v1", tag] })),
    ...badTags.map((tag) =>
      refuses(
        `the tag ${JSON.stringify(tag.slice(0, 20))} of ${tag.length}`,
        { tags: ["v1", tag] },
        invalid("tags", 1),
      ),
    ),
    refuses("no platforms", { platforms: [] }, invalid("platforms")),
    ...goodPlatforms.map((platform) =>
      accepts(`the platform ${platform}`, { platforms: ["linux/386", platform] }),
    ),
    ...badPlatforms.map((platform) =>
      refuses(
        `the platform ${JSON.stringify(platform)}`,
        { platforms: ["linux/386", platform] },
        invalid("platforms", 1),
      ),
    ),
    // Beyond the spec: the block that Terraform users expect.
    accepts("timeouts", { timeouts: { create: "4h", update: "90s" } }),
    accepts("an unknown timeout", { timeouts: { create: UNKNOWN } }),
    refuses(
      "a timeout that is not a duration",
      { timeouts: { create: "soon" } },
      invalid("timeouts", "create"),
    ),
    refuses("a timeout of zero", { timeouts: { update: "0s" } }, invalid("timeouts", "update")),
    ...rowsByKind({ base, inputs, outputs, required: ["source", "destination"] }),
  ],
  builds: [],
  changes: [
    { input: "tags", from: ["v1"], to: ["v1", "v2"], replaces: false },
    { input: "platforms", from: ["linux/amd64"], to: ["linux/arm64"], replaces: false },
  ],
};
