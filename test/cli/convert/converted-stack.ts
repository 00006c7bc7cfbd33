import type { TerraformStack } from "cdktf";
import type { Construct } from "constructs";
import { transformSync } from "esbuild";

type StackClass = new (scope: Construct, id: string) => TerraformStack;

/** Returns the class of the stack that a conversion has written. */
export function stackClass(source: string): StackClass {
  const { code } = transformSync(source, { loader: "ts", format: "cjs" });
  const module: { exports: Record<string, unknown> } = { exports: {} };
  // The code is what this package has written.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const run = new Function("require", "module", "exports", code) as (
    require: (name: string) => unknown,
    module: unknown,
    exports: unknown,
  ) => void;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the name is that of a package
  run((name) => require(name) as unknown, module, module.exports);
  return module.exports["MainStack"] as StackClass;
}
