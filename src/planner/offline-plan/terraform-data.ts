import { equals } from "../expression/equality";
import { Value } from "../expression/value";
import {
  type BlockInit,
  providerMethods as methods,
  type ProviderRoutes,
  unary,
} from "../../core/provider-kit/protocol";
import { compile } from "../../core/provider-kit/values";
import { readBlock } from "../../core/provider-kit/core";
import { type CompiledSchema, decoded, encoded } from "./provider-values";

const type = (written: string) => new TextEncoder().encode(JSON.stringify(written));

const block: BlockInit = {
  attributes: [
    { name: "id", type: type("string"), computed: true },
    { name: "input", type: type("dynamic"), optional: true },
    { name: "output", type: type("dynamic"), computed: true },
    { name: "triggers_replace", type: type("dynamic"), optional: true },
  ],
};

const decodedBlock = methods.getProviderSchema.response.decode(
  methods.getProviderSchema.response.encode({ provider: { block } }),
).provider?.block;

function compiled(): CompiledSchema {
  const own = readBlock(decodedBlock);
  return { block: own, version: 0, codec: compile(own.type) };
}

/**
 * Plans `terraform_data`, the resource of Terraform's built-in provider.
 *
 * @see {@link https://developer.hashicorp.com/terraform/language/resources/terraform-data}
 */
export function builtinRoutes(): ProviderRoutes {
  const schema = compiled();
  const nothing = Value.null(schema.block.type);
  return new Map([
    unary(methods.getProviderSchema, () => ({
      provider: {},
      resourceSchemas: { terraform_data: { block } },
    })),
    unary(methods.validateProviderConfig, () => ({})),
    unary(methods.configureProvider, () => ({})),
    unary(methods.validateResourceConfig, () => ({})),
    unary(methods.upgradeResourceState, ({ rawState }) => ({
      upgradedState: { json: rawState?.json ?? new Uint8Array() },
    })),
    unary(methods.planResourceChange, ({ config, priorState }) => {
      const given = decoded(schema, config);
      if (given === undefined) return { plannedState: encoded(schema, nothing) };
      const { planned, isReplaced } = plannedData(given, decoded(schema, priorState));
      return {
        plannedState: encoded(schema, new Value(schema.block.type, planned)),
        requiresReplace: isReplaced ? [{ steps: [{ attributeName: "triggers_replace" }] }] : [],
      };
    }),
  ]);
}

function plannedData(given: Value, prior: Value | undefined) {
  const part = (value: Value, name: string): Value => value.members().get(name) ?? Value.null();
  const input = part(given, "input");
  const isKept = (name: string): boolean =>
    prior !== undefined && equals(part(prior, name), part(given, name)) === true;
  const isReplaced = prior !== undefined && !isKept("triggers_replace");
  const isNew = prior === undefined || isReplaced;
  const open = Value.unknown(input.type);
  // For an update, Terraform does not check for a null input.
  const created = input.isNull ? input : open;
  const updated = isKept("input") ? part(prior ?? given, "output") : open;
  const planned = new Map([
    ["id", isNew ? Value.unknown("string") : part(prior, "id")],
    ["input", input],
    ["output", isNew ? created : updated],
    ["triggers_replace", part(given, "triggers_replace")],
  ]);
  return { planned, isReplaced };
}
