import { TerraformLocal, TerraformOutput, TerraformStack } from "cdktf";
import { isRecord } from "../../json/plain-json";
import { wireName, type Declaration } from "../../schema";
import { addressOf } from "../graph/address";
import { attributeReferences, type AttributeReference } from "../graph/attribute-references";
import { nodesOf } from "../graph/stack-nodes";
import type { Dialect } from "../product/dialect";
import type { ConstructType, StackContext, StackFinding, Wrapper } from "./construct-type";

interface Guarded {
  readonly construct: Wrapper;
  readonly type: ConstructType;
  readonly dialect: Dialect | undefined;
}

/**
 * Finds outputs that show a sensitive attribute. Terraform refuses this during the plan, but not across
 * stacks. References through locals are followed, those through other resources are not.
 */
export function* secretOutputs(
  context: StackContext,
  members: readonly Guarded[],
): Generator<StackFinding> {
  const owners = members.filter(({ type }) => secretsOf(type.declaration).size > 0);
  if (owners.length === 0) return;
  let guarded: ReadonlyMap<string, Guarded> | undefined;
  const locals = new Map<TerraformStack, Locals>();
  for (const [output, value] of shownOutputs(context)) {
    const stack = TerraformStack.of(output);
    const through = locals.get(stack) ?? new Locals(stack);
    locals.set(stack, through);
    const found = new Set<string>();
    for (const reference of through.references(attributeReferences(output, value))) {
      if ((reference.outside ?? stack) !== context.stack) continue;
      guarded ??= byAddress(owners);
      const owner = guarded.get(reference.address);
      const name = owner && secretName(owner, reference);
      if (owner === undefined || name === undefined) continue;
      const key = `${reference.address}.${name}`;
      if (found.has(key)) continue;
      found.add(key);
      const message = `is a secret that the output ${output.node.path} shows: set \`sensitive: true\` on that output`;
      yield {
        construct: owner.construct,
        finding: { code: "REQUIRES", severity: "error", path: [name], message },
      };
    }
  }
}

/** The outputs of all stacks that Terraform shows, with their values. */
function* shownOutputs(context: StackContext): Generator<[TerraformOutput, unknown]> {
  for (const output of context.stacks.flatMap((stack) => context.nodesOf(stack))) {
    if (!TerraformOutput.isTerraformOutput(output)) continue;
    const body = bodyOf(output);
    // A token can be true.
    if (body !== undefined && (body.sensitive ?? false) === false) yield [output, body.value];
  }
}

function byAddress(owners: readonly Guarded[]): ReadonlyMap<string, Guarded> {
  const map = new Map<string, Guarded>();
  for (const owner of owners) {
    const address = addressOf(owner.construct.resource);
    if (address !== undefined) map.set(address, owner);
  }
  return map;
}

const known = new WeakMap<Declaration, ReadonlyMap<string, string>>();

/** Returns our names of the sensitive attributes, by Terraform's names. */
function secretsOf(declaration: Declaration): ReadonlyMap<string, string> {
  let names = known.get(declaration);
  if (names === undefined) {
    names = new Map(
      Object.entries(declaration.attributes)
        .filter(([, { sensitive }]) => sensitive === true)
        .map(([name, attribute]) => [wireName(name, attribute), name]),
    );
    known.set(declaration, names);
  }
  return names;
}

function secretName(
  { type, dialect }: Guarded,
  { attribute }: AttributeReference,
): string | undefined {
  const ours = attribute && (dialect?.toOurs?.names.get(attribute) ?? attribute);
  return secretOf(type.declaration, ours);
}

/**
 * Returns our name of a sensitive attribute; undefined if the attribute is not sensitive.
 *
 * @param attribute its name in Terraform; undefined for the whole element, where any secret counts
 */
export function secretOf(
  declaration: Declaration,
  attribute: string | undefined,
): string | undefined {
  const names = secretsOf(declaration);
  return attribute === undefined ? [...names.values()][0] : names.get(attribute);
}

interface OutputBody {
  readonly value?: unknown;
  readonly sensitive?: unknown;
}

function bodyOf(output: TerraformOutput): OutputBody | undefined {
  const { output: section } = output.toTerraform() as { readonly output?: object };
  return section === undefined ? undefined : (Object.values(section)[0] as OutputBody);
}

/** Follows references through the locals of a stack, through each once. */
class Locals {
  readonly #stack: TerraformStack;
  #locals: ReadonlyMap<string, TerraformLocal> | undefined;

  constructor(stack: TerraformStack) {
    this.#stack = stack;
  }

  *references(
    found: readonly AttributeReference[],
    seen = new Set<string>(),
  ): Generator<AttributeReference> {
    for (const reference of found) {
      if (reference.outside !== undefined || !reference.address.startsWith("local.")) {
        yield reference;
        continue;
      }
      const { address, attribute } = reference;
      const local = this.#at(address);
      const key = `${address}.${attribute ?? ""}`;
      if (local === undefined || seen.has(key)) continue;
      seen.add(key);
      yield* this.references(attributeReferences(local, part(valueOf(local), attribute)), seen);
    }
  }

  #at(address: string): TerraformLocal | undefined {
    if (this.#locals === undefined) {
      const locals = new Map<string, TerraformLocal>();
      for (const node of nodesOf(this.#stack)) {
        if (node instanceof TerraformLocal) locals.set(addressOf(node) ?? "", node);
      }
      this.#locals = locals;
    }
    return this.#locals.get(address);
  }
}

function valueOf(local: TerraformLocal): unknown {
  const { locals } = local.toTerraform() as { readonly locals?: object };
  return locals === undefined ? undefined : Object.values(locals)[0];
}

/** Returns one value of a literal map; undefined if Terraform computes the map. */
function part(value: unknown, name: string | undefined): unknown {
  if (name === undefined) return value;
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
