import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { providerNames } from "../provider-names";
import { root } from "./page";

interface Schema {
  readonly resource_schemas?: Readonly<Record<string, unknown>>;
  readonly data_source_schemas?: Readonly<Record<string, unknown>>;
  readonly ephemeral_resource_schemas?: Readonly<Record<string, unknown>>;
  readonly functions?: Readonly<Record<string, unknown>>;
}

const read = (path: string): string => readFileSync(join(root, path), "utf8");

/** The schema that terraform has read from the provider. */
const schemaOf = (name: string) => JSON.parse(read(`bindings/schemas/${name}.json`)) as Schema;

/** Terraform writes them into the schema as of 1.14 only. */
const lists: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ids: { ids_endpoint: {} },
  signing: { signing_attest: {}, signing_sign: {} },
};

const filesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).replaceAll("\\", "/"))
    .map((path) => path.slice(root.length + 1));

// The rules are those of a registry, written down once more: https://developer.hashicorp.com/terraform/registry/providers/docs
describe.each(providerNames)("the reference of %s, as a registry expects it,", (provider) => {
  const folder = `docs/reference/${provider}`;
  const files = filesOf(folder);

  test("has an index, and a page for each type in the schema", () => {
    const schema = schemaOf(provider);
    const page = (kind: string, offered: Readonly<Record<string, unknown>> = {}) =>
      Object.keys(offered).map(
        (type) => `${folder}/${kind}/${type.replace(`${provider}_`, "")}.md`,
      );
    const expected = [
      `${folder}/index.md`,
      ...page("resources", schema.resource_schemas),
      ...page("data-sources", schema.data_source_schemas),
      ...page("ephemeral-resources", schema.ephemeral_resource_schemas),
      ...page("functions", schema.functions),
      ...page("list-resources", lists[provider]),
    ];
    expect(files.sort()).toEqual(expected.sort());
  });

  test.each(files)("says in %s what the page is, and is small enough", (path) => {
    const text = read(path);
    const [, yaml = ""] = /^---\n([^]*?)\n---\n/.exec(text) ?? [];
    const front = parse(yaml) as Readonly<Record<string, string>>;
    const keys = ["page_title", "description"];
    const expected = path.endsWith("/index.md") ? keys : [...keys, "subcategory"];
    expect(Object.keys(front).sort()).toEqual(expected.sort());
    expect(front["description"]).toMatch(/^[A-Z][^`]+\.$/);
    expect(Buffer.byteLength(text)).toBeLessThan(500_000);
  });

  test("names attributes as in Terraform", () => {
    const wires = new Set(read(`bindings/schemas/${provider}.json`).match(/"[a-z\d_]+"/g));
    const wire = (name: string) =>
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const wrong = files.flatMap((path) => {
      const text = read(path).replaceAll(/^```[^]*?^```$|is `\w+`\.$|In TypeScript: `\w+`/gm, "");
      const names = [...text.matchAll(/`([a-z]+[A-Z]\w*)`/g)].map(([, name = ""]) => name);
      return names
        .filter((name) => wires.has(`"${wire(name)}"`))
        .map((name) => `${path}: write ${wire(name)} instead of ${name}`);
    });
    expect(wrong).toEqual([]);
  });

  const judge = spawnSync("tfplugindocs", ["--version"]).error === undefined;
  (judge ? test : test.skip)("is accepted by tfplugindocs", () => {
    const work = mkdtempSync(join(tmpdir(), "trivet-reference-"));
    try {
      cpSync(join(root, folder), join(work, "docs"), { recursive: true });
      const source = `registry.terraform.io/hashicorp/${provider}`;
      const schemas = { format_version: "1.0", provider_schemas: { [source]: schemaOf(provider) } };
      writeFileSync(join(work, "schema.json"), JSON.stringify(schemas));
      const args = ["validate", "--provider-name", provider, "--providers-schema", "schema.json"];
      const { status, stderr } = spawnSync("tfplugindocs", args, { cwd: work, encoding: "utf8" });
      expect({ status, stderr: status === 0 ? "" : stderr }).toEqual({ status: 0, stderr: "" });
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  });
});

test("the bindings name pages that exist", () => {
  const named = filesOf("bindings/providers").flatMap((path) =>
    [...read(path).matchAll(/docs\/reference\/[\w/-]+\.md/g)].map(([page]) => page),
  );
  const pages = [...new Set(named)];
  expect(pages.length).toBeGreaterThan(providerNames.length);
  expect(pages.filter((page) => !existsSync(join(root, page)))).toEqual([]);
});
