import { join } from "node:path";
import { constructSource } from "../../../src/cli/import/construct-source";
import { findImportable } from "../../../src/cli/import/importable";
import { provider as ids } from "../../../src/core/ids/provider-definition";
import { provider as signing } from "../../../src/core/signing/provider-definition";
import { provider as workspace } from "../../../src/core/workspace/provider-definition";
import { Value } from "../../../src/planner/expression/value";
import { temporaryFolder } from "../temporary-folder";

it("knows every list of our providers", async () => {
  const folder = temporaryFolder();
  const project = { folder, app: "", output: "cdktf.out", context: undefined, relativeModules: [] };
  const lists = [ids.listResources, signing.listResources, workspace.listResources];
  const types = lists.flatMap((each) => each?.map(({ declaration }) => declaration.type) ?? []);
  expect(types).toEqual(["ids_endpoint", "signing_attest", "signing_sign"]);
  for (const type of types) {
    const found = await findImportable(type, project, join(folder, "src"));
    expect(found.declaration.type).toBe(type);
  }
});

it("gives the signature and the attestations of an image different identifiers", async () => {
  const folder = temporaryFolder();
  const project = { folder, app: "", output: "cdktf.out", context: undefined, relativeModules: [] };
  const image = {
    displayName: "registry.example/app:v1",
    importId: "registry.example/app@sha256:1",
  };
  const idOf = async (type: string) => {
    const found = await findImportable(type, project, folder);
    const inputs = { values: Value.object(new Map()), secrets: [], changed: [], errors: [] };
    return /"(.*?)", \{/.exec(constructSource(found, [{ ...image, ...inputs }], false))?.[1];
  };
  expect(await idOf("signing_sign")).toBe("sign-app-v1");
  expect(await idOf("signing_attest")).toBe("attest-app-v1");
  expect(await idOf("ids_endpoint")).toBe("app-v1");
});

it.each([
  [
    "workspace_agent",
    "Each build of a workspace creates its resources, so nothing can be imported.",
  ],
  ["signing_copy", "A registry does not record the source of a copy."],
])("says why %s has no list", async (type, advice) => {
  const folder = temporaryFolder();
  const project = { folder, app: "", output: "cdktf.out", context: undefined, relativeModules: [] };
  await expect(findImportable(type, project, folder)).rejects.toMatchObject({
    message: `No provider lists resources of type "${type}".`,
    advice: expect.stringContaining(advice) as string,
  });
});
