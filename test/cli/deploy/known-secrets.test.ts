import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { addPlanned } from "../../../src/cli/deploy/stack-run";
import { knownSecrets } from "../../../src/cli/stack/variables";
import { planDocument } from "../../../src/planner/changes/plan-document";
import { StackSecrets } from "../../../src/planner/offline-plan/stack-secrets";
import { temporaryFolder } from "../temporary-folder";

const folder = temporaryFolder();

const variable = {
  secret: { type: "string", sensitive: true },
  list: { type: "list(string)", sensitive: true },
  open: { type: "string" },
  fallback: { default: "from-default", sensitive: true },
};
const stack = { variable, locals: { derived: "${base64encode(var.secret)}" } };

const shown = (secrets: StackSecrets, text: string): string =>
  secrets.redacted({ summary: "", detail: text }).detail;

test("values of variables are found wherever Terraform finds them", async () => {
  mkdirSync(join(folder, "elsewhere"));
  const given = join(folder, "elsewhere", "given.tfvars");
  writeFileSync(given, 'list = ["in-a-file", "another"]');
  const env = { TF_VAR_secret: "from-environment", TF_VAR_open: "to-be-seen" };
  const found = await knownSecrets(
    stack,
    folder,
    ["-var", "secret=with=equals", `-var-file=${given}`],
    env,
  );
  const text = "with=equals in-a-file another from-default to-be-seen d2l0aD1lcXVhbHM=";
  expect(shown(found, text)).toBe("*** *** *** *** to-be-seen ***");
});

test.each([
  ["terraform.tfvars", '# a comment\nsecret = "from-file"\nlist = []\n'],
  ["terraform.tfvars.json", '{ "secret": "from-file" }'],
  ["a.auto.tfvars", 'secret = "from-file"'],
  ["a.auto.tfvars.json", '{ "secret": "from-file" }'],
])("%s is read", async (name, content) => {
  const own = join(folder, name.replaceAll(".", "-"));
  mkdirSync(own);
  writeFileSync(join(own, name), content);
  const found = await knownSecrets(stack, own, [], { TF_VAR_secret: "older" });
  expect(shown(found, "from-file older")).toBe("*** older");
});

test("a broken file, and a stack without secrets, hide nothing and do not fail", async () => {
  const broken = join(folder, "broken.tfvars");
  writeFileSync(broken, "secret = {");
  const found = await knownSecrets(stack, folder, [`-var-file=${broken}`], {});
  expect(shown(found, "secret = {")).toBe("secret = {");
  const none = await knownSecrets({ variable: { open: {} } }, folder, [], {
    TF_VAR_open: "to-be-seen",
  });
  expect(shown(none, "to-be-seen")).toBe("to-be-seen");
});

test("sensitive values of a plan are known after it", () => {
  const secrets = new StackSecrets();
  const change = {
    actions: ["update"],
    before: { token: "old-token", name: "open", nested: [{ key: "in-a-list" }] },
    after: { token: "new-token", name: "open", nested: [{ key: "in-a-list" }] },
    before_sensitive: { token: true, nested: [{ key: true }] },
    after_sensitive: { token: true, nested: true },
  };
  addPlanned(secrets, planDocument({ resource_changes: [{ address: "a.b", change }] }));
  expect(shown(secrets, "old-token new-token open in-a-list")).toBe("*** *** open ***");
});
