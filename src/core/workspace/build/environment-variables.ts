import { createHash } from "node:crypto";

export const defaultPrefix = "TRIVET";

/** The names of all variables with one prefix; see {@link environmentVariables}. */
export type EnvironmentVariables = ReturnType<typeof environmentVariables>;

/**
 * Returns the names of all variables in which the platform passes data to a build. The code that writes them
 * and the code that reads them both use these names.
 *
 * @param prefix without the underscore
 */
export function environmentVariables(prefix: string = defaultPrefix) {
  const named = (rest: string) => `${prefix}_${rest}`;
  return {
    agentUrl: named("AGENT_URL"),

    buildId: named("WORKSPACE_BUILD_ID"),
    transition: named("WORKSPACE_TRANSITION"),
    workspaceId: named("WORKSPACE_ID"),
    workspaceName: named("WORKSPACE_NAME"),
    isPrebuild: named("WORKSPACE_IS_PREBUILD"),
    isPrebuildClaim: named("WORKSPACE_IS_PREBUILD_CLAIM"),
    templateId: named("WORKSPACE_TEMPLATE_ID"),
    templateName: named("WORKSPACE_TEMPLATE_NAME"),
    templateVersion: named("WORKSPACE_TEMPLATE_VERSION"),

    ownerId: named("WORKSPACE_OWNER_ID"),
    ownerName: named("WORKSPACE_OWNER"),
    ownerFullName: named("WORKSPACE_OWNER_NAME"),
    ownerEmail: named("WORKSPACE_OWNER_EMAIL"),
    ownerLoginType: named("WORKSPACE_OWNER_LOGIN_TYPE"),
    ownerGroups: named("WORKSPACE_OWNER_GROUPS"),
    ownerRbacRoles: named("WORKSPACE_OWNER_RBAC_ROLES"),
    ownerSshPublicKey: named("WORKSPACE_OWNER_SSH_PUBLIC_KEY"),
    ownerSshPrivateKey: named("WORKSPACE_OWNER_SSH_PRIVATE_KEY"),
    ownerSessionToken: named("WORKSPACE_OWNER_SESSION_TOKEN"),
    ownerOidcAccessToken: named("WORKSPACE_OWNER_OIDC_ACCESS_TOKEN"),

    taskId: named("TASK_ID"),
    taskPrompt: named("TASK_PROMPT"),

    parameter: (name: string) => named(`PARAMETER_${sha256(name)}`),
    previousParameter: (name: string) => named(`PARAMETER_PREVIOUS_${sha256(name)}`),
    externalAuthToken: (id: string) => named(`EXTERNAL_AUTH_ACCESS_TOKEN_${id}`),
    secretByEnv: (name: string) => named(`SECRET_ENV_${name}`),
    /** The path is encoded in hexadecimal digits, not hashed. */
    secretByFile: (path: string) => named(`SECRET_FILE_${Buffer.from(path).toString("hex")}`),
    agentScript: (os: string, arch: string) => named(`AGENT_SCRIPT_${os}_${arch}`),
    /** With an empty string as the ID: the token of the only running agent. */
    runningAgentToken: (agentId: string) =>
      named(`RUNNING_WORKSPACE_AGENT_TOKEN_${sha256(agentId)}`),
  };
}

function sha256(value: string): string {
  return createHash("sha256").update(value, "utf8").digest("hex");
}
