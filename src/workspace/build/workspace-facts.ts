import type { EnvironmentVariables } from "./environment-variables";
import type { ReadVariable } from "./reading";

/** The workspace that is built, its template and the purpose of the build. */
export interface WorkspaceFacts {
  /** Empty if the platform sets none, for example during a template import. */
  readonly id: string;
  /** @default "default" */
  readonly name: string;
  /**
   * `start`, `stop`, or another value of the platform (`destroy` for a deletion).
   *
   * @default "start"
   */
  readonly transition: string;
  /** 1 in a build that starts the workspace, otherwise 0. */
  readonly startCount: 0 | 1;
  /** True if the workspace is built ahead of time. False during a claim, which takes precedence. */
  readonly isPrebuild: boolean;
  /** 1 for a prebuild, otherwise 0. */
  readonly prebuildCount: 0 | 1;
  /** True if this build assigns a prebuilt workspace to its owner. */
  readonly isPrebuildClaim: boolean;
  readonly template: TemplateFacts;
}

/** The template of a workspace. Strings are empty if the platform does not set them. */
export interface TemplateFacts {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** The names of missing variables. A real build requires all of them. */
  readonly missingVariables: readonly string[];
}

/** Reads the data about the workspace and its template. */
export function readWorkspaceFacts(
  variables: EnvironmentVariables,
  read: ReadVariable,
): WorkspaceFacts {
  const valueOf = (variable: string, otherwise = "") => read(variable) ?? otherwise;
  const flag = (variable: string) => valueOf(variable).toLowerCase() === "true";
  const transition = valueOf(variables.transition, "start");
  const isPrebuildClaim = flag(variables.isPrebuildClaim);
  const isPrebuild = flag(variables.isPrebuild) && !isPrebuildClaim;
  const { templateId, templateName, templateVersion } = variables;
  return {
    id: valueOf(variables.workspaceId),
    name: valueOf(variables.workspaceName, "default"),
    transition,
    startCount: transition === "start" ? 1 : 0,
    isPrebuild,
    prebuildCount: isPrebuild ? 1 : 0,
    isPrebuildClaim,
    template: {
      id: valueOf(templateId),
      name: valueOf(templateName),
      version: valueOf(templateVersion),
      missingVariables: [templateId, templateName, templateVersion].filter(
        (variable) => valueOf(variable) === "",
      ),
    },
  };
}
