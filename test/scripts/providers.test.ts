import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { product, providerSource } from "../../src/core/construct/product/product";
import { providerNames } from "../provider-names";

const root = join(__dirname, "..", "..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const { version } = JSON.parse(read("package.json")) as { readonly version: string };

/** What a file contains about a provider; `Name` is its name with a capital. */
const places: readonly (readonly [
  file: string,
  expected: (name: string, Name: string) => string,
])[] = [
  ["package.json", (name) => `"default": "./dist/src/core/${name}/index.js"`],
  ["package.json", (name) => `"default": "./dist/src/cdktn/core/${name}/index.js"`],
  ["cdktf.json", (name) => `"${providerSource(name)}@${version}"`],
  [".dependency-cruiser.cjs", (name) => `  ${name}: [`],
  ["src/core/construct/product/product.ts", (name) => `own("${name}")`],
  ["src/index.ts", (name) => `export * as ${name} from "./core/${name}";`],
  ["src/cli/commands/local.ts", (_, Name) => `local${Name}Command()`],
  ["src/cli/program.ts", (name) => `trivet local ${name} `],
  ["test/docs/source.ts", (name, Name) => `new ${name}.${Name}Provider(`],
  ["test/docs/examples/services.ts", (name) => `  ${name}: {`],
  ["stacks/main.ts", (name) => `from "./${name}-`],
  ["scripts/demo.mjs", (name) => `from "./demo/${name}/`],
  ["bench/main.ts", (name) => `from "./subject/${name}";`],
  ["bench/probe/synth.ts", (name) => `import("../stack/${name}.js")`],
  ["bench/subject/subject.ts", (name) => `"${name}"`],
  ["README.md", (name) => `| \`${name}\``],
  ["README.md", (name) => `docs/reference/${name}/index.md`],
  ["docs/README.md", (name) => `reference/${name}/index.md`],
];

/** The files of a provider. What a file of the last two lines lacks, `npm run lint` reports. */
const filesOf = (name: string): readonly string[] => [
  ...["index", "main", "provider-definition"].map((file) => `src/core/${name}/${file}.ts`),
  ...["declare", "generated", "construct", "configure"].map(
    (file) => `src/core/${name}/provider/${file}.ts`,
  ),
  `bindings/schemas/${name}.json`,
  `docs/reference/${name}/index.md`,
  ...["main.tf", "main.ts"].map((file) => `examples/${name}/index/${file}`),
];

function missingFor(name: string): readonly string[] {
  const Name = name.slice(0, 1).toUpperCase() + name.slice(1);
  const lacks = places.flatMap(([file, expected]) => {
    const text = expected(name, Name);
    return read(file).includes(text) ? [] : [`${file} needs ${text}`];
  });
  const absent = filesOf(name).filter((file) => !existsSync(join(root, file)));
  return [...lacks, ...absent.map((file) => `${file} is missing`)];
}

test("the list contains every slice", () => {
  const slices = readdirSync(join(root, "src/core")).filter((folder) => {
    return existsSync(join(root, "src/core", folder, "provider-definition.ts"));
  });
  expect([...providerNames].sort()).toEqual(slices.sort());
});

test.each(providerNames)("every place that must name the provider %s does", (name) => {
  expect(missingFor(name)).toEqual([]);
});

test("a provider that is only in the list is missing in every place", () => {
  expect(missingFor("mail")).toHaveLength(places.length + filesOf("mail").length);
});

test("the package's own product consists of the providers in the list", () => {
  const sources = providerNames.map((name) => [name, `trivet.local/trivet/${name}`]);
  const own = Object.entries(product.providers).map(([name, { source }]) => [name, source]);
  expect(own.sort()).toEqual(sources.sort());
});

test("the page on contributing names every place", () => {
  const page = read("docs/contributing.md");
  const section = page.slice(page.indexOf("## Add a provider"), page.indexOf("## Add a registry"));
  const files = [...places.map(([file]) => file), ...filesOf("mail")];
  expect(files.filter((file) => !isNamedIn(section, file))).toEqual([]);
});

/** Whether a page names a file: in full, or its folder and then its name. */
function isNamedIn(page: string, file: string): boolean {
  const name = file.slice(file.lastIndexOf("/") + 1);
  const folder = file.slice(0, -name.length);
  return (
    page.includes(`\`${file}`) || (page.includes(`\`${folder}\``) && page.includes(`\`${name}\``))
  );
}
