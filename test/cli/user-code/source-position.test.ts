import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { sourceIn, sourcesOf } from "../../../src/cli/user-code/source-position";
import { temporaryFolder } from "../temporary-folder";

it("does not wait for a pipe that is named as a source map", () => {
  const folder = temporaryFolder();
  execFileSync("mkfifo", [join(folder, "pipe")]);
  const code = "main();\n//# sourceMappingURL=pipe\n";
  const file = join(folder, "main.js");
  writeFileSync(file, code);
  const place = { file, line: 1, column: 1 };
  expect(sourceIn(code, place)).toEqual(place);
  expect(sourcesOf(file)).toEqual([]);
  expect(sourcesOf(join(folder, "pipe"))).toEqual([]);
});
