// @ts-check
// npm run gen [-- --check]
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bindings } from "./gen/bindings.mjs";
import { codes } from "./gen/codes.mjs";
import { differences, write } from "./gen/committed.mjs";
import { cornerCases } from "./gen/corner-cases.mjs";
import { constructs } from "./gen/constructs.mjs";
import { gallery } from "./gen/gallery.mjs";
import { messages } from "./gen/messages.mjs";
import { providerSchemas } from "./gen/provider-schema.mjs";
import { reference } from "./gen/reference.mjs";
import { providers, root } from "./providers.mjs";
import { requireTerraform } from "./terraform.mjs";

const { values: options } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log(`Usage: npm run gen [-- --check]

Generates bindings/ from the schemas that terraform reads from the providers, docs/reference/ and docs/examples/
from the declarations, the messages and examples/, docs/design/corner-cases.md, and what constructs repeat of their declarations: generated.ts in their rooms.

  --check  write nothing; fail if a committed file differs from the generated one`);
  process.exit(0);
}

requireTerraform();
// Keeps the generator's libraries from checking for a newer terraform and reporting failures.
process.env["CHECKPOINT_DISABLE"] = "1";
process.env["TF_CLI_CONFIG_FILE"] = devNull;
const folder = await mkdtemp(join(tmpdir(), "trivet-gen-"));
try {
  const generated = await generate();
  const changes = await differences(generated, [
    "bindings/schemas",
    "docs/examples",
    "docs/reference",
    ...providers.flatMap(({ name }) => [`bindings/providers/${name}`, `src/core/${name}`]),
  ]);
  const list = changes.map(({ change, path }) => `  ${change.padEnd(9)}  ${path}`).join("\n");
  if (changes.length === 0) {
    console.log(`${generated.size} generated files are up to date`);
  } else if (options.check) {
    console.error(`Generated files do not match the providers:\n${list}\nRun \`npm run gen\`.`);
    process.exitCode = 1;
  } else {
    await write(generated, changes);
    console.log(`Written (files that are left over were removed):\n${list}`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function generate() {
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const version = manifest.version;
  const document = await providerSchemas({ folder, version, providers });
  /** @type {Map<string, string>} */
  const generated = new Map([
    ...(await codes()),
    ...(await messages()),
    ...(await gallery()),
    ...(await cornerCases()),
  ]);
  for (const { name, source } of providers) {
    const schema = document.provider_schemas?.[source];
    if (schema === undefined) throw new Error(`terraform reports no schema for ${source}`);
    generated.set(`bindings/schemas/${name}.json`, `${JSON.stringify(schema, null, 2)}\n`);
    const work = join(folder, `bindings-${name}`);
    await mkdir(work);
    for (const files of [
      await bindings({ folder: work, source, version, document }),
      await reference(name),
      await constructs(name),
    ]) {
      for (const [path, text] of files) generated.set(path, text);
    }
  }
  return generated;
}
