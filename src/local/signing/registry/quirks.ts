import { propertiesOf, type Properties } from "../../../core/json/plain-json";
import { readList } from "../../service/request";
import type { ListedManifest } from "./manifest-store";

export interface RegistryBehavior {
  /** The response to a request for referrers: their list, 404, or a redirect to a web page on another host. */
  readonly referrers: "list" | "missing" | "elsewhere";
  /** The content of that list: the referrers, also deleted ones, or all manifests of the repository. */
  readonly lists: "referrers" | "deleted too" | "everything";
  /** The pages of that list: a single one, one per entry, or always another one. */
  readonly pages: "one" | "many" | "endless";
  /** An entry of that list. @default unchanged */
  readonly entry?: (entry: ListedManifest, manifest: Properties) => Properties;
  /** The tag `sha256-<hex>` is read as the digest `sha256:<hex>`. */
  readonly digestTags: boolean;
  /** Manifests can be deleted. */
  readonly deletes: boolean;
  /** A tag can be moved to another manifest. */
  readonly movesTags: boolean;
  /** An index may list blobs. */
  readonly indexesBlobs: boolean;
}

interface Quirk {
  /** What the registry does, as the predicate of a sentence. */
  readonly does: string;
  /** Registries in which it was seen, with the public report. */
  readonly seen: string;
  readonly behavior: Partial<RegistryBehavior>;
}

const specified: RegistryBehavior = {
  referrers: "list",
  lists: "referrers",
  pages: "one",
  digestTags: false,
  deletes: true,
  movesTags: true,
  indexesBlobs: true,
};

function sizeOfParts(manifest: Properties): number {
  return [manifest["config"], ...readList(manifest, "layers")].reduce<number>(
    (sum, part) => sum + Number(propertiesOf(part)["size"] ?? 0),
    0,
  );
}

const asQuirks = <Name extends string>(table: Readonly<Record<Name, Quirk>>) => table;

/** How real registries differ from the specification, and how hostile ones might. */
export const quirks = asQuirks({
  "no-referrers-api": {
    does: "has no list of referrers (404)",
    seen: "GitHub (kyverno/kyverno#16664), distribution (distribution/distribution#3716)",
    behavior: { referrers: "missing" },
  },
  "referrers-redirect": {
    does: "redirects a request for referrers to a web page on another host",
    seen: "GitHub (artifacthub/hub#4785)",
    behavior: { referrers: "elsewhere" },
  },
  "digest-tags": {
    does: "answers the tag `sha256-<hex>` with the image itself, and has no list of referrers",
    seen: "GitLab (oras-project/oras-go#1396)",
    behavior: { referrers: "missing", digestTags: true },
  },
  "size-too-large": {
    does: "lists a referrer with the size of all its content",
    seen: "Harbor before 2.11 (goharbor/harbor#20187)",
    behavior: {
      entry: (entry, manifest) => ({ ...entry, size: entry.size + sizeOfParts(manifest) }),
    },
  },
  "size-too-small": {
    does: "lists a referrer with a smaller size",
    seen: "Google (oras-project/oras#1626)",
    behavior: { entry: (entry) => ({ ...entry, size: Math.floor(entry.size * 0.7) }) },
  },
  "config-as-type": {
    does: "lists the media type of the configuration as the artifact type",
    seen: "Harbor before 2.11 (goharbor/harbor#19867)",
    behavior: {
      entry: (entry, { config }) => ({ ...entry, artifactType: propertiesOf(config)["mediaType"] }),
    },
  },
  "no-artifact-type": {
    does: "lists referrers without artifact type and annotations",
    seen: "Quay before 3.12 (quay/quay#3047)",
    behavior: {
      entry: (entry) => ({ ...entry, artifactType: undefined, annotations: undefined }),
    },
  },
  "empty-artifact-type": {
    does: 'lists referrers with `"artifactType": ""`',
    seen: "kyverno/kyverno#16754",
    behavior: { entry: (entry) => ({ ...entry, artifactType: "" }) },
  },
  "deleted-referrers": {
    does: "lists deleted referrers for some time",
    seen: "Google (chainguard-dev/terraform-provider-cosign#581)",
    behavior: { lists: "deleted too" },
  },
  "paged-referrers": {
    does: "lists referrers in pages",
    seen: "allowed by the specification",
    behavior: { pages: "many" },
  },
  "no-delete": {
    does: "deletes no manifests (405)",
    seen: "GitHub (sigstore/cosign#3434), Docker Hub (docker/hub-feedback#2360)",
    behavior: { deletes: false },
  },
  "immutable-tags": {
    does: "does not move a tag (412)",
    seen: "a setting of Harbor (goharbor/harbor#17332), and of Amazon and Google with another status",
    behavior: { movesTags: false },
  },
  "no-blobs-in-indexes": {
    does: "refuses an index that lists blobs, such as BuildKit's cache",
    seen: "Amazon and others (moby/buildkit#2251)",
    behavior: { indexesBlobs: false },
  },
  "huge-sizes": {
    does: "lists every referrer with a size of 2⁶³ bytes",
    seen: "hostile",
    behavior: { entry: (entry) => ({ ...entry, size: 2 ** 63 }) },
  },
  "endless-referrers": {
    does: "lists invented referrers, with another page after every page",
    seen: "hostile",
    behavior: { pages: "endless" },
  },
  "referrer-cycle": {
    does: "lists every manifest of the repository as a referrer of every other one, and of itself",
    seen: "hostile",
    behavior: { lists: "everything" },
  },
});

export type QuirkName = keyof typeof quirks;

export const isQuirk = (name: string): name is QuirkName => Object.hasOwn(quirks, name);

export function behaviorWith(names: readonly QuirkName[]): RegistryBehavior {
  return names.reduce<RegistryBehavior>(
    (before, name) => ({ ...before, ...quirks[name].behavior }),
    specified,
  );
}
