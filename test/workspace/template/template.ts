import { TerraformResource, TerraformStack, Testing } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { workspace } from "../../../src";
import {
  CheckedConstruct,
  type ConstructType,
  type StackMember,
  type StackRule,
} from "../../../src/construct";
import { synthesizedBody } from "../../../src/construct/cdktf-internals/binding";
import { AppView } from "../../../src/construct/check/app-view";
import { declaredValues } from "../../../src/construct/check/synthesized-values";
import { formatPath, type Declaration } from "../../../src/schema";
import { agent } from "../../../src/workspace/agent/declare";
import { aiTask } from "../../../src/workspace/ai-task/declare";
import { externalAuth } from "../../../src/workspace/external-auth/declare";
import { app } from "../../../src/workspace/app/declare";
import { parameter } from "../../../src/workspace/parameter/declare";
import { scriptOrder } from "../../../src/workspace/script-order/declare";
import { secret } from "../../../src/workspace/secret/declare";
import { task } from "../../../src/workspace/task/declare";
import { workspacePreset } from "../../../src/workspace/preset/declare";
import { devcontainer } from "../../../src/workspace/devcontainer/declare";
import { env } from "../../../src/workspace/env/declare";
import { externalAgent } from "../../../src/workspace/external-agent/declare";
import { metadata } from "../../../src/workspace/metadata/declare";
import { workspaceProvider } from "../../../src/workspace/provider/declare";
import { script } from "../../../src/workspace/script/declare";

export { newAgent } from "../synthesized";

/** A stack with the provider. */
export function newTemplate(
  props: workspace.WorkspaceProviderProps = {},
  name = "Demo",
  app = Testing.app(),
): TerraformStack {
  const stack = new TerraformStack(app, name);
  new workspace.WorkspaceProvider(stack, "workspace", props);
  return stack;
}

/** A resource of another provider. */
export class Machine extends TerraformResource {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(scope: Construct, id: string, values: Readonly<Record<string, unknown>> = {}) {
    super(scope, id, { terraformResourceType: "vm_machine" });
    this.#values = values;
  }

  get id(): string {
    return this.getStringAttribute("id");
  }

  get ip(): string {
    return this.getStringAttribute("ip");
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return { ...this.#values };
  }
}

const declarations = new Map<string, Declaration>(
  [
    agent,
    aiTask,
    app,
    devcontainer,
    env,
    externalAgent,
    externalAuth,
    metadata,
    parameter,
    script,
    scriptOrder,
    secret,
    task,
    workspacePreset,
    workspaceProvider,
  ].map((declaration) => [declaration.type, declaration]),
);

/** What a rule finds in a stack: `error DUPLICATE Demo/b: slug: must …`. */
export function findingsOf(rule: StackRule, stack: TerraformStack): readonly string[] {
  return [...rule(membersOf(stack), new AppView(stack.node.root).contextOf(stack))].map(
    ({ construct, finding: { severity, code, path, message } }) =>
      `${severity} ${code} ${construct.node.path}: ${formatPath(path)}: ${message}`,
  );
}

const isChecked = (construct: IConstruct): construct is CheckedConstruct =>
  construct instanceof CheckedConstruct;

function membersOf(stack: TerraformStack): StackMember[] {
  return stack.node.findAll().flatMap((construct) => {
    if (!isChecked(construct)) return [];
    const { resource } = construct;
    const type = resource.terraformResourceType.replace(/^coder(?=_|$)/, "workspace");
    const declaration = declarations.get(type);
    const body = synthesizedBody(resource);
    if (declaration === undefined || body === undefined) return [];
    const values = declaredValues(body, declaration);
    const ruled: ConstructType = { name: construct.constructor.name, declaration };
    return [{ construct, type: ruled, values }];
  });
}
