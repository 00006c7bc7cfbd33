import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { TerraformStack, Testing } from "cdktf";
import type { Construct } from "constructs";
import { providerNames } from "../../provider-names";
import { root } from "../page";

/** The two files of an example. */
export interface Example {
  readonly provider: string;
  /** The page that shows it, without its ending: `index`, `resources/endpoint`. */
  readonly page: string;
  readonly folder: string;
}

const under = (folder: string, file: RegExp): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => file.test(path))
    .map((path) => path.replace(file, ""))
    .sort();

/** The pages of a provider in the reference that need an example: a list is queried, and not deployed. */
export const pagesOf = (provider: string): string[] =>
  under(`docs/reference/${provider}`, /\.md$/).filter(
    (page) => !page.startsWith("list-resources/"),
  );

/** All examples. */
export const examples: readonly Example[] = providerNames.flatMap((provider) =>
  under(`examples/${provider}`, /\/main\.(?:tf|ts)$/)
    .filter((page, at, all) => page !== all[at - 1])
    .map((page) => ({ provider, page, folder: join(root, "examples", provider, page) })),
);

/** The HCL of an example. */
export const hclOf = ({ folder }: Example): string => readFileSync(join(folder, "main.tf"), "utf8");

type StackClass = new (scope: Construct, id: string) => TerraformStack;

/** What the TypeScript of an example synthesizes, for a folder that needs no `terraform init`. */
export async function synthesized({ folder }: Example): Promise<string> {
  const file = join(folder, "main.ts");
  if (!existsSync(file)) throw new Error(`${file} is missing`);
  const exported = Object.values((await import(file)) as Readonly<Record<string, unknown>>);
  const isStack = (value: unknown): value is StackClass =>
    typeof value === "function" && value.prototype instanceof TerraformStack;
  const [Stack] = exported.filter(isStack);
  if (Stack === undefined) throw new Error(`${file} exports no stack`);
  const json = JSON.parse(Testing.synth(new Stack(Testing.app(), "Example"), true)) as {
    terraform: Record<string, unknown>;
  };
  // Only `init` may choose a place for the state.
  Reflect.deleteProperty(json.terraform, "backend");
  return JSON.stringify(json);
}
