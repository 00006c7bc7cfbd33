import { TerraformProvider } from "cdktf";
import { sliceOf, type Dialect } from "../product/dialect";
import type { ConstructType, StackContext, StackFinding, Wrapper } from "./construct-type";

interface Element {
  readonly construct: Wrapper;
  readonly type: ConstructType;
  readonly dialect: Dialect | undefined;
}

/**
 * Finds the first construct of each provider that the stack lacks.
 *
 * cdktf has such a check, which suggests a provider of another package. `withoutProviderCheck` turns it off
 * for our constructs.
 */
export function* missingProviders(
  context: StackContext,
  elements: readonly Element[],
): Generator<StackFinding> {
  const present = new Set<string | undefined>();
  for (const node of context.nodesOf()) {
    if (TerraformProvider.isTerraformProvider(node)) {
      present.add(node.terraformGeneratorMetadata?.providerName);
    }
  }
  for (const { construct, type, dialect } of elements) {
    const slice = sliceOf(type.declaration);
    const name = dialect?.provider ?? slice;
    if (type.declaration.kind === "provider" || present.has(name)) continue;
    present.add(name);
    const className = `${slice}.${slice.charAt(0).toUpperCase()}${slice.slice(1)}Provider`;
    const message = `needs a provider in its stack: add \`new ${className}(this, "${slice}", { … })\``;
    yield { construct, finding: { code: "MISSING", severity: "error", path: [], message } };
  }
}
