import { TerraformHclModule, TerraformStack, TerraformVariable, Testing } from "cdktf";
import { workspace } from "../../../../src";
import { orderOfScripts } from "../../../../src/core/workspace/script-order/rules";
import { findingsOf, newAgent, newTemplate } from "../template/template";

let stack: TerraformStack;
let main: workspace.Agent;

beforeEach(() => {
  stack = newTemplate();
  main = newAgent(stack);
});

const script = (id: string, props: Partial<workspace.AgentScriptProps> = {}, agent = main) =>
  agent.addScript(id, { script: "true", runOnStart: true, ...props });

const found = () => findingsOf(orderOfScripts, stack);

test("two scripts of an agent, a module and an order for both are accepted", () => {
  const [clone, install, build] = [script("clone"), script("install"), script("build")];
  const tools = new TerraformHclModule(stack, "tools", {
    source: "git::https://example.com/tools.git",
  });
  install.after(clone, { requires: "completion" }).after(tools);
  main.orderScripts({ run: [build], after: [install, clone], phase: "start" });
  expect(found()).toEqual([]);
});

const refusals: readonly (readonly [string, () => unknown, string])[] = [
  [
    "a script of another agent",
    () => script("a").after(script("b", {}, newAgent(stack, "other"))),
    "rules[0].after[0]: must be a script of the same agent: the rule selects Demo/main/a of workspace_agent.main and Demo/other/b of workspace_agent.other",
  ],
  [
    "a script that never exists",
    () => script("a").after(script("b", { count: 0 })),
    'rules[0].after[0]: selects nothing: Demo/main/b has a count of 0 (got "workspace_script.main_b_11D2D93C")',
  ],
  [
    "a script that runs on start and on stop",
    () => script("a").after(script("b", { runOnStop: true })),
    "rules[0].after[0]: must run on start or on stop, but Demo/main/b runs on both",
  ],
  [
    "a script that only has a schedule",
    () => script("a").after(script("b", { runOnStart: false, cron: "0 0 3 * * *" })),
    "rules[0].after[0]: must run on start or on stop, but Demo/main/b does neither",
  ],
  [
    "scripts of different phases",
    () => script("a").after(script("b", { runOnStart: false, runOnStop: true })),
    "rules[0].after[0]: must run in the same phase: Demo/main/b runs on stop, but Demo/main/a runs on start",
  ],
  [
    "another phase than the scripts have",
    () => script("a").after(script("b"), { phase: "stop" }),
    "rules[0].run[0]: must run in the same phase: Demo/main/a runs on start, but the rule's phase is stop",
  ],
  [
    "a script that waits for itself",
    () => {
      const a = script("a");
      a.after(a);
    },
    "rules[0]: a script must not wait for itself: Demo/main/a after Demo/main/a",
  ],
  [
    "a circle",
    () => {
      const [a, b, c] = [script("a"), script("b"), script("c")];
      a.after(b);
      b.after(c);
      main.orderScripts({ run: [c], after: [a] });
    },
    "rules[0]: a script must not wait for itself: Demo/main/c after Demo/main/a after Demo/main/b after Demo/main/c",
  ],
  [
    "two requirements for the same scripts",
    () => {
      const [a, b] = [script("a"), script("b")];
      a.after(b).after(b, { requires: "completion" });
    },
    "rules[0]: Demo/main/a must not wait for both success and completion of Demo/main/b",
  ],
  [
    "an address that no script has",
    () => ordered("workspace_script.clonee", () => new Clone(stack, "clone")),
    'rules[0].after[0]: must be the address of a workspace_script in this stack (got "workspace_script.clonee"); did you mean "workspace_script.clone"?',
  ],
  [
    "the type of another product",
    () => ordered("coder_script.clone", () => new Clone(stack, "clone")),
    'rules[0].after[0]: must be the address of a workspace_script in this stack (got "coder_script.clone")',
  ],
  [
    "an index of a script that has none",
    () => ordered("workspace_script.clone[0]", () => new Clone(stack, "clone")),
    'rules[0].after[0]: must have no index, unless Demo/clone has a count or forEach (got "workspace_script.clone[0]")',
  ],
  [
    "a module that does not exist",
    () => ordered("module.tools"),
    'rules[0].after[0]: must be a module of this stack (got "module.tools")',
  ],
];

class Clone extends workspace.Script {
  constructor(scope: TerraformStack, id: string) {
    super(scope, id, {
      agentId: main.agentId,
      displayName: "Clone",
      script: "true",
      runOnStart: true,
    });
  }
}

function ordered(after: string, declare: () => unknown = () => undefined): void {
  declare();
  new Clone(stack, "run");
  const rules = [{ run: ["workspace_script.run"], after: [after] }];
  new workspace.DataScriptOrder(stack, "order", { rules });
}

test.each(refusals)("%s is refused", (_words, declare, message) => {
  declare();
  expect(found()).toEqual([expect.stringMatching(/^error INVALID_ARGUMENT Demo\//)]);
  expect(found()[0]).toContain(`: ${message}`);
});

test("what only Terraform knows is accepted", () => {
  const count = new TerraformVariable(stack, "count", {}).numberValue;
  const runOnStop = new TerraformVariable(stack, "stop", {}).booleanValue;
  const some = script("some", { count });
  script("a").after([some, script("b", { runOnStart: false, runOnStop })]);
  ordered("workspace_script.${var.name}");
  expect(found()).toEqual([]);
});

describe("the order", () => {
  function synthesized(product?: workspace.Product): string {
    const other = new TerraformStack(Testing.app(), "Demo");
    new workspace.WorkspaceProvider(other, "workspace", { product });
    main = newAgent(other);
    const [clone, install] = [script("clone"), script("install")];
    install.after(clone, { requires: "completion" });
    clone.overrideLogicalId("clone");
    return Testing.synth(other);
  }

  test("has the addresses of the scripts, by their last names and in the product's types", () => {
    const types: readonly (readonly [string, string])[] = [
      ["workspace", synthesized()],
      ["coder", synthesized(workspace.products.coder)],
    ];
    for (const [prefix, text] of types) {
      const { data } = JSON.parse(text) as { data: Record<string, Record<string, unknown>> };
      expect(Object.values(data[`${prefix}_script_order`] ?? {})).toEqual([
        expect.objectContaining({
          rule: [
            {
              run: [expect.stringMatching(`^${prefix}_script\\.main_install_[0-9A-F]{8}$`)],
              after: [`${prefix}_script.clone`],
              requires: "completion",
            },
          ],
        }),
      ]);
    }
  });
});
