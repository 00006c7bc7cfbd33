import { type Json, JudgedPlans, stackOf } from "./judged-plans";

const script = { agent_id: "agent-0", display_name: "x", script: "x", run_on_start: true };
const message = "no";
const validated = (name: string, condition: string, rest: Json = {}): Json => ({
  variable: {
    [name]: { default: "bad", validation: { condition, error_message: message }, ...rest },
  },
});
const secret = { secret: { type: "string", default: "hidden", sensitive: true } };
const ephemeral = { token: { type: "string", default: "x", ephemeral: true } };

/** Stacks that Terraform refuses, and the finding here. */
const refused: Readonly<Record<string, { parts?: Json; others?: Json; finding: string }>> = {
  "a value that a variable's validation does not allow": {
    others: validated("v", '${var.v == "good"}'),
    finding: "var.v: A validation is not met: no",
  },
  "a validation that does not refer to its variable": {
    others: validated("v", "${1 == 1}"),
    finding: "var.v: Invalid configuration: The condition must refer to var.v.",
  },
  "a reserved name of a variable": {
    others: { variable: { count: { default: 1 } } },
    finding:
      'var.count: Invalid configuration: The name "count" is reserved for arguments of modules. Choose another name.',
  },
  "an output whose precondition is not met": {
    others: {
      output: {
        o: { value: "x", precondition: { condition: "${1 == 2}", error_message: message } },
      },
    },
    finding: "output.o: A precondition is not met: no",
  },
  "an import of what is not in the stack": {
    others: { import: { to: "workspace_script.gone", id: "x" } },
    finding:
      "import: Invalid configuration: import names workspace_script.gone, which is not in the stack. " +
      "Add the resource, or remove the import block.",
  },
  "an attribute that does not exist, also inside of try": {
    parts: {
      "workspace_script.a": script,
      "workspace_script.b": { ...script, script: '${try(workspace_script.a.nope, "d")}' },
    },
    finding: 'workspace_script.b: Invalid expression: workspace_script.a has no attribute "nope".',
  },
  "a key of what is not repeated, also inside of try": {
    parts: { "workspace_script.a": script },
    others: { locals: { l: '${try(workspace_script.a["x"].id, "d")}' } },
    finding:
      "local.l: Invalid expression: workspace_script.a has neither count nor for_each. Remove the key after it.",
  },
  "an attribute of all instances, also inside of can": {
    parts: { "workspace_script.a": { ...script, count: 1 } },
    others: { locals: { l: "${can(workspace_script.a.id)}" } },
    finding:
      'local.l: Invalid expression: workspace_script.a has several instances. Write the key of an instance before ".id".',
  },
  "self outside of a postcondition, also inside of try": {
    parts: {
      "workspace_script.a": {
        ...script,
        lifecycle: {
          precondition: { condition: '${try(self.script, "") == ""}', error_message: message },
        },
      },
    },
    finding: "workspace_script.a: Invalid expression: self can only be used in postconditions.",
  },
  "an attribute of all instances, where there is no instance that uses it": {
    parts: {
      "workspace_script.a": { ...script, count: 1 },
      "workspace_script.b": { ...script, script: "${try(workspace_script.a.script, 1)}", count: 0 },
    },
    finding:
      'workspace_script.b: Invalid expression: workspace_script.a has several instances. Write the key of an instance before ".script".',
  },
  "an assertion about what is not there": {
    others: {
      check: {
        c: { assert: { condition: "${can(workspace_script.a.id)}", error_message: message } },
      },
    },
    finding: "check.c: Invalid expression: There is no workspace_script.a in the stack.",
  },
  "an ephemeral value in an output": {
    others: { variable: ephemeral, output: { o: { value: "a ${var.token}" } } },
    finding:
      "output.o: Invalid expression: value uses var.token, which is ephemeral, so Terraform must not store it.",
  },
  "an ephemeral value in a resource, through a local": {
    parts: { "workspace_script.a": { ...script, script: "${local.l}" } },
    others: { variable: ephemeral, locals: { l: "${[var.token]}" } },
    finding:
      "workspace_script.a: Invalid expression: script uses var.token, which is ephemeral, so Terraform must not store it.",
  },
};

let plans: JudgedPlans;

beforeAll(async () => {
  plans = await JudgedPlans.open();
});

afterAll(() => plans.close());

test.each(Object.entries(refused))(
  "%s is refused, as by Terraform",
  async (_, { parts = {}, others = {}, finding }) => {
    const { ours, refusals } = await plans.plan(stackOf([parts], others));
    expect(refusals).not.toEqual([]);
    const found = ours.diagnostics.map(
      ({ address, summary, detail }) => `${address}: ${summary}: ${detail}`,
    );
    expect(found).toEqual([finding]);
  },
);

/** Stacks that Terraform plans, and what it plans for data sources. */
const planned: Readonly<Record<string, { deployed?: Json; parts: Json; others?: Json }>> = {
  "a sensitive count": {
    parts: { "workspace_script.a": { ...script, count: "${length(var.secret)}" } },
    others: { variable: secret },
  },
  "ephemeral values where they may be": {
    parts: {
      "workspace_script.a": {
        ...script,
        script: '${ephemeralasnull(var.token) == null ? "x" : "y"}',
      },
    },
    others: { variable: ephemeral },
  },
  "a data source that waits for a resource of a local": {
    parts: { "workspace_script.a": script },
    others: {
      locals: { l: "${workspace_script.a.script}" },
      data: { workspace_workspace: { w: { depends_on: ["local.l"] } } },
    },
  },
  "a data source that waits for a destroyed instance": {
    deployed: { "workspace_script.a": { ...script, count: 2 } },
    parts: { "workspace_script.a": { ...script, count: 1 } },
    others: { data: { workspace_workspace: { w: { depends_on: ["workspace_script.a"] } } } },
  },
  "a data source whose condition refers to a change": {
    parts: { "workspace_script.a": script },
    others: {
      data: {
        workspace_workspace: {
          w: {
            lifecycle: {
              precondition: {
                condition: '${workspace_script.a.script == "x"}',
                error_message: message,
              },
            },
          },
        },
      },
    },
  },
  "a data source of a check, whose assertion is not met": {
    parts: { "workspace_script.a": script },
    others: {
      check: {
        c: {
          data: { workspace_workspace: { w: {} } },
          assert: { condition: '${data.workspace_workspace.w.id == "x"}', error_message: message },
        },
      },
    },
  },
  "the destruction of the last resource of Terraform's own provider": {
    deployed: { "terraform_data.a": { input: "x" } },
    parts: { "workspace_script.a": script },
  },
  "an output of a value whose type only the value has": {
    deployed: { "terraform_data.a": { input: "x" } },
    parts: { "terraform_data.a": { input: "x" } },
    others: { output: { o: { value: "${[terraform_data.a]}" } } },
  },
  "a data source that waits for nothing that changes": {
    deployed: { "workspace_script.a": script },
    parts: { "workspace_script.a": script },
    others: {
      data: {
        workspace_workspace: {
          w: { depends_on: ["workspace_script.a", "data.workspace_workspace.x"] },
          x: {},
        },
      },
    },
  },
};

test.each(Object.entries(planned))(
  "%s is planned, as by Terraform",
  async (_, { deployed, parts, others }) => {
    await plans.clear();
    const { output } = others ?? {};
    if (deployed !== undefined) {
      await plans.deploy(stackOf([deployed], output === undefined ? {} : { output }));
    }
    const { differences, refusals } = await plans.plan(stackOf([parts], others));
    expect(refusals).toEqual([]);
    expect(differences).toEqual([]);
  },
);
