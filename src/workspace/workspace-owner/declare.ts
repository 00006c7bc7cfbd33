import { computed, dataSource, t } from "../../schema";

/** The user whose workspace is built. */
export const workspaceOwner = dataSource("workspace_workspace_owner", {
  doc: "The owner of the workspace. Without a build of the platform the values are stand-ins.",
  attributes: {
    id: computed(t.string(), { doc: "ID of the owner (a UUID)." }),
    name: computed(t.string(), { doc: "User name." }),
    fullName: computed(t.string(), { doc: "Full name." }),
    email: computed(t.string(), { doc: "Email address." }),
    groups: computed(t.list(t.string()), { doc: "Groups to which the owner belongs." }),
    loginType: computed(t.string(), { doc: "How the owner logs in; empty without a build." }),
    rbacRoles: computed(
      t.list(
        t.object({
          name: computed(t.string(), { doc: "Name of the role." }),
          orgId: computed(t.string(), {
            doc: "ID of the organization in which the owner has the role; empty for one of the whole site.",
          }),
        }),
      ),
      { doc: "Roles of the owner." },
    ),
    sshPublicKey: computed(t.string(), { doc: "Public half of the owner's SSH key." }),
    sshPrivateKey: computed(t.string(), {
      doc: "Private half of the SSH key that the platform made for the owner.",
      sensitive: true,
    }),
    sessionToken: computed(t.string(), {
      doc: "Token for the platform's API; another one each time the workspace starts.",
      sensitive: true,
    }),
    oidcAccessToken: computed(t.string(), {
      doc: "OpenID Connect access token of the owner; empty when there is no valid one.",
      sensitive: true,
    }),
  },
});
