import type { EnvironmentVariables } from "./environment-variables";
import type { ReadVariable } from "./reading";

/** Which workspace is built, from what, and what for. */
export interface WorkspaceFacts {
  /** Empty when the platform names none, as while a template is imported. */
  readonly id: string;
  /** @default "default" */
  readonly name: string;
  /**
   * `start`, `stop`, or what else the platform asks for (it says `destroy` while deleting).
   *
   * @default "start"
   */
  readonly transition: string;
  /** 1 in a build that starts the workspace, else 0. */
  readonly startCount: 0 | 1;
  /** Built before anybody asked for it. Never while it is claimed: a claim wins. */
  readonly isPrebuild: boolean;
  /** 1 for a prebuild, else 0. */
  readonly prebuildCount: 0 | 1;
  /** A prebuilt workspace gets its owner. */
  readonly isPrebuildClaim: boolean;
  readonly template: TemplateFacts;
}

/** The texts are empty where the platform says nothing. */
export interface TemplateFacts {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** The variables that are missing: in a real build none may be. */
  readonly missingVariables: readonly string[];
}

export function readWorkspaceFacts(
  variables: EnvironmentVariables,
  read: ReadVariable,
): WorkspaceFacts {
  const text = (variable: string, otherwise = "") => read(variable) ?? otherwise;
  const flag = (variable: string) => text(variable).toLowerCase() === "true";
  const transition = text(variables.transition, "start");
  const isPrebuildClaim = flag(variables.isPrebuildClaim);
  const isPrebuild = flag(variables.isPrebuild) && !isPrebuildClaim;
  const { templateId, templateName, templateVersion } = variables;
  return {
    id: text(variables.workspaceId),
    name: text(variables.workspaceName, "default"),
    transition,
    startCount: transition === "start" ? 1 : 0,
    isPrebuild,
    prebuildCount: isPrebuild ? 1 : 0,
    isPrebuildClaim,
    template: {
      id: text(templateId),
      name: text(templateName),
      version: text(templateVersion),
      missingVariables: [templateId, templateName, templateVersion].filter(
        (variable) => text(variable) === "",
      ),
    },
  };
}
