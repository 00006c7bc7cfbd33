import {
  computed,
  dataSource,
  ephemeralResource,
  exactlyOneOf,
  optional,
  required,
  stringRule,
  t,
} from "../../schema";
import { nonBlankRule, variableNameRule } from "../grammar/value-rules";

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

const loginAttributes = {
  id: required(t.string(nonBlankRule), {
    doc: "ID of an external authentication provider that is set up in the deployment.",
  }),
  optional: optional(t.bool(), {
    doc: "Whether users may continue without this login. By default false.",
  }),
  accessToken: computed(t.string(), {
    doc: "Access token of the external service; empty without one.",
    sensitive: true,
  }),
};

/** An external login that users need before they create or update a workspace. */
export const externalAuth = dataSource("workspace_external_auth", {
  doc: "An external login that users need before they create or update a workspace.",
  attributes: loginAttributes,
});

/** The access token of the same login, in no plan and no state. */
export const ephemeralExternalAuth = ephemeralResource("workspace_external_auth", {
  doc:
    "The access token of an external login. It is in no plan and in no state, so it can only be used where " +
    "Terraform accepts ephemeral values. Terraform asks for it during the plan, and again during the apply. " +
    "Without a token, a build that starts a workspace fails, unless the login is optional; some platforms " +
    "pass no token during the apply. Users see that they need the login only if there is also a data source.",
  attributes: loginAttributes,
});

const file = stringRule([[/^(~?\/)/, "must start with `~/` or `/`"]]);

const secretAttributes = {
  env: optional(t.string(variableNameRule), {
    doc: "Name of the environment variable that contains the secret.",
  }),
  file: optional(t.string(file), { doc: "Path of the file that contains the secret." }),
  helpMessage: required(t.string(), {
    doc:
      "Message that users see while the secret is missing: how to get it and where to store it. It is shown on " +
      "the page that creates a workspace, and in the logs of the failed build.",
  }),
  value: computed(t.string(), {
    doc: "The secret. Empty if it is missing; an empty secret is treated as missing.",
    sensitive: true,
  }),
  id: computed(t.string(), { doc: "ID of the secret: `env:NAME` or `file:PATH`." }),
};

/** A secret that the workspace's owner must have stored. */
export const secret = dataSource("workspace_secret", {
  doc:
    "A secret that the workspace's owner must have stored. Without it, a build that starts a workspace " +
    "fails.",
  attributes: secretAttributes,
  rules: [exactlyOneOf("env", "file")],
});

/** The same secret, in no plan and no state. */
export const ephemeralSecret = ephemeralResource("workspace_secret", {
  doc:
    "A secret that the workspace's owner must have stored, as the data source reads it. Its value is in no " +
    "plan and in no state, so it can only be used where Terraform accepts ephemeral values: in settings of " +
    "providers, write-only arguments, connections, locals and other ephemeral resources.",
  attributes: secretAttributes,
  rules: [exactlyOneOf("env", "file")],
});
