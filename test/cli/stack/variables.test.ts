import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { variablesOf } from "../../../src/cli/stack/variables";

const folder = mkdtempSync(join(tmpdir(), "trivet-variables-"));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

afterAll(() => {
  rmSync(folder, { recursive: true });
});

test("takes values of the environment, then of files, then of --var", async () => {
  const values = file("values.tfvars.json", `{ "size": 2, "zone": "b" }`);
  const env = { TF_VAR_size: "1", TF_VAR_names: `["x"]`, TF_LOG: "debug" };
  expect(await variablesOf({ var: ["zone=c", "text=a=b"], varFile: [values] }, env)).toEqual({
    size: 2,
    names: ["x"],
    zone: "c",
    text: "a=b",
  });
});

test.each([
  [{ var: ["zone"] }, "--var needs a name and a value"],
  [{ var: ["=c"] }, "--var needs a name and a value"],
  [{ varFile: ["/nowhere.json"] }, "/nowhere.json cannot be read"],
  [{ varFile: [file("list.json", "[]")] }, "is not a JSON object"],
])("explains what is wrong with %j", async (options, message) => {
  await expect(variablesOf(options, {})).rejects.toThrow(message);
});
