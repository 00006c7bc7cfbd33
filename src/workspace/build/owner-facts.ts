import { isObject } from "../../json/is-object";
import type { EnvironmentVariables } from "./environment-variables";
import { type Reading, type ReadVariable, readJsonList } from "./reading";

export interface RbacRole {
  readonly name: string;
  /** Empty for a role that belongs to no organization. */
  readonly orgId: string;
}

/** Whose workspace is built. */
export interface OwnerFacts {
  /** Empty when the platform names none, as while a template is imported. */
  readonly id: string;
  /** The login name. @default "default" */
  readonly name: string;
  /** @default "default" */
  readonly fullName: string;
  /** @default "default@example.com" */
  readonly email: string;
  /** Empty when the platform does not say. */
  readonly loginType: string;
  readonly groups: Reading<readonly string[]>;
  /** Keys of a role that are not known are ignored; one that is missing is the empty text. */
  readonly rbacRoles: Reading<readonly RbacRole[]>;
  readonly sshPublicKey: string;
  /** A secret. */
  readonly sshPrivateKey: string;
  /** A secret; only while a workspace starts. */
  readonly sessionToken: string;
  /** A secret; empty unless the owner logged in by OIDC. */
  readonly oidcAccessToken: string;
}

export function readOwnerFacts(variables: EnvironmentVariables, read: ReadVariable): OwnerFacts {
  const text = (variable: string, otherwise = "") => read(variable) ?? otherwise;
  return {
    id: text(variables.ownerId),
    name: text(variables.ownerName, "default"),
    fullName: text(variables.ownerFullName, "default"),
    email: text(variables.ownerEmail, "default@example.com"),
    loginType: text(variables.ownerLoginType),
    groups: readJsonList(
      variables.ownerGroups,
      read(variables.ownerGroups),
      "a JSON array of texts",
      (value) => (typeof value === "string" ? value : undefined),
    ),
    rbacRoles: readJsonList(
      variables.ownerRbacRoles,
      read(variables.ownerRbacRoles),
      'a JSON array of objects with the texts "name" and "org_id"',
      rbacRole,
    ),
    sshPublicKey: text(variables.ownerSshPublicKey),
    sshPrivateKey: text(variables.ownerSshPrivateKey),
    sessionToken: text(variables.ownerSessionToken),
    oidcAccessToken: text(variables.ownerOidcAccessToken),
  };
}

function rbacRole(value: unknown): RbacRole | undefined {
  if (!isObject(value)) return undefined;
  const name = value["name"] ?? "";
  const orgId = value["org_id"] ?? "";
  return typeof name === "string" && typeof orgId === "string" ? { name, orgId } : undefined;
}
