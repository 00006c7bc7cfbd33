import { projectName } from "../../../src/cli/init/project-kind";

it.each([
  ["/home/me/watch", "watch"],
  ["/home/me/My Networks!", "my-networks"],
  ["/home/me/.hidden", "hidden"],
  ["/home/me/cdktf", "cdktf-project"],
  ["/", "infrastructure"],
])("the project in %s is called %s", (folder, name) => {
  expect(projectName(folder, ["@trivet/constructs", "cdktf"])).toBe(name);
});
