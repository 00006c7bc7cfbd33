import { environmentVariables } from "../../../src/core/workspace/build/environment-variables";

/** The names of the variables in which the platform passes the build data. */
export const variable = environmentVariables();

export const uuid = "7d9f2c1e-5b3a-4c8d-9e0f-1a2b3c4d5e6f";

export const anyUuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** A template import or a local trial: the platform sets no variables. */
export const noBuild: Readonly<Record<string, string>> = {};

/** A workspace is started. */
export const startBuild: Readonly<Record<string, string>> = {
  [variable.agentUrl]: "https://platform.example.org",
  [variable.buildId]: "0b5f3d52-6a0f-4a3c-8a53-9f3f7d0d7f11",
  [variable.transition]: "start",
  [variable.workspaceId]: "a3f0c6b2-3d0c-4c64-9a53-6b1d1c0f2e11",
  [variable.workspaceName]: "lab",
  [variable.templateId]: "5c1e7e0a-7f59-4b3a-9f0b-2d6f0c9d4e22",
  [variable.templateName]: "base",
  [variable.templateVersion]: "v7",
};

/** A workspace is stopped. */
export const stopBuild = { ...startBuild, [variable.transition]: "stop" };
