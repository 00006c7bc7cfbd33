import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { givenVariables, stackVariables } from "../../../src/cli/stack/variables";

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
  const own = join(folder, "own");
  mkdirSync(own);
  writeFileSync(
    join(own, "b.auto.tfvars"),
    'zone = "auto" # later\nauto = { a = [-1, "$${x}"] }\n',
  );
  writeFileSync(join(own, "terraform.tfvars"), 'zone = "first"\nsize = 3\nauto = 1\n');
  const native = file("more.tfvars", "text = <<-EOT\n  a\n  EOT\nlast = null\n");
  const given = await givenVariables(
    { var: ["zone=c", "other=a=b"], varFile: [values, native] },
    env,
  );
  expect(await stackVariables(given, own)).toEqual({
    size: 2,
    names: ["x"],
    zone: "c",
    text: "a\n",
    last: null,
    other: "a=b",
    auto: { a: [-1, "${x}"] },
  });
});

test.each([
  [{ var: ["zone"] }, "--var must be name=value"],
  [{ var: ["=c"] }, "--var must be name=value"],
  [{ varFile: ["/nowhere.json"] }, "/nowhere.json is not a file with variables"],
  [{ varFile: [file("list.json", "[]")] }, "is not a file with variables"],
])("explains what is wrong with %j", async (options, message) => {
  await expect(givenVariables(options, {})).rejects.toThrow(message);
});
