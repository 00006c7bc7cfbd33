import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { tools, toolVersion } from "./support/tool";

test.each(tools)("%s is recent enough for the provider's protocol", (tool) => {
  const [major = 0, minor = 0] = (toolVersion(tool) ?? "").split(".").map(Number);
  expect(major > 1 || (major === 1 && minor >= 5)).toBe(true);
});

// OpenTofu prints it before the JSON, Terraform to the other stream.
test("a version is read beside a warning", () => {
  const folder = mkdtempSync(join(tmpdir(), "trivet-tool-"));
  const path = process.env["PATH"] ?? "";
  const printed =
    'Warning: Unable to open CLI configuration file\n\n{"terraform_version": "1.9.4"}';
  writeFileSync(join(folder, "tofu"), `#!/bin/sh\ncat <<END\n${printed}\nEND\n`, { mode: 0o755 });
  try {
    process.env["PATH"] = `${folder}${delimiter}${path}`;
    expect(toolVersion("tofu")).toBe("1.9.4");
  } finally {
    process.env["PATH"] = path;
    rmSync(folder, { recursive: true });
  }
});
