import { join } from "node:path";
import type { PipelineService, ProjectKind } from "./project-kind";
import { filledIn, textsIn } from "./template-files";

/** The stacks of each kind that are deployed, as arguments in a shell. A template is pushed to a platform instead. */
const deployedStacks: Readonly<Record<ProjectKind, string | undefined>> = {
  ids: "'*'",
  template: undefined,
  signing: "'*'",
  all: "watch image",
};

export const isDeployed = (kind: ProjectKind): boolean => deployedStacks[kind] !== undefined;

/** Where a service expects the file of its pipelines. */
const places: Readonly<Record<string, string>> = {
  "stacks.yml": ".github/workflows/stacks.yml",
  "gitlab-ci.yml": ".gitlab-ci.yml",
};

/**
 * Returns the files with which a service tests a project, plans its stacks and deploys them, by their path in the project.
 *
 * @param templates the folder of the templates, `templates/init` of this package
 * @param kind undefined for a project that exists, all of whose stacks are deployed
 */
export function pipelineFiles(
  service: PipelineService,
  templates: string,
  kind: ProjectKind | undefined,
): ReadonlyMap<string, string> {
  const stacks = (kind === undefined ? undefined : deployedStacks[kind]) ?? "'*'";
  const texts = textsIn(join(templates, `ci-${service}`));
  return filledIn(
    texts.map(([path, text]) => [places[path] ?? path, text]),
    (_, text) => text.replaceAll("{{stacks}}", stacks),
  );
}
