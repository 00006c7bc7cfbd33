import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { TerraformVariable, Testing, Token } from "cdktf";
import { signing } from "../../../../src";
import { found, image, newStack, refusal, resources, warnings } from "../synthesized";

const { Attest, Predicate, PredicateType } = signing;

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const spdx = JSON.stringify({ spdxVersion: "SPDX-2.3", SPDXID: "SPDXRef-DOCUMENT" });
const cycloneDx = JSON.stringify({ bomFormat: "CycloneDX", specVersion: "1.6" });

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trivet-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const attest = (...predicates: signing.Predicate[]) =>
  new Attest(newStack(), "attest", { image, predicates });

interface Written {
  readonly type: string;
  readonly json?: string;
  readonly file?: { readonly path: string; readonly sha256: string };
}

function written(construct: signing.Attest): readonly Written[] {
  const { attest: body } = resources(construct.resource.cdktfStack, "signing_attest");
  return (body as { readonly predicates: readonly Written[] }).predicates;
}

describe("files", () => {
  test("are copied into the stack, with their SHA-256", () => {
    const path = file("sbom.spdx.json", spdx);
    const construct = attest(Predicate.spdx(path));
    const [predicate] = written(construct);
    expect(predicate).toEqual({
      type: "https://spdx.dev/Document",
      file: {
        path: expect.stringMatching(/^assets\/.*\/sbom\.spdx\.json$/) as string,
        sha256: sha256(spdx),
      },
    });
    expect(warnings(construct)).toEqual([]);

    const out = Testing.fullSynth(construct.resource.cdktfStack);
    const copied = join(out, "stacks", "Demo", predicate?.file?.path ?? "");
    expect(readFileSync(copied, "utf8")).toBe(spdx);
    rmSync(out, { recursive: true });
  });

  test("of several predicates are kept apart, also with the same name", () => {
    const one = file("bom.json", spdx);
    const other = join(mkdtempSync(join(folder, "other-")), basename(one));
    writeFileSync(other, cycloneDx);
    const all = written(attest(Predicate.spdx(one), Predicate.cycloneDx(other)));
    expect(all.map(({ type }) => type)).toEqual([
      "https://spdx.dev/Document",
      "https://cyclonedx.org/bom",
    ]);
    expect(all.map(({ file: each }) => each?.sha256)).toEqual([sha256(spdx), sha256(cycloneDx)]);
    expect(new Set(all.map(({ file: each }) => dirname(each?.path ?? ""))).size).toBe(2);
  });

  test("are resolved against the program's working directory", () => {
    const path = relative(process.cwd(), file("scan.json", "{}"));
    const [predicate] = written(attest(Predicate.fromFile(PredicateType.VULN, path)));
    expect(predicate).toMatchObject({ type: "vuln", file: { sha256: sha256("{}") } });
  });

  test("are left for Terraform to read if their checksum is given", () => {
    const files = [{ path: "made/later.json", sha256: sha256("{}") }];
    expect(written(attest({ type: PredicateType.LINK, files }))).toEqual([
      { type: "link", file: files[0] },
    ]);
  });

  test("are read for the deprecated attributes too", () => {
    const path = file("bom.json", cycloneDx);
    const stack = newStack();
    const props = { image, predicateType: "cyclonedx", predicateFiles: [{ path }] };
    const construct = new Attest(stack, "attest", props);
    expect(resources(stack, "signing_attest")).toMatchObject({
      attest: { predicate_file: { sha256: sha256(cycloneDx) } },
    });
    expect(warnings(construct).join()).toMatch(/use `predicates`/);
  });

  test("leave the attestation a valid dependency", () => {
    const construct = attest(Predicate.spdx(file("bom.json", spdx)));
    const stack = construct.resource.cdktfStack;
    new signing.Sign(stack, "one", { image, dependsOn: [construct] });
    new signing.Sign(stack, "two", { image }).node.addDependency(construct);
    const waiting = { depends_on: ["signing_attest.attest"] };
    expect(resources(stack, "signing_sign")).toMatchObject({ one: waiting, two: waiting });
  });

  test("that cannot be attested are all reported at once", () => {
    const large = file("large.json", "{}");
    truncateSync(large, 32 * 1024 * 1024 + 1);
    const paths = [join(folder, "absent.json"), folder, file("list.json", "[]"), large];
    paths.push(file("text.json", "spdx"));
    const predicates = paths.map((path, index) =>
      Predicate.fromFile(`https://example.com/${index}`, path),
    );
    const error = refusal(() => attest(...predicates));
    expect(found(error)).toEqual(
      paths.map((_, index) => `INVALID_ARGUMENT predicates.${index}.files.0.path`),
    );
    expect(error.message).toContain("reading it failed with ENOENT");
    expect(error.message).toContain("must be a file that contains a JSON object");
    expect(error.message).toContain("at most 32 MiB");
  });

  test("need their checksum if only Terraform knows the path", () => {
    const stack = newStack();
    const path = new TerraformVariable(stack, "path", { type: "string" }).stringValue;
    const predicates = [Predicate.fromFile("link", path)];
    const error = refusal(() => new Attest(stack, "attest", { image, predicates }));
    expect(found(error)).toEqual(["MISSING predicates.0.files.0.sha256"]);
  });

  test("that do not look like documents of their type cause a warning", () => {
    const [shown] = warnings(attest(Predicate.spdx(file("bom.json", cycloneDx))));
    expect(shown).toMatch(/^predicates\[0\]\.files\[0\]\.path: should be an SPDX document/);
    expect(warnings(attest(Predicate.cycloneDx(file("bom.json", cycloneDx))))).toEqual([]);
  });
});

