import { TerraformProvider, TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { addressOf } from "../graph/address";
import type { StackFinding, Wrapper } from "./construct-type";

interface Owner {
  readonly path: string;
  /** Our construct that the element belongs to. */
  readonly construct: Wrapper | undefined;
}

/**
 * Finds our constructs that have the same name in Terraform as another element.
 *
 * cdktf removes all characters but letters, digits, `_` and `-` from a construct's ID, and silently merges
 * two resources with the same name (`a.b` and `a b` are both `ab`).
 */
export function* nameClashes(
  stack: TerraformStack,
  members: Iterable<Wrapper>,
): Generator<StackFinding> {
  const ours = new Map<IConstruct, Wrapper>();
  for (const construct of members) ours.set(construct.resource, construct);
  const owners = new Map<string, Owner[]>();
  for (const element of stack.node.findAll()) {
    const name = nameOf(element);
    if (name === undefined || TerraformStack.of(element) !== stack) continue;
    const construct = ours.get(element);
    const owner = { construct, path: (construct ?? element).node.path };
    const known = owners.get(name);
    if (known === undefined) owners.set(name, [owner]);
    else known.push(owner);
  }
  for (const [name, all] of owners) if (all.length > 1) yield* clash(name, all);
}

function* clash(name: string, owners: readonly Owner[]): Generator<StackFinding> {
  const blamed = owners.findLast(({ construct }) => construct !== undefined);
  if (blamed?.construct === undefined) return;
  const others = owners.filter((owner) => owner !== blamed).map(({ path }) => path);
  const fix = TerraformProvider.isTerraformProvider(blamed.construct.resource)
    ? "give each provider but one its own alias"
    : "rename one, or call overrideLogicalId";
  yield {
    construct: blamed.construct,
    finding: {
      code: "DUPLICATE",
      severity: "error",
      path: [],
      message: `has the same Terraform name as ${others.join(" and ")} (${name}): ${fix}`,
    },
  };
}

function nameOf(element: IConstruct): string | undefined {
  if (TerraformProvider.isTerraformProvider(element)) return `provider ${element.fqn}`;
  return addressOf(element);
}
