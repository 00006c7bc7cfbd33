import { workspace } from "../../../../src";
import { newStack, read, resources, synthesized } from "../synthesized";

test("the host is read without properties", () => {
  const stack = newStack();
  const host = new workspace.DataProvisioner(stack, "host");
  expect(synthesized(stack)).toHaveProperty("data", { workspace_provisioner: { host: {} } });
  expect(read(host, "id", "os", "arch")).toEqual({
    id: "${data.workspace_provisioner.host.id}",
    os: "${data.workspace_provisioner.host.os}",
    arch: "${data.workspace_provisioner.host.arch}",
  });
  expect(workspace.DataProvisioner.typeToken).toBe("trivet:workspace/v1:DataProvisioner");
});

test("an agent can be for the machine that the build runs on", () => {
  const stack = newStack();
  const host = new workspace.DataProvisioner(stack, "host");
  new workspace.Agent(stack, "main", { os: host.os, arch: host.arch });
  expect(resources(stack, "workspace_agent")).toMatchObject({
    main: {
      os: "${data.workspace_provisioner.host.os}",
      arch: "${data.workspace_provisioner.host.arch}",
    },
  });
});
