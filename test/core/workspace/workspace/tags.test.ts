import { workspace } from "../../../../src";
import { found, newStack, read, refusal, synthesized } from "../synthesized";

test("tags have literals and the values of parameters", () => {
  const stack = newStack();
  const region = new workspace.DataParameter(stack, "region", { name: "region", default: "eu" });
  new workspace.DataWorkspaceTags(stack, "where", {
    tags: { cluster: "build", region: region.value },
  });
  expect(synthesized(stack)).toHaveProperty("data.workspace_workspace_tags.where", {
    tags: { cluster: "build", region: "${data.workspace_parameter.region.value}" },
  });
  expect(workspace.DataWorkspaceTags.typeToken).toBe("trivet:workspace/v1:DataWorkspaceTags");
});

test("there may be no tags", () => {
  const stack = newStack();
  new workspace.DataWorkspaceTags(stack, "where");
  expect(synthesized(stack)).toHaveProperty("data.workspace_workspace_tags.where", {});
});

test("every attribute of the tags can be read", () => {
  const tags = { cluster: "build" };
  const where = new workspace.DataWorkspaceTags(newStack(), "where", { tags });
  expect(read(where, "id", "tags")).toEqual({
    id: "${data.workspace_workspace_tags.where.id}",
    tags: "${data.workspace_workspace_tags.where.tags}",
  });
});

test("a tag is a string", () => {
  const tags = { cores: 4 as never };
  const error = refusal(() => new workspace.DataWorkspaceTags(newStack(), "where", { tags }));
  expect(error.constructPath).toBe("Demo/where");
  expect(found(error)).toEqual(["WRONG_TYPE tags.cores"]);
});
