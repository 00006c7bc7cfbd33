import { implementDataSource, ProviderError } from "../../provider-kit";
import { workspace } from "./declare";
import type { BuildEnvironment } from "../build/build-environment";
import { knownAccessUrl, type Workspace } from "../provider/configure";
import { derivedUuid } from "../provider/derived-uuid";

/** How the workspace that is built is read. */
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
    summary: "Missing Facts About The Template",
    detail:
      `A workspace is built (${variables.buildId} is set), but the platform does not say from which ` +
      `template: ${missing.join(", ")} must not be absent or empty.`,
  });
}
