import { computed, dataSource, t } from "../../schema";

/** The owner of the workspace that is built. */
export const workspaceOwner = dataSource("workspace_workspace_owner", {
  doc: "The owner of the workspace. Outside a build of the platform, the values are placeholders.",
  attributes: {
    id: computed(t.string(), { doc: "ID of the owner (a UUID)." }),
    name: computed(t.string(), { doc: "The owner's user name." }),
    fullName: computed(t.string(), { doc: "The owner's full name." }),
    email: computed(t.string(), { doc: "The owner's email address." }),
    groups: computed(t.list(t.string()), { doc: "Groups that the owner belongs to." }),
    loginType: computed(t.string(), { doc: "How the owner logs in; empty outside a build." }),
    rbacRoles: computed(
      t.list(
        t.object({
          name: computed(t.string(), { doc: "Name of the role." }),
          orgId: computed(t.string(), {
            doc: "ID of the organization in which the owner has the role; empty for a site-wide role.",
          }),
        }),
      ),
      { doc: "Roles of the owner." },
    ),
    sshPublicKey: computed(t.string(), { doc: "Public key of the owner's SSH key pair." }),
    sshPrivateKey: computed(t.string(), {
      doc: "Private key of the SSH key pair that the platform generated for the owner.",
      sensitive: true,
    }),
    sessionToken: computed(t.string(), {
      doc: "Token for the platform's API, renewed each time the workspace starts.",
      sensitive: true,
    }),
    oidcAccessToken: computed(t.string(), {
      doc: "OpenID Connect access token of the owner; empty if there is no valid one.",
      sensitive: true,
    }),
  },
});
