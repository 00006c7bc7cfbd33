import {
  checkValue,
  type ConfigOf,
  type ConfigureContext,
  ProviderError,
  settingsNotKnownYet,
  stringSetting,
  UNKNOWN,
  type Unknown,
} from "../../provider-kit";
import { type BuildEnvironment, buildEnvironment } from "../build/build-environment";
import { workspaceProvider } from "./declare";

/** What the handlers of the provider work with. */
export interface Workspace {
  readonly environment: BuildEnvironment;
  /** Unknown while planning a deployment of the platform itself, for example. */
  readonly accessUrl: AccessUrl | Unknown;
  /**
   * The token with which the only agent of the workspace runs: for the first who asks, because no two
   * agents may have the same.
   */
  readonly takeSoleRunningToken: () => string | undefined;
}

/** Reads what the platform says to this build. */
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

/** Stands for the platform where there is none: while somebody tries a template out. */
const exampleUrl = "https://workspace.example.com";

function usableUrl(
  given: string | Unknown | undefined,
  { isRealBuild, variables }: BuildEnvironment,
): AccessUrl | Unknown {
  if (given === UNKNOWN) return UNKNOWN;
  if (given === undefined) {
    if (!isRealBuild) return accessUrl(exampleUrl);
    throw new ProviderError({
      summary: "Missing URL Of The Platform",
      detail:
        `A workspace is built (${variables.buildId} is set), but nothing says where the platform is. Set ` +
        `url on the provider, or the environment variable ${variables.agentUrl}.`,
      path: ["url"],
    });
  }
  const [finding] = checkValue(workspaceProvider.attributes.url.type, given, () => false);
  if (finding === undefined) return accessUrl(given);
  throw new ProviderError({
    summary: "Invalid URL Of The Platform",
    detail:
      `The URL of the platform ${withoutUser(finding.message)}. It is the provider's url, else the environment ` +
      `variable ${variables.agentUrl}.`,
    path: ["url"],
  });
}

/** A URL is refused for its password, which must not be shown for that. */
const withoutUser = (message: string): string => message.replace(/\/\/[^\s/]*@/, "//***@");

/** @throws ProviderError while the URL is unknown */
export function knownAccessUrl({ accessUrl: url, environment }: Workspace): AccessUrl {
  if (url !== UNKNOWN) return url;
  throw settingsNotKnownYet(workspaceProvider, ["url"], {
    to: "say where the platform is",
    otherwise: `leave it out and set ${environment.variables.agentUrl}`,
  });
}

/** Where the platform is reached. */
interface AccessUrl {
  /** The URL as it was given, without slashes at the end. */
  readonly url: string;
  /** The port that it names, else its scheme's. */
  readonly port: number;
  /** Scheme, host and port with the path `/`: what an agent's script is given. */
  readonly root: string;
}

/** Takes apart an http or https URL that the rules of the setting have passed. */
export function accessUrl(text: string): AccessUrl {
  const { origin, port, protocol } = new URL(text);
  const usual = protocol === "https:" ? 443 : 80;
  return {
    url: text.replace(/\/+$/, ""),
    port: port === "" ? usual : Number(port),
    root: `${origin}/`,
  };
}
