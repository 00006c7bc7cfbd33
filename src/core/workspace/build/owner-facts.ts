import { isObject, parsedJson } from "../../json/plain-json";
import type { EnvironmentVariables } from "./environment-variables";

interface RbacRole {
  readonly name: string;
  /** Empty for a role that is not bound to an organization. */
  readonly orgId: string;
}

/** The owner of the workspace that is built. Strings are empty if the platform does not set them. */
export interface OwnerFacts {
  /** Empty if the platform sets none, for example during a template import. */
  readonly id: string;
  /** The login name. @default "default" */
  readonly name: string;
  /** @default "default" */
  readonly fullName: string;
  /** @default "default@example.com" */
  readonly email: string;
  readonly loginType: string;
  readonly groups: Reading<readonly string[]>;
  /** Unknown keys of a role are ignored. A missing key becomes the empty string. */
  readonly rbacRoles: Reading<readonly RbacRole[]>;
  readonly sshPublicKey: string;
  /** A secret. */
  readonly sshPrivateKey: string;
  /** A secret. Set only when a workspace starts. */
  readonly sessionToken: string;
  /** A secret. Empty unless the owner logged in with OpenID Connect. */
  readonly oidcAccessToken: string;
}

/** Reads the data about the owner. Invalid lists are reported as a {@link Reading}, not thrown. */
export function readOwnerFacts(variables: EnvironmentVariables, read: ReadVariable): OwnerFacts {
  const valueOf = (variable: string, otherwise = "") => read(variable) ?? otherwise;
  return {
    id: valueOf(variables.ownerId),
    name: valueOf(variables.ownerName, "default"),
    fullName: valueOf(variables.ownerFullName, "default"),
    email: valueOf(variables.ownerEmail, "default@example.com"),
    loginType: valueOf(variables.ownerLoginType),
    groups: readJsonList(
      variables.ownerGroups,
      read(variables.ownerGroups),
      "a JSON array of strings",
      (value) => (typeof value === "string" ? value : undefined),
    ),
    rbacRoles: readJsonList(
      variables.ownerRbacRoles,
      read(variables.ownerRbacRoles),
      'a JSON array of objects with the strings "name" and "org_id"',
      rbacRole,
    ),
    sshPublicKey: valueOf(variables.ownerSshPublicKey),
    sshPrivateKey: valueOf(variables.ownerSshPrivateKey),
    sessionToken: valueOf(variables.ownerSessionToken),
    oidcAccessToken: valueOf(variables.ownerOidcAccessToken),
  };
}

function rbacRole(value: unknown): RbacRole | undefined {
  if (!isObject(value)) return undefined;
  const name = value["name"] ?? "";
  const orgId = value["org_id"] ?? "";
  return typeof name === "string" && typeof orgId === "string" ? { name, orgId } : undefined;
}

/** Returns the value of a variable, or undefined if it is missing or empty. */
export type ReadVariable = (variable: string) => string | undefined;

/**
 * The value of a variable, or the problem with it.
 *
 * The problem is a full sentence with the name of the variable and the expected content, never the value.
 */
export type Reading<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly problem: string };

/**
 * Reads a JSON array. A missing or empty value and `null` are the empty list: the platform uses all three for
 * "none".
 *
 * @param elements the required content of the array, for the message
 * @param element reads one element; returns undefined if it is invalid
 */
function readJsonList<Element>(
  variable: string,
  json: string | undefined,
  elements: string,
  element: (value: unknown) => Element | undefined,
): Reading<readonly Element[]> {
  if (json === undefined || json.trim() === "") return { ok: true, value: [] };
  const invalid = {
    ok: false,
    problem: `${variable} must contain ${elements}, or be empty.`,
  } as const;
  const parsed = parsedJson(json);
  if (parsed === null) return { ok: true, value: [] };
  if (!Array.isArray(parsed)) return invalid;
  const read = parsed.map(element);
  const value = read.filter((one) => one !== undefined);
  return value.length === read.length ? { ok: true, value } : invalid;
}
