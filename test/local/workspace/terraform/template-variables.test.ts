import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { requirePlainVariables } from "../../../../src/local/workspace/terraform/template-archive";
import { temporaryFolder } from "../temporary-folder";

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const accepted = `# debug = true
text   = "true { [1] }"
number = -1.5
list   = [
  "a", "b = true",
]
empty  = []
doc    = <<-EOT
  debug = true
  EOT
`;

test("accepts what the platform's tool sends", async () => {
  const other = { "other.tfvars": "debug = true", "a.auto.tfvars.json": '{"debug":true}' };
  const folder = folderWith({ "terraform.tfvars": accepted, ...other });
  await expect(requirePlainVariables(folder)).resolves.toBeUndefined();
});

test.each([
  ["a boolean", "debug = true", "unsupported value type (name: debug): cty.Bool"],
  ["null", "x = null", "unsupported value type (name: x): cty.DynamicPseudoType"],
  ["an object", "a = 1\nx = {\n  b = true\n}", "unsupported value type (name: x): cty.Object"],
  ["a list of numbers", "x = [1, 2]", "unsupported tuple item type: [1, 2]"],
])("refuses %s in native syntax", async (_, text, problem) => {
  for (const name of ["terraform.tfvars", "a.auto.tfvars"]) {
    await expect(requirePlainVariables(folderWith({ [name]: text }))).rejects.toMatchObject({
      code: "REFUSED",
      message: `${name}: unable to parse HCL content: ${problem} (seen with coder 2.26).`,
    });
  }
});
