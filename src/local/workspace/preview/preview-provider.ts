import {
  type BlockInit,
  providerMethods as methods,
  type Reattached,
  type Route,
  startReattach,
  unary,
} from "../../../core/provider-kit/protocol";
import {
  compile,
  type CtyObjectType,
  type CtyRecord,
  type CtyValue,
  DynamicValue,
  isCtyRecord,
} from "../../../core/provider-kit/values";
import { firstReading } from "./rewritten-code";
import { ownValue } from "../../../core/json/plain-json";
import type { PlaceholderOwner } from "../state/placeholder-facts";

/** Source address of the provider that replaces the platform's own. */
export const previewSource = "trivet.local/trivet/preview";

/** The data that Terraform does not have itself: inputs and the owner. */
interface PreviewInputs {
  readonly typePrefix: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly owner: CtyRecord;
  /** True if missing values are the empty string, as the platform's own provider returns them. */
  readonly isImport: boolean;
}

interface Shape {
  readonly attributes: Readonly<Record<string, AttributeType>>;
  readonly added?: readonly string[];
  readonly blocks?: Readonly<Record<string, Shape>>;
}

/** A `dynamic` attribute keeps the type that the template gives it. */
type AttributeType = "dynamic" | "string" | "number";

const dynamic = (...names: readonly string[]): Shape["attributes"] =>
  Object.fromEntries(names.map((name) => [name, "dynamic"]));

const secretNames = ["ssh_private_key", "session_token", "oidc_access_token"];
const ownerNames = [
  "id",
  "name",
  "full_name",
  "email",
  "ssh_public_key",
  "groups",
  "login_type",
  "rbac_roles",
  ...secretNames,
];

/**
 * The data sources that the platform evaluates itself, without their type prefix.
 *
 * In nested blocks, no attribute is dynamic: Terraform crashes if one is unknown (seen with 1.11).
 */
const shapes: Readonly<Record<string, Shape>> = {
  parameter: {
    attributes: dynamic(
      "name",
      "display_name",
      "description",
      "type",
      "form_type",
      "styling",
      "mutable",
      "default",
      "icon",
      "order",
      "ephemeral",
      "id",
      "optional",
      "value",
      firstReading,
    ),
    added: ["id", "optional", "value"],
    blocks: {
      option: {
        attributes: { name: "string", description: "string", value: "string", icon: "string" },
      },
      validation: {
        // The bounds are JSON.
        attributes: {
          min: "string",
          max: "string",
          monotonic: "string",
          regex: "string",
          error: "string",
        },
      },
    },
  },
  workspace_preset: {
    attributes: dynamic("name", "description", "icon", "default", "parameters"),
    blocks: {
      prebuilds: {
        attributes: { instances: "number" },
        blocks: {
          expiration_policy: { attributes: { ttl: "number" } },
          scheduling: {
            attributes: { timezone: "string" },
            blocks: { schedule: { attributes: { cron: "string", instances: "number" } } },
          },
        },
      },
    },
  },
  // Only the type distinguishes a map from an object, which look the same in a plan.
  workspace_tags: { attributes: dynamic("tags", "tags_type"), added: ["tags_type"] },
  workspace_owner: { attributes: dynamic(...ownerNames), added: ownerNames },
  secret: { attributes: dynamic("env", "file", "help_message") },
  external_auth: { attributes: dynamic("id", "optional") },
};

/** Types of the data sources, without their prefix. */
export const previewedTypes: readonly string[] = Object.keys(shapes);

const encoder = new TextEncoder();

function blockOf({ attributes, added = [], blocks = {} }: Shape): BlockInit {
  return {
    attributes: Object.entries(attributes).map(([name, type]) => ({
      name,
      type: encoder.encode(JSON.stringify(type)),
      optional: true,
      computed: added.includes(name),
    })),
    blockTypes: Object.entries(blocks).map(([typeName, nested]) => ({
      typeName,
      nesting: "LIST" as const,
      block: blockOf(nested),
    })),
  };
}

function typeOfShape({ attributes, blocks = {} }: Shape): CtyObjectType {
  const fields = [
    ...Object.entries(attributes),
    ...Object.entries(blocks).map(
      ([name, nested]) => [name, { list: typeOfShape(nested) }] as const,
    ),
  ];
  return { object: fields.map(([name, type]) => ({ wire: name, name, type })) };
}

