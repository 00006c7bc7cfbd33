import { TerraformResource, TerraformStack, Testing } from "cdktf";
import type { Construct, IConstruct } from "constructs";
import { workspace } from "../../../../src";
import { CheckedConstruct, type StackMember, type StackRule } from "../../../../src/core/construct";
import { synthesizedBody } from "../../../../src/core/construct/cdktf-internals/binding";
import { AppView } from "../../../../src/core/construct/check/app-view";
import { declaredValues } from "../../../../src/core/construct/check/synthesized-values";
import { formatPath, type Declaration } from "../../../../src/core/schema";
import { agent, externalAgent } from "../../../../src/core/workspace/agent/declare";
import { aiTask, task } from "../../../../src/core/workspace/ai-task/declare";
import { externalAuth, secret } from "../../../../src/core/workspace/workspace-owner/declare";
import { app } from "../../../../src/core/workspace/app/declare";
import { parameter } from "../../../../src/core/workspace/parameter/declare";
import { scriptOrder } from "../../../../src/core/workspace/script-order/declare";
import { workspacePreset } from "../../../../src/core/workspace/preset/declare";
import { devcontainer } from "../../../../src/core/workspace/devcontainer/declare";
import { env } from "../../../../src/core/workspace/env/declare";
import { metadata } from "../../../../src/core/workspace/metadata/declare";
import { workspaceProvider } from "../../../../src/core/workspace/provider/declare";
import { script } from "../../../../src/core/workspace/script/declare";

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
    if (!("terraformResourceType" in resource)) return [];
    const type = resource.terraformResourceType.replace(/^coder(?=_|$)/, "workspace");
    const declaration = declarations.get(type);
    const body = synthesizedBody(resource);
    if (declaration === undefined || body === undefined) return [];
    const values = declaredValues(body, declaration);
    const ruled = { name: construct.constructor.name, declaration, stackRules: [] };
    return [{ construct, type: ruled, values }];
  });
}
