/** The content of a new project. */
export type ProjectKind = "ids" | "template" | "signing" | "all";

/** The platform of a project's template. */
export type ProjectProduct = "trivet" | "coder";

/** Where a project keeps the states of its stacks. */
export type StateBackend = "local" | "s3" | "pg";

/** The library of a project's stacks. */
export type Library = "cdktf" | "cdktn";

/** A choice that the user is asked for. */
export interface Choice<Name extends string> {
  readonly name: Name;
  readonly help: string;
}

/** All answers to a question. The first one is the default. */
export type Choices<Name extends string> = readonly [Choice<Name>, ...Choice<Name>[]];

export const projectKinds: Choices<ProjectKind> = [
  { name: "ids", help: "an endpoint of the intrusion detection service" },
  { name: "template", help: "a template for development workspaces" },
  { name: "signing", help: "an image that is copied, signed, attested and verified" },
  { name: "all", help: "all three" },
];

export const libraries: Choices<Library> = [
  {
    name: "cdktf",
    help: "HashiCorp's, known best, but archived in December 2025: nobody maintains it",
  },
  { name: "cdktn", help: "its continuation by the community: maintained, but younger" },
];

export const projectProducts: Choices<ProjectProduct> = [
  { name: "trivet", help: "Trivet's own names, such as workspace_agent" },
  { name: "coder", help: "coder's provider, such as coder_agent" },
];

/** A service that runs pipelines. */
export type PipelineService = "github" | "gitlab";

export const pipelineServices: Choices<PipelineService | "none"> = [
  { name: "none", help: "deploy from this machine; `trivet init --ci` adds one later" },
  { name: "github", help: "plan each pull request, and deploy what was merged" },
  { name: "gitlab", help: "the same for merge requests" },
];

export const stateBackends: Choices<StateBackend> = [
  { name: "local", help: "in a file on this machine, which only this machine can deploy" },
  { name: "s3", help: "in a bucket, so that others and pipelines can deploy, too" },
  { name: "pg", help: "the same in PostgreSQL" },
];
