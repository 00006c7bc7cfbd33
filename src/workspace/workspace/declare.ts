import { computed, dataSource, t } from "../../schema";

/** The workspace that is built. */
export const workspace = dataSource("workspace_workspace", {
  doc:
    "The workspace that is built, and what the build is to do. Without a build of the platform the " +
    "values are stand-ins that stay the same.",
  attributes: {
    accessUrl: computed(t.string(), {
      doc: "Base URL of the platform's deployment, without a slash at the end.",
    }),
    accessPort: computed(t.integer(), { doc: "Port of the platform's deployment." }),
    id: computed(t.string(), { doc: "ID of the workspace (a UUID)." }),
    name: computed(t.string(), { doc: "Name of the workspace." }),
    transition: computed(t.string(), {
      doc: "What the build does with the workspace: `start`, `stop`, or another word when it is deleted.",
    }),
    startCount: computed(t.integer(), {
      doc: "1 when the build starts the workspace, else 0: the `count` of what only runs then.",
    }),
    isPrebuild: computed(t.bool(), {
      doc: "Whether the workspace is a prebuild that nobody has been given yet.",
    }),
    isPrebuildClaim: computed(t.bool(), {
      doc: "Whether this is the first build after somebody was given the prebuild.",
    }),
    prebuildCount: computed(t.integer(), {
      doc: "1 while the workspace is a prebuild that nobody has been given, else 0.",
    }),
    templateId: computed(t.string(), {
      doc: "ID of the workspace's template; empty without a build.",
    }),
    templateName: computed(t.string(), { doc: "Name of the template; empty without a build." }),
    templateVersion: computed(t.string(), {
      doc: "Version of the template; empty without a build.",
    }),
  },
});
