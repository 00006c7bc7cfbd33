import { join } from "node:path";
import { findImportable } from "../../../src/cli/import/importable";
import { provider as ids } from "../../../src/core/ids/provider-definition";
import { provider as signing } from "../../../src/core/signing/provider-definition";
import { provider as workspace } from "../../../src/core/workspace/provider-definition";
import { temporaryFolder } from "../temporary-folder";

it("knows every list of our providers", async () => {
  const folder = temporaryFolder();
  const project = { folder, app: "", output: "cdktf.out", context: undefined, relativeModules: [] };
  const lists = [ids.listResources, signing.listResources, workspace.listResources];
  const types = lists.flatMap((each) => each?.map(({ declaration }) => declaration.type) ?? []);
  expect(types).toContain("ids_endpoint");
  for (const type of types) {
    const found = await findImportable(type, project, join(folder, "src"));
    expect(found.declaration.type).toBe(type);
  }
});