/**
 * Serves a provider in this process that accepts every value and returns it unchanged. That way, Terraform
 * evaluates a template even if the platform would refuse it, and keeps all types and values.
 *
 * It adds only two things, as the platform does: the value of a parameter, and the owner.
 */
export async function startPreviewProvider(inputs: PreviewInputs): Promise<Reattached> {
  const { typePrefix } = inputs;
  const codecs = new Map(
    Object.entries(shapes).map(
      ([name, shape]) => [typePrefix + name, compile(typeOfShape(shape))] as const,
    ),
  );
  const routes = new Map<string, Route>([
    unary(methods.getProviderSchema, () => ({
      provider: { block: {} },
      dataSourceSchemas: Object.fromEntries(
        Object.entries(shapes).map(([name, shape]) => [
          typePrefix + name,
          { block: blockOf(shape) },
        ]),
      ),
      serverCapabilities: { getProviderSchemaOptional: true },
    })),
    unary(methods.validateProviderConfig, () => ({})),
    unary(methods.configureProvider, () => ({})),
    unary(methods.validateDataResourceConfig, () => ({})),
    unary(methods.stopProvider, () => ({})),
    unary(methods.readDataSource, ({ typeName, config }) => {
      const codec = codecs.get(typeName);
      const read = config === undefined ? undefined : codec?.decode(config.msgpack);
      if (codec === undefined || !isCtyRecord(read)) return {};
      const added = addedTo(typeName.slice(typePrefix.length), read, inputs);
      return { state: { msgpack: codec.encode({ ...read, ...added }) } };
    }),
  ]);
  return await startReattach({ source: previewSource, routes, env: {} });
}

const empty = new DynamicValue("string", "");

function addedTo(
  noun: string,
  config: CtyRecord,
  { parameters, owner, isImport }: PreviewInputs,
): CtyRecord {
  if (noun === "workspace_owner") {
    const secrets = secretNames.map((name): CtyRecord => ({ [name]: isImport ? empty : null }));
    return Object.assign({}, owner, ...secrets) as CtyRecord;
  }
  if (noun === "workspace_tags") return { tags_type: new DynamicValue("string", typeOf(config)) };
  if (noun !== "parameter") return {};
  const name = plain(config["name"]);
  const given = typeof name === "string" ? ownValue(parameters, name) : undefined;
  const fallback = config["default"] ?? null;
  const first = firstValue(config, fallback);
  const value = plain(first) === null && isImport ? empty : first;
  return {
    value: given === undefined ? value : new DynamicValue("string", given),
    optional: new DynamicValue("bool", fallback !== null),
    id: new DynamicValue("string", typeof name === "string" ? name : ""),
  };
}

/** Returns the value that a parameter has in the form, if it may differ from its default. */
function firstValue({ [firstReading]: first }: CtyRecord, fallback: CtyValue): CtyValue {
  if (!(first instanceof DynamicValue) || !Array.isArray(first.value)) return fallback;
  const [value = null] = first.value as readonly CtyValue[];
  return typeof value === "string" ? new DynamicValue("string", value) : null;
}

const plain = (value: CtyValue | undefined): CtyValue | undefined =>
  value instanceof DynamicValue ? value.value : value;

function typeOf({ tags }: CtyRecord): string {
  const type = tags instanceof DynamicValue ? tags.type : "dynamic";
  if (typeof type === "string") return type;
  return "map" in type ? "map of string" : (Object.keys(type)[0] ?? "");
}

/** Returns the attributes of an owner. The platform gives no secrets to a preview. */
export function ownerAttributes(owner: PlaceholderOwner): CtyRecord {
  const text = (value: string) => new DynamicValue("string", value);
  const roles = owner.rbacRoles.map(({ name, org_id }) => ({ name, org_id }));
  const role = {
    object: ["name", "org_id"].map((name) => ({ wire: name, name, type: "string" as const })),
  };
  return {
    id: text(owner.id),
    name: text(owner.name),
    full_name: text(owner.fullName),
    email: text(owner.email),
    ssh_public_key: text(owner.sshPublicKey),
    login_type: text(owner.loginType),
    groups: new DynamicValue({ list: "string" }, owner.groups),
    rbac_roles: new DynamicValue({ list: role }, roles),
  };
}
