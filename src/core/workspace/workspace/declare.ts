import { computed, dataSource, optional, t } from "../../schema";

/** The workspace that is built. */
export const workspace = dataSource("workspace_workspace", {
  doc:
    "The workspace that is built, and what the build does with it. Outside a build of the platform, the " +
    "values are constant placeholders.",
  attributes: {
    accessUrl: computed(t.string(), {
      doc: "Base URL of the platform's deployment, without a trailing slash.",
    }),
    accessPort: computed(t.integer(), { doc: "Port of the platform's deployment." }),
    id: computed(t.string(), { doc: "ID of the workspace (a UUID)." }),
    name: computed(t.string(), { doc: "Name of the workspace." }),
    transition: computed(t.string(), {
      doc: "Transition of the workspace in the build: `start`, `stop`, or another value when it is deleted.",
    }),
    startCount: computed(t.integer(), {
      doc: "1 if the build starts the workspace, otherwise 0. Use it as `count` of resources that run only then.",
    }),
    isPrebuild: computed(t.bool(), {
      doc: "Whether the workspace is an unclaimed prebuild.",
    }),
    isPrebuildClaim: computed(t.bool(), {
      doc: "Whether this is the first build after the prebuild was claimed.",
    }),
    prebuildCount: computed(t.integer(), {
      doc: "1 while the workspace is an unclaimed prebuild, otherwise 0. Use it as `count`.",
    }),
    templateId: computed(t.string(), {
      doc: "ID of the workspace's template; empty outside a build.",
    }),
    templateName: computed(t.string(), { doc: "Name of the template; empty outside a build." }),
    templateVersion: computed(t.string(), {
      doc: "Version of the template; empty outside a build.",
    }),
  },
});

/** The host on which the platform runs Terraform. */
export const provisioner = dataSource("workspace_provisioner", {
  doc: "The host on which the platform runs Terraform.",
  attributes: {
    id: computed(t.string(), {
      doc: "ID of the data source, derived from the operating system and the architecture.",
    }),
    os: computed(t.string(), { doc: "Operating system of the host, such as `linux`." }),
    arch: computed(t.string(), {
      doc: "Processor architecture of the host, such as `amd64`, `arm64` or `armv7`.",
    }),
  },
});

/** Tags that select the provisioners that may run builds of the workspace. */
export const workspaceTags = dataSource("workspace_workspace_tags", {
  doc:
    "Tags that select the provisioners that may run builds of the workspace. Their values may contain " +
    "only what the platform knows before it runs Terraform: literals, variables, locals, parameters and " +
    "the owner.",
  attributes: {
    tags: optional(t.map(t.string()), {
      doc:
        "Values by tag name. They may contain only literals, variables, locals, the values of parameters, and " +
        "the owner if its data source is called `me`.",
    }),
    id: computed(t.string(), { doc: "ID of the data source, derived from the tags." }),
  },
});
