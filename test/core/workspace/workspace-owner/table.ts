import type { BuildRow } from "../../../accept/table";
import { anyUuid, noBuild, startBuild, uuid, variable } from "../environment";
import type { Kinds, Noun } from "../../../accept/noun";
import { rowsByKind, rowsOn } from "../../../accept/row";

const base = {};

const outputs: Kinds = {
  email: "string",
  fullName: "string",
  groups: "list",
  id: "string",
  loginType: "string",
  name: "string",
  oidcAccessToken: "string",
  rbacRoles: "list",
  sessionToken: "string",
  sshPrivateKey: "string",
  sshPublicKey: "string",
};

const { accepts, build } = rowsOn(base);

const inBuild = (name: string, value: string) => ({ ...startBuild, [name]: value });

const groups: readonly BuildRow[] = [
  ...["", " ", "null", "[]"].map((text) =>
    build(`treats ${JSON.stringify(text)} as no groups`, {}, inBuild(variable.ownerGroups, text), {
      outputs: { groups: [] },
    }),
  ),
  build("reads groups", {}, inBuild(variable.ownerGroups, '["everyone","admins"]'), {
    outputs: { groups: ["everyone", "admins"] },
  }),
  ...['["hush"', '{"hush":1}', '["hush",1]', '[null,"hush"]', "hush", '["hush"] more'].map((text) =>
    build(`refuses the groups ${text}`, {}, inBuild(variable.ownerGroups, text), {
      refused: [/TRIVET_WORKSPACE_OWNER_GROUPS/],
      secrets: ["hush"],
    }),
  ),
];

const roles: readonly BuildRow[] = [
  ...["", "null", "[]"].map((text) =>
    build(
      `treats ${JSON.stringify(text)} as no roles`,
      {},
      inBuild(variable.ownerRbacRoles, text),
      {
        outputs: { rbacRoles: [] },
      },
    ),
  ),
  build(
    "reads roles, of an organization or site-wide",
    {},
    inBuild(
      variable.ownerRbacRoles,
      `[{"name":"member","org_id":"${uuid}"},{"name":"owner"},{"name":"x","org_id":"","more":1}]`,
    ),
    {
      outputs: {
        rbacRoles: [
          { name: "member", orgId: uuid },
          { name: "owner", orgId: "" },
          { name: "x", orgId: "" },
        ],
      },
    },
  ),
  ...[
    '[{"name":1,"hush":2}]',
    '["hush"]',
    '{"hush":1}',
    "hush",
    '[{"name":"hush","org_id":5}]',
  ].map((text) =>
    build(`refuses the roles ${text}`, {}, inBuild(variable.ownerRbacRoles, text), {
      refused: [/TRIVET_WORKSPACE_OWNER_RBAC_ROLES/],
      secrets: ["hush"],
    }),
  ),
];

const builds: readonly BuildRow[] = [
  build("has placeholders outside a build", {}, noBuild, {
    outputs: {
      email: "default@example.com",
      fullName: "default",
      groups: [],
      id: anyUuid,
      loginType: "",
      name: "default",
      oidcAccessToken: "",
      rbacRoles: [],
      sessionToken: "",
      sshPrivateKey: "",
      sshPublicKey: "",
    },
  }),
  build(
    "reads the build data",
    {},
    {
      ...startBuild,
      [variable.ownerEmail]: "ada@example.org",
      [variable.ownerFullName]: "Ada Lovelace",
      [variable.ownerId]: uuid,
      [variable.ownerLoginType]: "oidc",
      [variable.ownerName]: "ada",
      [variable.ownerOidcAccessToken]: "oidc-secret",
      [variable.ownerSessionToken]: "session-secret",
      [variable.ownerSshPrivateKey]: "private-secret",
      [variable.ownerSshPublicKey]: "ssh-ed25519 AAAA",
    },
    {
      outputs: {
        email: "ada@example.org",
        fullName: "Ada Lovelace",
        id: uuid,
        loginType: "oidc",
        name: "ada",
        oidcAccessToken: "oidc-secret",
        sessionToken: "session-secret",
        sshPrivateKey: "private-secret",
        sshPublicKey: "ssh-ed25519 AAAA",
      },
    },
  ),
  build("treats an empty name as missing", {}, inBuild(variable.ownerName, ""), {
    outputs: { name: "default" },
  }),
  ...groups,
  ...roles,
];

/** The spec's getWorkspaceOwner. */
export const dataWorkspaceOwner: Noun = {
  kind: "data source",
  typeName: "workspace_workspace_owner",
  construct: "workspace.DataWorkspaceOwner",
  base,
  inputs: {},
  outputs,
  wire: {},
  rows: [accepts("nothing", {}), ...rowsByKind({ base, inputs: {}, outputs })],
  builds,
  changes: [],
};
