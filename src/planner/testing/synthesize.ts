import { readdirSync } from "node:fs";
import { join } from "node:path";
import { AnnotationMetadataEntryType, Aspects, type IAspect, TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { isObject, parseTrustedJson, type Properties } from "../../core/json/plain-json";
import { packageRoot } from "../../core/process/package-root";
import { builtProviders, type ProviderCatalog } from "../offline-plan/catalog";

/** A stack as Terraform would read it. */
export interface SynthesizedStack {
  /** Terraform's JSON, with the library's comments. */
  readonly content: Properties;
  /** The warnings that constructs have added with `Annotations`. */
  readonly warnings: readonly Remark[];
}

interface Remark {
  readonly construct: IConstruct;
  readonly message: string;
}

/**
 * Synthesizes a stack as `app.synth()` does, in memory: aspects, validations and references between stacks included.
 *
 * @throws Error if a validation fails, or if an error was added to a construct
 */
export function synthesize(stack: TerraformStack): SynthesizedStack {
  // References to other stacks add elements to both.
  for (const each of stack.node.root.node.findAll()) {
    if (TerraformStack.isStack(each)) each.prepareStack();
  }
  visit(stack, []);
  stack.runAllValidations();
  const errors = remarks(stack, AnnotationMetadataEntryType.ERROR);
  if (errors.length > 0) {
    const texts = errors.map(({ construct, message }) => `[${construct.node.path}] ${message}`);
    throw new Error(`The stack has errors:\n  ${texts.join("\n  ")}`);
  }
  const content = parseTrustedJson(JSON.stringify(stack.toTerraform()));
  return {
    content: isObject(content) ? content : {},
    warnings: remarks(stack, AnnotationMetadataEntryType.WARN),
  };
}

/** Visits constructs with the aspects of their scopes, each of which sees a construct once. */
function visit(construct: IConstruct, inherited: readonly IAspect[]): void {
  const aspects = new Set([...inherited, ...Aspects.of(construct).all]);
  for (const aspect of aspects) aspect.visit(construct);
  for (const child of construct.node.children) visit(child, [...aspects]);
}

const remarks = (stack: TerraformStack, level: string): readonly Remark[] =>
  stack.node
    .findAll()
    .flatMap((construct) =>
      construct.node.metadata
        .filter(({ type }) => type === level)
        .map(({ data }) => ({ construct, message: String(data) })),
    );

let catalog: ProviderCatalog | undefined;

/**
 * Returns the providers of this package. Each is loaded once, when a stack first needs it.
 *
 * @throws Error if they are not built
 */
export function ownProviders(): ProviderCatalog {
  catalog ??= builtProviders(providersIn(join(packageRoot(), "dist", "providers")));
  return catalog;
}

function providersIn(folder: string): Parameters<typeof builtProviders>[0] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => ({ name, folder: join(folder, name) }));
  } catch (cause) {
    throw new Error(
      `The providers are not built: ${folder} cannot be read. Run \`npm run build\` in the checkout, or reinstall the package.`,
      { cause },
    );
  }
}
