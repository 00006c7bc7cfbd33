import { TerraformProvider } from "cdktf";
import type { IConstruct } from "constructs";
import { addressOf } from "../graph/address";
import type { StackContext, StackFinding, Wrapper } from "./construct-type";

/**
 * Finds our constructs that have the same name in Terraform as another element.
 *
 * cdktf removes all characters but letters, digits, `_` and `-` from a construct's ID, and silently merges
 * two resources with the same name (`a.b` and `a b` are both `ab`).
 *
 * @param members our constructs of the stack
 */
export function* nameClashes(
  context: StackContext,
  members: Iterable<Wrapper>,
): Generator<StackFinding> {
  const named = new Map<string, IConstruct>();
  const clashing = new Map<string, IConstruct[]>();
  for (const node of context.nodesOf()) {
    const name = nameOf(node);
    if (name === undefined) continue;
    const first = named.get(name);
    if (first === undefined) named.set(name, node);
    else clashing.set(name, [...(clashing.get(name) ?? [first]), node]);
  }
  if (clashing.size === 0) return;
  const ours = new Map<IConstruct, Wrapper>();
  for (const construct of members) ours.set(construct.resource, construct);
  for (const [name, elements] of clashing) {
    const owners = elements.map((element) => {
      const construct = ours.get(element);
      return { construct, path: (construct ?? element).node.path };
    });
    yield* clash(name, owners);
  }
}

interface Owner {
  readonly path: string;
  /** Our construct that the element belongs to. */
  readonly construct: Wrapper | undefined;
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
