import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../e2e/support/build";
import { TrivetFixture } from "../command-fixture";

/** The command with the real templates and versions. */
export class ProjectFixture extends TrivetFixture {
  /**
   * @param templates a folder of `templates/`
   * @param main the module of the command in `src/cli`
   */
  constructor(templates: string, main?: string) {
    super(main === undefined ? {} : { main });
    const folder = join("templates", templates);
    cpSync(join(root, folder), join(this.root, folder), { recursive: true });
    for (const path of ["package.json", "dist/src/cli/init/versions.json"]) {
      cpSync(join(root, path), join(this.root, path));
    }
  }

  read(...path: readonly string[]): string {
    return readFileSync(join(this.root, ...path), "utf8");
  }

  files(folder: string): string[] {
    return readdirSync(join(this.root, folder), { recursive: true, encoding: "utf8" }).sort();
  }
}