describe("objects", () => {
  test("become JSON", () => {
    const [predicate] = written(attest(Predicate.of("https://example.com/a", { b: [1, true] })));
    expect(predicate).toEqual({ type: "https://example.com/a", json: '{"b":[1,true]}' });
  });

  test("keep what Terraform would treat as an expression", () => {
    const value = { ref: "${{ github.ref }}", "%{if}": "%{ if }", price: "$5 {a}" };
    const [predicate] = written(attest(Predicate.of("link", value)));
    const read = predicate?.json?.replaceAll(/([$%])\1\{/g, "$1{");
    expect(JSON.parse(read ?? "")).toEqual(value);
  });

  test("may contain tokens, which Terraform encodes", () => {
    const stack = newStack();
    const variable = new TerraformVariable(stack, "v", {});
    const value = {
      text: variable.stringValue,
      beside: `a "quoted" \\ ${variable.stringValue} %{x}`,
      number: variable.numberValue,
      list: variable.listValue,
      any: Token.asAny(variable.value),
      literal: "${x}",
    };
    const json = Predicate.of("link", value).json;
    new Attest(stack, "attest", { image, predicates: [{ type: "link", json }] });
    expect(resources(stack, "signing_attest")).toMatchObject({
      attest: {
        predicates: [
          {
            json: [
              '{"text":${jsonencode(var.v)}',
              '"beside":${jsonencode("a \\"quoted\\" \\\\ ${var.v} %%{x}")}',
              '"number":${jsonencode(var.v)}',
              '"list":${jsonencode(var.v)}',
              '"any":${jsonencode(var.v)}',
              '"literal":"$${x}"}',
            ].join(","),
          },
        ],
      },
    });
  });

  test("that are not JSON objects are refused", () => {
    expect(found(refusal(() => attest(Predicate.of("link", ["a"]))))).toEqual([
      "INVALID_ARGUMENT predicates.0.json",
    ]);
  });
});

test("provenance has the structure of SLSA v1", () => {
  const [predicate] = written(
    attest(
      Predicate.slsaProvenance({
        buildDefinition: {
          buildType: "https://example.com/build/v1",
          externalParameters: { ref: "main" },
          internalParameters: undefined,
          resolvedDependencies: [
            { uri: "git+https://example.com/app", digest: { gitCommit: "c" } },
          ],
        },
        runDetails: {
          builder: { id: "https://example.com/builder" },
          metadata: { invocationId: "7", startedOn: new Date(0) },
        },
      }),
    ),
  );
  expect(predicate?.type).toBe("https://slsa.dev/provenance/v1");
  expect(JSON.parse(predicate?.json ?? "")).toEqual({
    buildDefinition: {
      buildType: "https://example.com/build/v1",
      externalParameters: { ref: "main" },
      resolvedDependencies: [{ uri: "git+https://example.com/app", digest: { gitCommit: "c" } }],
    },
    runDetails: {
      builder: { id: "https://example.com/builder" },
      metadata: { invocationId: "7", startedOn: "1970-01-01T00:00:00.000Z" },
    },
  });
});
