import {
  dependable,
  TerraformDataSource,
  TerraformModule,
  TerraformResource,
  TerraformStack,
  type ITerraformDependable,
} from "cdktf";
import type { Construct, IConstruct } from "constructs";

/**
 * Makes `node.addDependency` of a construct, and of the constructs around it, reach Terraform: cdktf
 * itself reads `dependsOn` only.
 */
export function followNodeDependencies(construct: Construct, resource: TerraformResource): void {
  let own = resource.dependsOn;
  Object.defineProperty(resource, "dependsOn", {
    enumerable: true,
    get: (): string[] | undefined => {
      const all = construct.node.scopes.flatMap(({ node }) => node.dependencies);
      if (all.length === 0) return own;
      const texts = all.flatMap((dependency) => addresses(dependency, resource));
      return [...new Set([...(own ?? []), ...texts])];
    },
    set: (dependsOn: string[] | undefined) => {
      own = dependsOn;
    },
  });
}

/** What Terraform must have made before `resource`, so that all of a construct is there. */
function addresses(dependency: IConstruct, resource: TerraformResource): string[] {
  const stack = TerraformStack.of(resource);
  return dependency.node.findAll().flatMap((element) => {
    if (element === resource || !isDependable(element)) return [];
    const other = TerraformStack.of(element);
    if (other === stack) return [addressOf(element)];
    stack.addDependency(other);
    return [];
  });
}

function isDependable(element: IConstruct): element is IConstruct & ITerraformDependable {
  return (
    TerraformResource.isTerraformResource(element) ||
    TerraformDataSource.isTerraformDataSource(element) ||
    element instanceof TerraformModule
  );
}

const known = new WeakMap<ITerraformDependable, string>();

function addressOf(element: ITerraformDependable): string {
  const address = known.get(element) ?? dependable(element);
  known.set(element, address);
  return address;
}
