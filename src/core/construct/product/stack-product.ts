import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { LocalBackend, TerraformBackend, TerraformStack } from "cdktf";
import type { IConstruct } from "constructs";
import { isRecord, parseTrustedJson } from "../../json/plain-json";
import type { Declaration, Finding } from "../../schema";
import { nodesOf } from "../graph/stack-nodes";
import { entryPoints } from "../library/library";
import { sliceOf } from "./dialect";
import { type Product, product as trivet } from "./product";

interface Choice {
  readonly product: Product;
  /** The path of the first construct of the slice. */
  readonly by: string;
  readonly isProvider: boolean;
}

const choices = new WeakMap<TerraformStack, Map<string, Choice>>();

const choiceOf = (construct: IConstruct, slice: string): Choice | undefined =>
  choices.get(TerraformStack.of(construct))?.get(slice);

/**
 * Returns the product that the constructs of a slice (`ids`, `workspace`) serve in the stack of a construct.
 */
export function productOf(construct: IConstruct, slice: string): Product {
  return choiceOf(construct, slice)?.product ?? trivet;
}

/** Fixes the product of a slice when the stack gets its first construct of the slice. */
export function fixProduct(
  stack: TerraformStack,
  construct: IConstruct,
  declaration: Declaration,
  product: Product,
): void {
  const slice = sliceOf(declaration);
  const settled = choices.get(stack) ?? new Map<string, Choice>();
  if (settled.has(slice)) return;
  const isProvider = declaration.kind === "provider";
  settled.set(slice, { product, by: construct.node.path, isProvider });
  choices.set(stack, settled);
}

/** Returns why a provider cannot select a product; undefined if it can. */
export function wrongProduct(
  scope: IConstruct,
  declaration: Declaration,
  product: Product,
): Finding | undefined {
  const slice = sliceOf(declaration);
  const got = shown(product);
  if (!Object.hasOwn(product.providers, slice)) {
    const has = Object.keys(product.providers).join(", ");
    return finding(
      "INVALID_ARGUMENT",
      `must be a product with a provider for ${slice} (got ${got}, which has ${has})`,
    );
  }
  const settled = choiceOf(scope, slice);
  if (settled === undefined || settled.product === product) return undefined;
  const other = shown(settled.product);
  return finding(
    "CONFLICT",
    settled.isProvider
      ? `must be ${other}, as in ${settled.by}: all ${slice} providers of a stack use the same product (got ${got})`
      : `must be set before the first ${slice} construct of the stack, but ${settled.by} already uses ${other} (got ${got}): create this provider first`,
  );
}

/** Returns why a declaration cannot be used with a product; undefined if it can. */
export function notInProduct({ kind }: Declaration, product: Product): Finding | undefined {
  if (product === trivet || (kind !== "ephemeral resource" && kind !== "action")) return undefined;
  return {
    ...finding("INVALID_ARGUMENT", `cannot be used with ${shown(product)}, which has no ${kind}s`),
    path: [],
  };
}

const shown = ({ name, version }: Product): string =>
  JSON.stringify(version === undefined ? name : `${name} ${version}`);

const finding = (code: Finding["code"], message: string): Finding => ({
  code,
  severity: "error",
  path: ["product"],
  message,
});

const stacks = new WeakSet<TerraformStack>();

/**
 * Gives a stack the state file that the product's platform reads, unless it has a backend when it is synthesized. cdktf's
 * own default is an absolute path on the machine of the author.
 */
export function defaultStateFile(
  stack: TerraformStack,
  declaration: Declaration,
  product: Product,
): void {
  const path = product.providers[sliceOf(declaration)]?.stateFile;
  if (path === undefined || stacks.has(stack)) return;
  stacks.add(stack);
  // cdktf calls it when it prepares the stack, to add its own default.
  stack.ensureBackendExists = () => backendIn(nodesOf(stack)) ?? new LocalBackend(stack, { path });
}

/** Returns the backend among the constructs of a stack; undefined if it has none yet. */
export const backendIn = (nodes: readonly IConstruct[]): TerraformBackend | undefined =>
  nodes.find((each): each is TerraformBackend => TerraformBackend.isBackend(each));

const versions = new Map<string, string | undefined>();

/**
 * Returns the version of a provider of this package: the version that the build recorded, otherwise that of
 * the package. Undefined if neither can be found, as in an application that bundles this package.
 */
export function providerVersion(name: string): string | undefined {
  if (!versions.has(name)) versions.set(name, versionIn(packageRoot(__dirname), name));
  return versions.get(name);
}

/** Returns the provider version of a build of the package at `root`; see {@link providerVersion}. */
export function versionIn(root: string | undefined, provider: string): string | undefined {
  if (root === undefined) return undefined;
  return (
    stringIn(join(root, "dist", "providers", "versions.json"), provider) ??
    stringIn(join(root, "package.json"), "version")
  );
}

function stringIn(file: string, name: string): string | undefined {
  let content: string;
  try {
    content = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  const parsed = parseTrustedJson(content);
  const value = isRecord(parsed) && Object.hasOwn(parsed, name) ? parsed[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** Returns the package's folder: the nearest one above this file that contains our package.json. */
function packageRoot(from: string): string | undefined {
  const manifest = join(from, "package.json");
  if (existsSync(manifest))
    return stringIn(manifest, "name") === entryPoints.cdktf ? from : undefined;
  const parent = dirname(from);
  return parent === from ? undefined : packageRoot(parent);
}
