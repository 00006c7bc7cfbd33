// @ts-check
// npm run docs [-- --output FOLDER] [--base /PATH/] [--preview]
import { readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writeForAssistants } from "./docs/assistants.mjs";
import { serveSite } from "./docs/serve-site.mjs";
import { root } from "./providers.mjs";

const { values: options } = parseArgs({
  options: {
    output: { type: "string", default: join(root, "dist", "site") },
    base: { type: "string", default: "/" },
    preview: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log(`Usage: npm run docs [-- OPTIONS]

Builds a static site from docs/: with search that needs no server, each page also as Markdown, llms.txt and
llms-full.txt.

  --output FOLDER  where to write it (default: dist/site)
  --base /PATH/    the path at which it is served (default: /)
  --preview        then serve it, for this machine only`);
  process.exit(0);
}

const output = resolve(options.output);
process.env["TRIVET_DOCS_OUTPUT"] = output;
process.env["TRIVET_DOCS_BASE"] = options.base;
await rm(output, { recursive: true, force: true });
const { build } = await import("vitepress");
const site = join(root, "scripts", "docs");
await build(site, {
  onAfterConfigResolve: (config) => {
    // By default beside the settings, where linters would find it.
    config.tempDir = join(root, "dist", `site-parts-${process.pid}`);
  },
});
const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
await writeForAssistants(output, manifest.description);
console.log(`The site is in ${output}`);
if (options.preview) console.log(`It is served at ${await serveSite(output, options.base)}`);
