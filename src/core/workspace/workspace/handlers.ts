import { implementDataSource, ProviderError } from "../../provider-kit";
import { workspace } from "./declare";
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
