import { needsProviders, workingFolder } from "../../../src/cli/warm/warm-providers";

const invocation = (line: string) => ({
  pid: 1,
  calledIn: "/stack",
  args: line === "" ? [] : line.split(" "),
  env: {},
});

test.each([
  ["plan", "/stack"],
  ["-chdir=sub plan", "/stack/sub"],
  ["-chdir=/elsewhere apply", "/elsewhere"],
  ["-version -chdir=sub", "/stack/sub"],
  ["plan -chdir=sub", "/stack"],
  ["-chdir= plan", "/stack"],
])("`terraform %s` works in %s", (line, folder) => {
  expect(workingFolder(invocation(line))).toBe(folder);
});

test.each([
  "plan",
  "-chdir=sub apply -auto-approve",
  "destroy",
  "validate",
  "show -json",
  "state show ids_endpoint.edge",
  "providers schema -json",
  "console",
  "test",
])("`terraform %s` needs providers", (line) => {
  expect(needsProviders(invocation(line))).toBe(true);
});

test.each([
  "",
  "version",
  "-version",
  "fmt",
  "init -upgrade",
  "-chdir=sub init",
  "output -json",
  "workspace new blue",
  "state list",
  "providers lock",
  "plan -help",
  "plan --help",
  "plan -h",
])("`terraform %s` needs no providers", (line) => {
  expect(needsProviders(invocation(line))).toBe(false);
});
