import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TrivetFixture } from "../command-fixture";
import { writeBuiltPackage } from "../package-fixture";

/** The providers `ids` and `workspace`, which do nothing, and a project with stacks in JSON. */
export class StackFixture extends TrivetFixture {
  readonly mirror = join(this.home, ".cache", "trivet", "providers");

  constructor() {
    // A release: Terraform chooses a development version only by its exact name.
    super({ version: "0.0.1" });
    writeBuiltPackage(this.root, { name: "workspace", version: "0.0.1" });
  }

  /** Writes an app that writes these stacks, as cdktf does. */
  write(stacks: Readonly<Record<string, object>>): void {
    const entries = Object.entries(stacks).map(([name, content]) => {
      const workingDirectory = `stacks/${name}`;
      const synthesizedStackPath = `${workingDirectory}/cdk.tf.json`;
      const backend = { local: { path: join(this.root, `terraform.${name}.tfstate`) } };
      const { terraform = {}, ...rest } = content as { readonly terraform?: object };
      const file = JSON.stringify({ terraform: { backend, ...terraform }, ...rest });
      mkdirSync(join(this.root, "cdktf.out", workingDirectory), { recursive: true });
      return { file, entry: { name, workingDirectory, synthesizedStackPath } };
    });
    const files = entries.map(({ file, entry }) => [entry.synthesizedStackPath, file]);
    const manifest = {
      stacks: Object.fromEntries(entries.map(({ entry }) => [entry.name, entry])),
    };
    const written = [...files, ["manifest.json", JSON.stringify(manifest)]];
    writeFileSync(
      join(this.root, "app.js"),
      `for (const [name, text] of ${JSON.stringify(written)})
         require("node:fs").writeFileSync(process.env.CDKTF_OUTDIR + "/" + name, text);`,
    );
    writeFileSync(join(this.root, "cdktf.json"), JSON.stringify({ app: "node app.js" }));
  }

  /** The names of the providers that the commands have installed. */
  installed(): readonly string[] {
    const folder = join(this.mirror, "trivet.local", "trivet");
    return existsSync(folder) ? readdirSync(folder) : [];
  }
}
