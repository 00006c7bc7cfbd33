import { TerraformIterator, TerraformVariable, Token } from "cdktf";
import { workspace } from "../../../src";
import { newStack, read, refusal, optionalComputed, resources, warnings } from "../synthesized";

test("the synthesized JSON of everything set", () => {
  const stack = newStack();
  new workspace.Metadata(stack, "machine", {
    resourceId: "${compute_instance.machine.id}",
    dailyCost: 120,
    hide: false,
    icon: "/icon/k8s.png",
    items: [
      { key: "region", value: "eu" },
      { key: "password", value: "hidden", sensitive: true },
      { key: "nothing", value: undefined },
    ],
  });
  expect(resources(stack, "workspace_metadata")).toEqual({
    machine: {
      resource_id: "${compute_instance.machine.id}",
      daily_cost: 120,
      hide: false,
      icon: "/icon/k8s.png",
      item: [
        { key: "region", value: "eu" },
        { key: "password", value: "hidden", sensitive: true },
        { key: "nothing" },
      ],
    },
  });
});

test("tokens pass, and keys that are not known yet are not compared", () => {
  const stack = newStack();
  const [a, b] = ["a", "b"].map((id) => new TerraformVariable(stack, id, {}).stringValue);
  const cost = new TerraformVariable(stack, "cost", { type: "number" });
  new workspace.Metadata(stack, "machine", {
    resourceId: a,
    dailyCost: cost.numberValue,
    items: [
      { key: a ?? "", value: b },
      { key: b ?? "", value: a },
    ],
  });
  expect(resources(stack, "workspace_metadata")).toEqual({
    machine: {
      resource_id: "${var.a}",
      daily_cost: "${var.cost}",
      item: [
        { key: "${var.a}", value: "${var.b}" },
        { key: "${var.b}", value: "${var.a}" },
      ],
    },
  });
});

test("entries may be made when Terraform runs", () => {
  const stack = newStack();
  const facts = TerraformIterator.fromMap({ region: "eu", zone: "eu-1" });
  new workspace.Metadata(stack, "machine", {
    resourceId: "id",
    items: facts.dynamic({ key: facts.key, value: Token.asString(facts.value) }),
  });
  expect(resources(stack, "workspace_metadata")).toEqual({
    machine: {
      resource_id: "id",
      dynamic: {
        item: {
          for_each: { region: "eu", zone: "eu-1" },
          iterator: "each",
          content: { key: "${each.key}", value: "${each.value}" },
        },
      },
    },
  });
});

test("metadata of no resource gets a warning", () => {
  const stack = newStack();
  expect(warnings(new workspace.Metadata(stack, "nothing", {}))).toEqual([
    "resourceId: should be given: metadata that is tied to no resource is not shown " +
      "[workspace.Metadata:ADVICE:resourceId]",
  ]);
  expect(resources(stack, "workspace_metadata")).toEqual({ nothing: {} });
});

test("what is refused has its path", () => {
  const error = refusal(
    () =>
      new workspace.Metadata(newStack(), "machine", {
        resourceId: "id",
        dailyCost: 0.5,
        items: [
          { key: "a" },
          { key: "a" },
          { key: "b", hidden: true } as unknown as workspace.MetadataItem,
        ],
      }),
  );
  expect(error.message.split("\n")).toEqual([
    "workspace.Metadata at Demo/machine: 3 problems",
    "  dailyCost: must be a whole number (got 0.5)",
    "  items[2].hidden: is not a property",
    '  items[1].key: must be another one than that of element 0 (got "a")',
  ]);
});

test("every property can be read", () => {
  const metadata = new workspace.Metadata(newStack(), "machine", { resourceId: "id" });
  const ref = (path: string): string => `\${workspace_metadata.machine.${path}}`;
  expect(
    read(
      metadata,
      ...(["metadataId", "resourceId", "dailyCost", "hide", "icon", "items"] as const),
    ),
  ).toEqual({
    metadataId: ref("id"),
    resourceId: ref("resource_id"),
    dailyCost: ref("daily_cost"),
    hide: ref("hide"),
    icon: ref("icon"),
    items: ref("item"),
  });
  expect(optionalComputed(metadata, metadata.items.get(1).isNull)).toBe(ref("item[1].is_null"));
});

test("the type token names the resource across products", () => {
  expect(workspace.Metadata.typeToken).toBe("trivet:workspace/v1:Metadata");
});
