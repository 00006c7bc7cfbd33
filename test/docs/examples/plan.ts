import { rmSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../../src/core/json/plain-json";
import type { Workspace } from "../../e2e/support/workspace";

/** What a configuration means, regardless of the language that it is written in. */
interface Meaning {
  readonly values: unknown;
  readonly resources: readonly unknown[];
  readonly providers: unknown;
  readonly outputs: unknown;
  readonly variables: unknown;
}

interface PlanJson {
  readonly planned_values: unknown;
  readonly configuration: {
    readonly provider_config?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly root_module: {
      readonly resources?: readonly { readonly address: string }[];
      readonly outputs?: unknown;
      readonly variables?: unknown;
    };
  };
}

/**
 * Plans a configuration, which replaces the one in the folder.
 *
 * @param file `main.tf` or `main.tf.json`
 * @param plan where the plan is stored
 */
export async function planned(
  workspace: Workspace,
  file: "main.tf" | "main.tf.json",
  text: string,
  plan: string,
): Promise<Meaning> {
  for (const other of ["main.tf", "main.tf.json"]) {
    rmSync(join(workspace.folder, other), { force: true });
  }
  workspace.write(text, file);
  await workspace.run("plan", `-out=${plan}`);
  return meaningOf(JSON.parse((await workspace.run("show", "-json", plan)).stdout) as PlanJson);
}

function meaningOf({ planned_values, configuration }: PlanJson): Meaning {
  const { resources = [], outputs, variables } = configuration.root_module;
  const providers = Object.entries(configuration.provider_config ?? {}).map(
    // Versions are left out: stacks require the build that made them.
    ([name, { expressions }]) => [name, withoutConstants(expressions)],
  );
  return {
    values: planned_values,
    resources: [...resources]
      .sort((a, b) => a.address.localeCompare(b.address))
      .map((resource) => withoutConstants(resource)),
    providers,
    outputs: withoutConstants(outputs),
    variables,
  };
}

/**
 * The references in expressions. How a constant is written is left out: the planned values have it.
 */
function withoutConstants(value: unknown): unknown {
  if (Array.isArray(value)) {
    const all: readonly unknown[] = value;
    return all.every((each) => typeof each === "string")
      ? [...all].sort()
      : all.map(withoutConstants);
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== "constant_value")
      .map(([name, each]) => [name, withoutConstants(each)]),
  );
}
