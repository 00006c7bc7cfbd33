/** The content of a new project. */
export type ProjectKind = "ids" | "template" | "signing" | "all";

/** The platform of a project's template. */
export type ProjectProduct = "trivet" | "coder";

export const projectProducts: readonly ProjectProduct[] = ["trivet", "coder"];

/** The library of a project's stacks. */
export type Library = "cdktf" | "cdktn";

/** A choice that the user is asked for. */
export interface Choice<Name extends string> {
  readonly name: Name;
  readonly help: string;
}

export const projectKinds: readonly [Choice<ProjectKind>, ...Choice<ProjectKind>[]] = [
  { name: "ids", help: "an endpoint of the intrusion detection service" },
  { name: "template", help: "a template for development workspaces" },
  { name: "signing", help: "an image that is copied, signed, attested and verified" },
  { name: "all", help: "all three" },
];

export const libraries: readonly [Choice<Library>, ...Choice<Library>[]] = [
  { name: "cdktf", help: "HashiCorp's library, archived in December 2025" },
  { name: "cdktn", help: "its successor, by the community" },
];

/** A service that runs pipelines. */
export type PipelineService = "github" | "gitlab";

export const pipelineServices: readonly PipelineService[] = ["github", "gitlab"];
