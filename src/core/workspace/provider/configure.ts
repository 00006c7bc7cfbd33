import { createHash, randomUUID } from "node:crypto";
import type { Properties } from "../../json/plain-json";
import {
  checkValue,
  type ConfigOf,
  type ConfigureContext,
  type Declaration,
  ProviderError,
  type ResourceImplementation,
  settingsNotKnownYet,
  stringSetting,
  UNKNOWN,
  type Unknown,
} from "../../provider-kit";
import { type BuildEnvironment, buildEnvironment } from "../build/build-environment";
import { workspaceProvider } from "./declare";

/** The client that the provider passes to its handlers. */
export interface Workspace {
  readonly environment: BuildEnvironment;
  /** Unknown if the URL is known only after apply, for example when the same plan creates the platform. */
  readonly accessUrl: AccessUrl | Unknown;
  /**
   * Returns the token of the workspace's only running agent, on the first call only: two agents must not
   * share a token.
   */
  readonly takeSoleRunningToken: () => string | undefined;
}

/** Reads the data that the platform passes to this build. */
export function configure(
  config: ConfigOf<typeof workspaceProvider>,
  { env }: ConfigureContext,
): Workspace {
  const environment = buildEnvironment(env);
  let soleToken = environment.soleRunningAgentToken;
  return {
    environment,
    accessUrl: usableUrl(stringSetting(workspaceProvider, "url", config, env), environment),
    takeSoleRunningToken() {
      const taken = soleToken;
      soleToken = undefined;
      return taken;
    },
  };
}

/** Placeholder URL outside a build, for example when a template is tried out. */
const exampleUrl = "https://workspace.example.com";

function usableUrl(
  given: string | Unknown | undefined,
  { isRealBuild, variables }: BuildEnvironment,
): AccessUrl | Unknown {
  if (given === UNKNOWN) return UNKNOWN;
  if (given === undefined) {
    if (!isRealBuild) return accessUrl(exampleUrl);
    throw new ProviderError({
      summary: "Missing Platform URL",
      detail:
        `The build of a workspace (${variables.buildId} is set) needs the URL of the platform. Set url on ` +
        `the provider, or the environment variable ${variables.agentUrl}.`,
      path: ["url"],
    });
  }
  const [finding] = checkValue(workspaceProvider.attributes.url.type, given, () => false);
  if (finding === undefined) return accessUrl(given);
  throw new ProviderError({
    summary: "Invalid Platform URL",
    detail:
      `The URL of the platform ${withoutUser(finding.message)}. It is set with the provider's url, or ` +
      `otherwise with the environment variable ${variables.agentUrl}.`,
    path: ["url"],
  });
}

/** Redacts user information, because the message quotes the refused URL. */
const withoutUser = (message: string): string => message.replace(/\/\/[^\s/]*@/, "//***@");

/**
 * Returns the URL of the platform.
 *
 * @throws ProviderError if the URL is unknown
 */
export function knownAccessUrl({ accessUrl: url, environment }: Workspace): AccessUrl {
  if (url !== UNKNOWN) return url;
  throw settingsNotKnownYet(workspaceProvider, ["url"], {
    to: "determine the URL of the platform",
    otherwise: `omit it and set ${environment.variables.agentUrl}`,
  });
}

interface AccessUrl {
  /** The URL as set, without trailing slashes. */
  readonly url: string;
  /** The port of the URL, or the default port of its scheme. */
  readonly port: number;
  /** Scheme, host and port with the path `/`, for an agent's init script. */
  readonly root: string;
}

function accessUrl(given: string): AccessUrl {
  const { origin, port, protocol } = new URL(given);
  const usual = protocol === "https:" ? 443 : 80;
  return {
    url: given.replace(/\/+$/, ""),
    port: port === "" ? usual : Number(port),
    root: `${origin}/`,
  };
}

/**
 * Derives a UUID from strings (version 8 of RFC 9562). It is the same on every read, so that dependent values
 * do not change.
 */
export function derivedUuid(...strings: readonly string[]): string {
  const bytes = createHash("sha256").update(JSON.stringify(strings)).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/**
 * Returns the handlers of a resource that exists only in the state, where the platform reads it.
 *
 * Its computed attributes are random IDs, which are generated on creation.
 */
export function identityOnly(declaration: Declaration): ResourceImplementation<unknown> {
  const write = (plan: Properties) => Promise.resolve(withIds(declaration, plan));
  return {
    declaration,
    create: write,
    read: (state) => Promise.resolve(state),
    update: write,
    delete: () => Promise.resolve(),
  };
}

/** Returns the plan with a random ID for each computed attribute that has no value yet. */
function withIds({ attributes }: Declaration, plan: Properties): Properties {
  const ids = Object.entries(attributes)
    .filter(([name, { presence }]) => presence === "computed" && plan[name] === UNKNOWN)
    .map(([name]) => [name, randomUUID()] as const);
  return { ...plan, ...Object.fromEntries(ids) };
}

/** Returns the planned ID, or a new random one if it is unknown. */
export const idOf = (planned: unknown): string =>
  typeof planned === "string" ? planned : randomUUID();
