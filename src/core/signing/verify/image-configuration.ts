import { isObject, ownValue, type Properties } from "../../json/plain-json";
import { type ImagePlace, readImage, walkImages } from "../image/walk-images";
import { isIndexType, readDescriptor, type Digest } from "../oci/reference/descriptor";
import { ReadBudget, type Manifest } from "../oci/registry/manifests";
import { RegistryError } from "../oci/registry/registry-error";
import { readJsonObject } from "../../json/parse-json";

const maxBytes = 16 * 1024 * 1024;

/**
 * Reads the configuration of an image, or of each image in an index, by platform (`linux/arm64/v8`), with the fields that
 * policies have in a cluster.
 *
 * @throws RegistryError, ImageError
 */
export async function imageConfigurations(
  place: ImagePlace,
  digest: Digest,
): Promise<Readonly<Record<string, object>>> {
  const budget = new ReadBudget(maxBytes);
  const found: Record<string, object> = {};
  for await (const { manifest, problems } of walkImages(place, await readImage(place, digest))) {
    for (const problem of problems) throw problem;
    if (manifest === undefined || isIndexType(manifest.mediaType)) continue;
    const configuration = await configurationOf(place, manifest, budget);
    found[platformOf(configuration)] = configuration;
  }
  return found;
}

async function configurationOf(
  { registry, repository, context }: ImagePlace,
  { digest, json: { config } }: Manifest,
  budget: ReadBudget,
): Promise<Properties> {
  const blob = readDescriptor(config);
  if (blob === undefined) {
    throw unreadable("MALFORMED_ANSWER", `the manifest ${digest} has no configuration`);
  }
  if (!budget.take(blob.size)) {
    throw unreadable("TOO_LARGE", "the configurations are larger than 16 MiB");
  }
  const json = readJsonObject(await registry.blobs.get(repository, blob, context));
  const configuration = json && readConfiguration(json);
  if (configuration !== undefined) return configuration;
  throw unreadable("MALFORMED_ANSWER", `${blob.digest} is not the configuration of an image`);
}

const unreadable = (code: "MALFORMED_ANSWER" | "TOO_LARGE", message: string) =>
  new RegistryError(code, message);

/** Writes a platform as Go's libraries do: `linux/arm64/v8`, `windows/amd64:10.0.20348.2340`. */
function platformOf({ os, architecture, variant, "os.version": version }: Properties): string {
  if (typeof os !== "string" || os === "") return "";
  const parts = [os, architecture, variant].filter((part) => typeof part === "string" && part);
  return parts.join("/") + (typeof version === "string" ? `:${version}` : "");
}

/** The content of a field. A table is an object with these fields; in brackets, it is a list of such objects. */
type Kind = "string" | "boolean" | "number" | "time" | "strings" | "labels" | "names";
type Field = Kind | Table | readonly [Table];
interface Table {
  readonly [name: string]: Field;
}

const all = (field: Field, names: string): Table =>
  Object.fromEntries(names.split(" ").map((name) => [name, field]));

/** The fields of an image's configuration that policies can read in a cluster. */
const fields: Table = {
  ...all("string", "architecture author container docker_version os os.version variant"),
  created: "time",
  history: [
    { ...all("string", "author created_by comment"), created: "time", empty_layer: "boolean" },
  ],
  rootfs: { type: "string", diff_ids: "strings" },
  config: {
    ...all(
      "boolean",
      "AttachStderr AttachStdin OpenStdin StdinOnce Tty ArgsEscaped NetworkDisabled",
    ),
    ...all("strings", "Cmd Entrypoint Env OnBuild Shell"),
    ...all("string", "Domainname Hostname Image User WorkingDir MacAddress StopSignal"),
    ...all("names", "Volumes ExposedPorts"),
    Labels: "labels",
    Healthcheck: { Test: "strings", ...all("number", "Interval Timeout StartPeriod Retries") },
  },
  "os.features": "strings",
};

/**
 * Reads an image's configuration as the policy controller does, so that a policy means the same here and in a cluster: unknown
 * fields and most empty ones are left out, and times are always present.
 *
 * @returns undefined if a field has a value of the wrong type, which the policy controller does not accept either
 */
export function readConfiguration(json: Properties): Properties | undefined {
  const read = objectOf(json, fields);
  if (read === undefined) return undefined;
  const { architecture = "", os = "", rootfs = {}, config = {} } = read;
  const layers = isObject(rootfs) ? { type: "", diff_ids: null, ...rootfs } : rootfs;
  return { ...read, architecture, os, rootfs: layers, config };
}

/** The fields of an object that are not empty; undefined if one has the wrong type. */
function objectOf(json: Properties, table: Table): Properties | undefined {
  const found: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(table)) {
    const value = ownValue(json, name) ?? null;
    if (value === null && field !== "time") continue;
    const read = field === "time" ? timeOf(value) : valueOf(value, field);
    if (read === undefined) return undefined;
    if (!isEmpty(read)) found[name] = read;
  }
  return found;
}

/** Go's zero time, which is never left out. */
const noTime = "0001-01-01T00:00:00Z";

function timeOf(value: unknown): unknown {
  if (value === null) return noTime;
  return typeof value === "string" && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

function valueOf(value: unknown, field: Exclude<Field, "time">): unknown {
  switch (field) {
    case "string":
    case "boolean":
    case "number":
      return typeof value === field ? value : undefined;
    case "strings":
      return Array.isArray(value) && value.every(isString) ? value : undefined;
    case "labels":
      return isObject(value) && Object.values(value).every(isString) ? value : undefined;
    case "names":
      return isObject(value) && Object.values(value).every(isObject) ? emptied(value) : undefined;
  }
  if (!Array.isArray(field)) return isObject(value) ? objectOf(value, field as Table) : undefined;
  const [table] = field as readonly [Table];
  if (!Array.isArray(value)) return undefined;
  const items = value.map((each: unknown) => (isObject(each) ? objectOf(each, table) : undefined));
  return items.includes(undefined) ? undefined : items;
}

const isString = (value: unknown): value is string => typeof value === "string";

const emptied = (value: Properties): Properties =>
  Object.fromEntries(Object.keys(value).map((name) => [name, {}]));

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === "" || value === false || value === 0;
}
