import type { AcceptanceRow, Expected } from "../../accept/table";
import { invalid, rowsOn } from "../../accept/row";
import type { Args } from "../../accept/noun";

export const hex = "0123456789abcdef".repeat(4);
const digest = `sha256:${hex}`;
export const image = `registry.example.com/team/app@${digest}`;

/** Names of images that are fine wherever an image is named by its digest. */
const byDigest = [
  image,
  `alpine@${digest}`,
  `docker.io/library/alpine@${digest}`,
  `127.0.0.1:5000/app@${digest}`,
  `localhost/app@${digest}`,
  `[::1]:5000/app@${digest}`,
  `registry.example.com/app:v1@${digest}`,
  `registry.example.com/a-b/c__d/e.f@${digest}`,
  `registry.example.com/app@sha512:${hex}${hex}`,
];

/** What no image is called, whether by tag or digest. */
const broken = [
  "",
  " ",
  "registry.example.com/App@" + digest,
  "registry.example.com/app@",
  `registry.example.com/app@${digest}@${digest}`,
  `registry.example.com/app@sha256:${hex.toUpperCase()}`,
  `registry.example.com/app@sha256:${hex.slice(1)}`,
  `registry.example.com/app@sha256:${hex}0`,
  `registry.example.com/app@sha512:${hex}`,
  `registry.example.com/app@sha384:${hex}${hex.slice(32)}`,
  `registry.example.com/app@${hex}`,
  `https://registry.example.com/app@${digest}`,
  `registry.example.com/ap p@${digest}`,
  `registry.example.com/@${digest}`,
  `registry.example.com/a//b@${digest}`,
  `registry.example.com:port/app@${digest}`,
  `@${digest}`,
];

/** Images in layouts on this machine, by digest. */
const inLayouts = [
  `oci:mirror@${digest}`,
  `oci:/srv/mirror:1.4@${digest}`,
  `oci:/srv/mirror:docker.io/library/app:1@${digest}`,
  `oci:C:\\mirror@${digest}`,
  `oci-archive:/srv/mirror.tar@${digest}`,
];

const brokenLayouts = [
  `oci:@${digest}`,
  `oci:/srv/mirror@sha256:${hex.slice(1)}`,
  `oci:/srv/mirror@${digest}@${digest}`,
  `oci:/srv/a\nb@${digest}`,
];

/** Rows of an input that also takes images in layouts by digest. */
export function layoutRows(base: Args, name: string): readonly AcceptanceRow[] {
  const { accepts, refuses } = rowsOn(base);
  return [
    ...inLayouts.map((text) => accepts(`the ${name} ${quoted(text)}`, { [name]: text })),
    ...brokenLayouts.map((text) =>
      refuses(`the ${name} ${quoted(text)}`, { [name]: text }, at(name)),
    ),
  ];
}

const byTag = ["registry.example.com/team/app:v1", "registry.example.com/team/app", "alpine:3.20"];

const quoted = (text: string): string => JSON.stringify(text);

/** Rows of an input that names an image by its digest. */
export function digestRows(base: Args, name: string): readonly AcceptanceRow[] {
  const { accepts, refuses } = rowsOn(base);
  return [
    ...byDigest.map((text) => accepts(`the ${name} ${quoted(text)}`, { [name]: text })),
    ...broken.map((text) => refuses(`the ${name} ${quoted(text)}`, { [name]: text }, at(name))),
    ...byTag.map((text) => refuses(`the tag ${quoted(text)}`, { [name]: text }, at(name))),
  ];
}

/** Rows of an input that names an image by its tag or digest. */
export function imageRows(base: Args, name: string): readonly AcceptanceRow[] {
  const { accepts, refuses } = rowsOn(base);
  const badTags = ["alpine:", "alpine:-a", `alpine:${"a".repeat(129)}`, "alpine:a:b/c"];
  return [
    ...[...byDigest, ...byTag].map((text) =>
      accepts(`the ${name} ${quoted(text)}`, { [name]: text }),
    ),
    ...[...broken, ...badTags].map((text) =>
      refuses(`the ${name} ${quoted(text)}`, { [name]: text }, at(name)),
    ),
  ];
}

const at = (name: string): Expected => invalid(name);
