import { TerraformCount, TerraformOutput } from "cdktf";
import { workspace } from "../../../../src";
import { found, newStack, read, refusal, resources, synthesized } from "../synthesized";

const at = (name: string): string => `\${data.workspace_workspace.me.${name}}`;

test("the workspace is read without properties, under the construct's ID", () => {
  const stack = newStack();
  new workspace.DataWorkspace(stack, "me");
  expect(synthesized(stack)).toHaveProperty("data", { workspace_workspace: { me: {} } });
  expect(workspace.DataWorkspace.typeToken).toBe("trivet:workspace/v1:DataWorkspace");
});

test("every attribute of the workspace can be read", () => {
  const me = new workspace.DataWorkspace(newStack(), "me");
  expect(read(me, "fqn", "accessUrl", "id", "name", "transition")).toEqual({
    fqn: "${data.workspace_workspace.me}",
    accessUrl: at("access_url"),
    id: at("id"),
    name: at("name"),
    transition: at("transition"),
  });
  expect(read(me, "templateId", "templateName", "templateVersion")).toEqual({
    templateId: at("template_id"),
    templateName: at("template_name"),
    templateVersion: at("template_version"),
  });
  expect(read(me, "isPrebuild", "isPrebuildClaim")).toEqual({
    isPrebuild: at("is_prebuild"),
    isPrebuildClaim: at("is_prebuild_claim"),
  });
  expect(read(me, "accessPort", "startCount", "prebuildCount")).toEqual({
    accessPort: at("access_port"),
    startCount: at("start_count"),
    prebuildCount: at("prebuild_count"),
  });
});

test("the counts are the count of resources that exist only in a running workspace", () => {
  const stack = newStack();
  const me = new workspace.DataWorkspace(stack, "me");
  const [os, arch] = ["linux", "amd64"] as const;
  new workspace.Agent(stack, "main", { os, arch, count: me.startCount });
  new workspace.Agent(stack, "warm", { os, arch, count: TerraformCount.of(me.prebuildCount) });
  expect(resources(stack, "workspace_agent")).toMatchObject({
    main: { count: at("start_count") },
    warm: { count: at("prebuild_count") },
  });
});

test("the counts are numbers in every context", () => {
  const stack = newStack();
  const { startCount } = new workspace.DataWorkspace(stack, "me");
  const count: number = startCount;
  new TerraformOutput(stack, "running", { value: count });
  expect(synthesized(stack)).toHaveProperty("output.running.value", at("start_count"));
});

test("the workspace's address in Terraform follows its meta-arguments", () => {
  const stack = newStack();
  const owner = new workspace.DataWorkspaceOwner(stack, "owner");
  new workspace.DataWorkspace(stack, "me", { dependsOn: [owner] });
  expect(synthesized(stack)).toHaveProperty("data.workspace_workspace.me", {
    depends_on: ["data.workspace_workspace_owner.owner"],
  });
});

test("an output cannot be set", () => {
  const props = { transition: "stop" };
  const error = refusal(() => new workspace.DataWorkspace(newStack(), "me", props as object));
  expect(error.constructPath).toBe("Demo/me");
  expect(found(error)).toEqual(["UNKNOWN_PROPERTY transition"]);
  expect(error.message).toBe(
    "workspace.DataWorkspace at Demo/me: 1 problem\n" +
      "  transition: is an output and cannot be set [UNKNOWN_PROPERTY]",
  );
});
