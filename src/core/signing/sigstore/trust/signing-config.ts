import { parseJson, JsonFields } from "../../../json/parse-json";
import { isJsonError } from "../../../json/read-json";
import { serviceUrl } from "../../../schema";
import { isWithin, type Validity, readValidity, trustError, type TrustError } from "./trusted-root";

/**
 * The services to sign with, and when each may be used.
 *
 * @see https://github.com/sigstore/protobuf-specs/blob/main/protos/sigstore_trustroot.proto
 */
interface SigningConfig {
  readonly authorities: ServiceList;
  readonly logs: ServiceList;
  readonly timestampAuthorities: ServiceList;
}

interface ServiceList {
  readonly services: readonly ListedService[];
  /** The number of services to use; undefined if the document does not state it. */
  readonly count: number | "all" | undefined;
}

interface ListedService {
  readonly url: string;
  readonly version: number;
  readonly validity: Validity;
  readonly operator: string;
}

/** A version of the transparency log's API. */
export type LogVersion = 1 | 2;

interface LogService {
  readonly url: string;
  readonly version: LogVersion;
}

/** The services that were selected for a signature. */
export interface SelectedServices {
  readonly fulcioUrl: string;
  /** All of the same version. */
  readonly logs: readonly LogService[];
  /** Full URLs to which requests are posted. */
  readonly timestampUrls: readonly string[];
}

const mediaType = "application/vnd.dev.sigstore.signingconfig.v0.2+json";

/** Parses a signing config of version 0.2. @throws TrustError */
export function readSigningConfig(text: string | Uint8Array): SigningConfig {
  try {
    const config = JsonFields.of(parseJson(text), "signing config");
    if (config.string("mediaType") !== mediaType) throw config.shape("mediaType", mediaType);
    return {
      authorities: { services: config.list("caUrls").map(readService), count: 1 },
      logs: readList(config, "rekorTlogUrls", "rekorTlogConfig"),
      timestampAuthorities: readList(config, "tsaUrls", "tsaConfig"),
    };
  } catch (error) {
    if (!isJsonError(error)) throw error;
    throw trustError("SIGNING_CONFIG", `not a signing config: ${error.message}`, { cause: error });
  }
}

function readList(config: JsonFields, urls: string, selection: string): ServiceList {
  const rule = config.optionalFields(selection);
  return { services: config.list(urls).map(readService), count: rule && readCount(rule) };
}

function readCount(rule: JsonFields): number | "all" {
  switch (rule.string("selector")) {
    case "ANY":
      return 1;
    case "ALL":
      return "all";
    case "EXACT": {
      const count = rule.int64("count");
      if (count === 0) throw rule.shape("count", "at least 1");
      return count;
    }
    default:
      throw rule.shape("selector", "ANY, ALL or EXACT");
  }
}

function readService(service: JsonFields): ListedService {
  const url = service.string("url");
  if (!serviceUrl.test(url)) {
    throw service.shape("url", "an https URL, or an http URL of this machine");
  }
  return {
    url,
    version: service.int64("majorApiVersion"),
    validity: readValidity(service.optionalFields("validFor")),
    operator: service.optionalString("operator") ?? "",
  };
}

/**
 * Selects services of each kind: valid now, with the highest supported version, at most one of each operator, the newest first.
 *
 * `ANY` selects the newest, so that the result does not change from run to run.
 *
 * @throws TrustError if there are not enough
 */
export function selectServices(
  config: SigningConfig,
  { now, logVersions }: { readonly now: Date; readonly logVersions: readonly LogVersion[] },
): SelectedServices {
  const [authority] = select(config.authorities, [1], now, "certificate authority");
  const logs = select(config.logs, logVersions, now, "transparency log").map(({ url, version }) =>
    version === 2 ? { url, version: 2 as const } : { url, version: 1 as const },
  );
  const { timestampAuthorities: stamps } = config;
  const needsTimestamp = stamps.services.length > 0 || logs.some(({ version }) => version === 2);
  const chosen = needsTimestamp ? select(stamps, [1], now, "timestamp authority") : [];
  return { fulcioUrl: authority.url, logs, timestampUrls: chosen.map(({ url }) => url) };
}

function select(
  { services, count }: ServiceList,
  versions: readonly number[],
  now: Date,
  kind: string,
): readonly [ListedService, ...ListedService[]] {
  const valid = services
    .filter(({ version, validity }) => versions.includes(version) && isWithin(validity, now))
    .toSorted((a, b) => startOf(b) - startOf(a));
  const highest = Math.max(...valid.map(({ version }) => version));
  const operators = new Set<string>();
  const [first, ...others] = valid.filter(({ version, operator }) => {
    if (version !== highest || operators.has(operator)) return false;
    operators.add(operator);
    return true;
  });
  if (first === undefined) {
    const wanted = versions.map((version) => `v${version}`).join(" or ");
    throw unusable(`lists no ${kind} of ${wanted} that is valid now`);
  }
  if (count === undefined)
    throw unusable(`does not state how many services of the kind ${kind} to use`);
  if (count === "all") return [first, ...others];
  const listed = others.length + 1;
  if (count > listed) {
    throw unusable(
      `requires ${count} operators of a ${kind}, but lists only ${listed} that can be used now`,
    );
  }
  return [first, ...others.slice(0, count - 1)];
}

function startOf({ validity }: ListedService): number {
  return validity.from?.getTime() ?? Number.NEGATIVE_INFINITY;
}

const unusable = (problem: string): TrustError =>
  trustError("SIGNING_CONFIG", `the signing config ${problem}`);
