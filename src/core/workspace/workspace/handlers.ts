import { implementDataSource, ProviderError } from "../../provider-kit";
import { provisioner, workspace } from "./declare";
import type { BuildEnvironment } from "../build/build-environment";
import { knownAccessUrl, type Workspace, derivedUuid } from "../provider/configure";

/** Handlers of `workspace_workspace`: reads the workspace from the build data. */
export const workspaceHandlers = implementDataSource(workspace)<Workspace>({
  read(_config, { client }) {
    const { url, port } = knownAccessUrl(client);
    const { environment } = client;
    refuseMissingTemplate(environment);
    const { id, template, ...facts } = environment.workspace;
    return Promise.resolve({
      ...facts,
      accessUrl: url,
      accessPort: port,
      id: id === "" ? derivedUuid("workspace", facts.name) : id,
      templateId: template.id,
      templateName: template.name,
      templateVersion: template.version,
    });
  },
});

function refuseMissingTemplate({ isRealBuild, variables, workspace: facts }: BuildEnvironment) {
  const missing = facts.template.missingVariables;
  if (!isRealBuild || missing.length === 0) return;
  throw new ProviderError({
    summary: "Missing Template Data",
    detail:
      `The build of a workspace (${variables.buildId} is set) needs the data of its template: ` +
      `${missing.join(", ")} must be set and not empty.`,
  });
}

/** Handlers of `workspace_provisioner`: reads the platform of the provider's own process. */
export const provisionerHandlers = implementDataSource(provisioner)<unknown>({
  read() {
    const os = hostSystem(process.platform);
    const arch = hostArchitecture(process.arch);
    return Promise.resolve({ id: derivedUuid("provisioner", os, arch), os, arch });
  },
});

/** Node.js names of operating systems that differ from Go's `GOOS`, which the platform uses. */
const systems: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };

/** Node.js names of architectures that differ from Go's `GOARCH`. The name `armv7` is the platform's. */
const architectures: Readonly<Record<string, string>> = {
  x64: "amd64",
  ia32: "386",
  arm: "armv7",
  mipsel: "mipsle",
  ppc64: "ppc64le",
};

/** Returns the platform's name of an operating system. @param platform as in `process.platform` */
export const hostSystem = (platform: string): string => systems[platform] ?? platform;

/** Returns the platform's name of a processor architecture. @param arch as in `process.arch` */
export const hostArchitecture = (arch: string): string => architectures[arch] ?? arch;
