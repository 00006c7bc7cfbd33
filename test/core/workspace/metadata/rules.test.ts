import { TerraformHclModule, TerraformLocal } from "cdktf";
import type { TerraformStack } from "cdktf";
import { workspace } from "../../../../src";
import type { StackRule } from "../../../../src/core/construct";
import { metadataTarget } from "../../../../src/core/workspace/metadata/rules";
import { shownSecrets } from "../../../../src/core/workspace/template/shown-secrets";
import { findingsOf, Machine, newAgent, newTemplate } from "../template/template";

const target: StackRule = (members, context) =>
  metadataTarget(
    members.filter(({ type }) => type.declaration.type === "workspace_metadata"),
    context,
  );

let stack: TerraformStack;
let machine: Machine;

beforeEach(() => {
  stack = newTemplate();
  machine = new Machine(stack, "vm");
});

const metadata = (id: string, props: workspace.MetadataProps) =>
  new workspace.Metadata(stack, id, props);

describe("the metadata of a resource", () => {
  test("is allowed once", () => {
    metadata("a", { resourceId: machine.id });
    metadata("b", { resourceId: new Machine(stack, "other").id });
    expect(findingsOf(target, stack)).toEqual([]);
  });

  test("is refused the second time, even through a local", () => {
    metadata("a", { resourceId: machine.id });
    metadata("b", { resourceId: new TerraformLocal(stack, "l", machine.id).asString });
    expect(findingsOf(target, stack)).toEqual([
      "error DUPLICATE Demo/b: resourceId: must differ from that of Demo/a: vm_machine.vm can have only one metadata",
    ]);
  });

  test("is one for all instances of a resource", () => {
    metadata("a", { resourceId: "${vm_machine.vm[0].id}" });
    metadata("b", { resourceId: "${vm_machine.vm[1].id}" });
    expect(findingsOf(target, stack)).toHaveLength(1);
  });

  test("is refused when there are several instances of itself", () => {
    metadata("a", { resourceId: machine.id, count: 2 });
    expect(findingsOf(target, stack)).toEqual([
      "error DUPLICATE Demo/a: count: must be at most 1: every instance would be metadata of vm_machine.vm, and the platform accepts only one (got 2)",
    ]);
  });

  test("may be one of two alternatives", () => {
    metadata("a", { resourceId: machine.id, count: 1 });
    metadata("b", { resourceId: machine.id, count: 0 });
    expect(findingsOf(target, stack)).toEqual([]);
  });

  test("gets a warning when the platform attaches it to another resource", () => {
    const disk = new Machine(stack, "disk");
    const user = new Machine(stack, "user", { disk: disk.id });
    metadata("a", { resourceId: disk.id, items: [{ key: "ip", value: user.ip }] });
    expect(findingsOf(target, stack)).toEqual([
      "warning ADVICE Demo/a: resourceId: is not the resource that the platform uses: it shows this metadata with vm_machine.user instead of vm_machine.disk, because the metadata also depends on vm_machine.user",
    ]);
  });

  test("is accepted when a value comes from what the resource itself depends on", () => {
    const user = new Machine(stack, "user", { disk: machine.id });
    metadata("a", { resourceId: user.id, items: [{ key: "ip", value: machine.ip }] });
    expect(findingsOf(target, stack)).toEqual([]);
  });

  test("gets a warning without a resource of another provider", () => {
    metadata("a", { resourceId: "vm-1" });
    metadata("b", { resourceId: newAgent(stack).agentId });
    const warning =
      "resourceId: should refer to a resource of another provider in this stack: the platform finds none and does not show the metadata";
    expect(findingsOf(target, stack)).toEqual([
      `warning ADVICE Demo/a: ${warning}`,
      `warning ADVICE Demo/b: ${warning}`,
    ]);
  });

  test("may be that of a resource in a file in HCL beside the stack", () => {
    const other = new Machine(stack, "other");
    metadata("a", { resourceId: "${docker_volume.home.id}" });
    metadata("b", {
      resourceId: "${docker_container.main[0].id}",
      items: [{ key: "ip", value: other.ip }],
    });
    expect(findingsOf(target, stack)).toEqual([]);
  });

  test("may be that of a resource in a module, or of none", () => {
    const module = new TerraformHclModule(stack, "m", { source: "git::https://example.com/m.git" });
    metadata("a", { resourceId: module.getString("id") });
    metadata("b", {});
    expect(findingsOf(target, stack)).toEqual([]);
  });
});

describe("a metadata item", () => {
  const entry = (value: string, sensitive?: boolean) =>
    metadata("a", {
      resourceId: machine.id,
      items: [
        { key: "one", value: "x" },
        { key: "two", value, ...(sensitive !== undefined && { sensitive }) },
      ],
    });

  test("that shows a secret gets a warning", () => {
    entry(`token ${newAgent(stack).token}`);
    expect(findingsOf(shownSecrets, stack)).toEqual([
      "warning ADVICE Demo/a: items[1].value: shows the token of Demo/main, a secret, on the workspace's page: remove it, or set `sensitive: true` on the item",
    ]);
  });

  test("that shows a stored secret also gets a warning", () => {
    const secret = new workspace.DataSecret(stack, "key", { env: "KEY", helpMessage: "" });
    entry(secret.value);
    expect(findingsOf(shownSecrets, stack)).toEqual([
      expect.stringContaining("the value of Demo/key"),
    ]);
  });

  test("is accepted when it is hidden, or when it shows something else", () => {
    const agent = newAgent(stack);
    entry(agent.token, true);
    metadata("b", { items: [{ key: "id", value: agent.agentId }] });
    expect(findingsOf(shownSecrets, stack)).toEqual([]);
  });
});
