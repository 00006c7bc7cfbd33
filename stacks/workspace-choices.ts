import { Construct } from "constructs";
import { workspace } from "@trivet/constructs";

/** What users choose for their workspace: a parameter with each form control, and two presets. */
export class WorkspaceChoices extends Construct {
  /** Region of the machine. It cannot change during the life of the workspace. */
  readonly region = new workspace.DataParameter(this, "region", {
    name: "region",
    displayName: "Region",
    order: 1,
    formType: workspace.ParameterFormType.RADIO,
    default: "eu",
    options: [
      { name: "Europe", value: "eu", description: "Frankfurt" },
      { name: "America", value: "us", description: "Ohio" },
    ],
  });

  readonly image = new workspace.DataParameter(this, "image", {
    name: "image",
    displayName: "Image",
    order: 2,
    formType: workspace.ParameterFormType.DROPDOWN,
    mutable: true,
    default: "debian-13",
    options: [
      { name: "Debian 13", value: "debian-13" },
      { name: "Fedora 43", value: "fedora-43" },
      { name: "Ubuntu 26.04", value: "ubuntu-26.04" },
    ],
  });

  readonly cores = new workspace.DataParameter(this, "cores", {
    name: "cores",
    displayName: "Cores",
    order: 3,
    type: workspace.ParameterType.NUMBER,
    formType: workspace.ParameterFormType.SLIDER,
    mutable: true,
    default: 4,
    validation: { min: 2, max: 32, error: "Choose {min} to {max} cores, not {value}" },
  });

  /** A disk cannot shrink, so this value may only increase. */
  readonly diskSize = new workspace.DataParameter(this, "disk-size", {
    name: "disk-size",
    displayName: "Home (GiB)",
    order: 4,
    type: workspace.ParameterType.NUMBER,
    formType: workspace.ParameterFormType.INPUT,
    mutable: true,
    default: 20,
    validation: { min: 10, max: 500, monotonic: workspace.Monotonic.INCREASING },
  });

  readonly repository = new workspace.DataParameter(this, "repository", {
    name: "repository",
    displayName: "Repository",
    order: 5,
    formType: workspace.ParameterFormType.INPUT,
    mutable: true,
    default: "https://code.example.com/team/api",
    styling: JSON.stringify({ placeholder: "https://code.example.com/team/api" }),
    validation: { regex: "^https://", error: "The repository must be an https URL" },
  });

  readonly tools = new workspace.DataParameter(this, "tools", {
    name: "tools",
    displayName: "Tools",
    order: 6,
    type: workspace.ParameterType.LIST_OF_STRINGS,
    formType: workspace.ParameterFormType.MULTI_SELECT,
    mutable: true,
    default: ["node"],
    options: [
      { name: "Go", value: "go" },
      { name: "Node.js", value: "node" },
      { name: "Rust", value: "rust" },
    ],
  });

  /** Labels by which the team finds its machines. */
  readonly labels = new workspace.DataParameter(this, "labels", {
    name: "labels",
    displayName: "Labels",
    order: 7,
    type: workspace.ParameterType.LIST_OF_STRINGS,
    formType: workspace.ParameterFormType.TAG_SELECT,
    mutable: true,
    default: [],
  });

  readonly setUp = new workspace.DataParameter(this, "set-up", {
    name: "set-up",
    displayName: "Custom setup",
    description: "Shell commands that run after each start.",
    order: 8,
    formType: workspace.ParameterFormType.TEXTAREA,
    mutable: true,
    default: "true",
  });

  readonly withExamples = new workspace.DataParameter(this, "with-examples", {
    name: "with-examples",
    displayName: "Fill the database with example data",
    order: 9,
    type: workspace.ParameterType.BOOL,
    formType: workspace.ParameterFormType.SWITCH,
    mutable: true,
    default: true,
  });

  /** Only for one build: it is off again in the next. */
  readonly cleanCache = new workspace.DataParameter(this, "clean-cache", {
    name: "clean-cache",
    displayName: "Clean the build cache once",
    order: 10,
    type: workspace.ParameterType.BOOL,
    formType: workspace.ParameterFormType.CHECKBOX,
    mutable: true,
    ephemeral: true,
    default: false,
  });

  constructor(scope: Construct, id: string) {
    super(scope, id);

    // Prebuilt during working hours, so that users need not wait for a machine.
    new workspace.DataWorkspacePreset(this, "back-end", {
      name: "Back end",
      description: "A machine for services in Go",
      default: true,
      prebuilds: {
        instances: 1,
        expirationPolicy: { ttl: 86_400 },
        scheduling: {
          timezone: "Europe/Berlin",
          schedules: [
            { cron: "* 8-18 * * 1-5", instances: 3 },
            { cron: "* 9-13 * * 6", instances: 1 },
          ],
        },
      },
    })
      .set(this.region, "eu")
      .set(this.cores, 8)
      .set(this.tools, ["go", "node"]);

    new workspace.DataWorkspacePreset(this, "documentation", {
      name: "Documentation",
      description: "A small machine for writing",
    })
      .set(this.cores, 2)
      .set(this.repository, "https://code.example.com/team/handbook")
      .set(this.withExamples, false);
  }
}
