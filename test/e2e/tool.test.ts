import { tools, toolVersion } from "./support/tool";

test.each(tools)("%s is recent enough for the provider's protocol", (tool) => {
  const [major = 0, minor = 0] = (toolVersion(tool) ?? "").split(".").map(Number);
  expect(major > 1 || (major === 1 && minor >= 5)).toBe(true);
});

if (!tools.includes("tofu")) {
  console.info("tofu is not on PATH: the tests in test/e2e run on terraform only");
}
