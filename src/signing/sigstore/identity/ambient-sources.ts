import { readTokenFile } from "./token-file";
import type { IdentityToken } from "./identity-token";
import { type TokenSearch, variable } from "./token-request";

/** A place where this process may be running, and how to get its identity token there. */
interface AmbientSource {
  /** Whether the process is running there. Must be cheap: it is called whenever a token is needed. */
  isPresent(env: TokenSearch["env"]): boolean | Promise<boolean>;
  /**
   * Gets the token; undefined to continue with the next source. The code for it is loaded only now.
   *
   * @throws ServiceError
   */
  token(search: TokenSearch): Promise<IdentityToken | undefined>;
}

/** Where Linux names the machine's maker. */
const machineFile = "/sys/class/dmi/id/product_name";

/** The ambient sources in the order in which they are used. */
export function ambientSources(productFile = machineFile): readonly AmbientSource[] {
  return [
    {
      isPresent: hasAll("ACTIONS_ID_TOKEN_REQUEST_URL", "ACTIONS_ID_TOKEN_REQUEST_TOKEN"),
      token: async (search) => (await import("./github-actions.js")).githubActionsToken(search),
    },
    {
      isPresent: hasAll("BUILDKITE_AGENT_ACCESS_TOKEN"),
      token: async (search) => (await import("./buildkite.js")).buildkiteToken(search),
    },
    {
      isPresent: (env) => isGoogleMachine(env, productFile),
      token: async (search) => (await import("./google-metadata.js")).googleMachineToken(search),
    },
    {
      isPresent: hasAll("GOOGLE_SERVICE_ACCOUNT_NAME"),
      token: async (search) =>
        (await import("./google-impersonation.js")).impersonatedToken(search),
    },
    {
      isPresent: hasAll("SPIFFE_ENDPOINT_SOCKET"),
      token: async (search) => (await import("./spiffe.js")).spiffeToken(search),
    },
  ];
}

function hasAll(...names: readonly string[]) {
  return (env: TokenSearch["env"]): boolean =>
    names.every((name) => variable(env, name) !== undefined);
}

/** The first two variables are those of Google's libraries, the third one is set in Cloud Run jobs. */
async function isGoogleMachine(env: TokenSearch["env"], productFile: string): Promise<boolean> {
  if (env["NO_GCE_CHECK"]?.toLowerCase() === "true") return false;
  const hints = ["GCE_METADATA_HOST", "CLOUD_RUN_JOB"];
  if (hints.some((name) => variable(env, name) !== undefined)) return true;
  // The file is absent or unreadable on many other machines.
  const product = await readTokenFile(productFile, "the machine's name").catch(() => undefined);
  return /^Google(?: Compute Engine)?\s*$/.test(product ?? "");
}
