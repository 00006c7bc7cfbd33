import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { providerNames } from "./provider-names";

const root = resolve(__dirname, "..");
const bin = (name: string): string => join(root, "node_modules", ".bin", name);

/** What this test reads from the rules for imports. */
interface Rules {
  readonly forbidden: readonly {
    readonly name: string;
    readonly from: { readonly path: string };
  }[];
}

describe("import directions", () => {
  // That this package breaks none of the rules is checked by `npm run lint`.
  test("the rules find violations", () => {
    const folder = mkdtempSync(join(tmpdir(), "trivet-"));
    const write = (file: string, ...imports: string[]): void => {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      const lines = imports.map((path) => `import "${path}";`);
      writeFileSync(join(folder, file), [...lines, "export {};"].join("\n"));
    };
    writeFileSync(join(folder, "tsconfig.base.json"), "{}");
    write("bindings/providers/ids/index.ts");
    write("bindings/providers/ids/endpoint/index.ts");
    const binding = "../../../../bindings/providers/ids";
    write("stacks/main.ts", "../src/core/construct/error");
    write("src/core/schema/check.ts", "../construct/error");
    write("src/core/hcl/lexer.ts", "../construct/error");
    write("src/core/json/reader.ts", "../construct/error");
    write("src/core/process/file.ts", "../construct/error");
    write("src/core/schema/files.ts", "../process/file");
    write("src/core/construct/error.ts", "../../planner/plan");
    write("src/planner/plan.ts", "../cli/provider-main");
    write("src/core/http/client.ts", "../construct/error");
    write("src/core/google/token.ts", "../ids/client/client");
    write(
      "src/local/service/service.ts",
      "../../core/ids/client/client",
      "../../cli/provider-main",
    );
    write("src/core/provider-kit/server.ts", "../ids/client/client");
    write("src/core/ids/index.ts");
    write("src/core/ids/client/client.ts", "../../provider-kit/server", "../index");
    write("src/cli/provider-main.ts", "../core/ids/client/client");
    write("src/core/ids/endpoint/declare.ts", "./construct");
    write("src/core/ids/endpoint/construct.ts", binding, "./place");
    write("src/core/ids/endpoint/place.ts", "./handlers");
    write("src/core/ids/endpoint/handlers.ts", "./construct");
    write("src/core/workspace/agent/construct.ts", "../../ids/endpoint/construct");
    write(
      "src/local/workspace/platform.ts",
      "../../../bindings/providers/ids/endpoint",
      "../../core/workspace/agent/construct",
    );
    const config = join(root, ".dependency-cruiser.cjs");
    const folders = ["src", "bindings", "stacks"];
    const options = { cwd: folder, encoding: "utf8" } as const;
    const { status, stdout: text } = spawnSync(
      bin("depcruise"),
      ["--config", config, ...folders],
      options,
    );
    rmSync(folder, { recursive: true });
    expect(status).not.toBe(0);
    for (const rule of [
      "core-is-the-ground",
      "planner-on-core",
      "local-on-core",
      "basics-stand-alone",
      "schema-stands-alone",
      "http-on-schema",
      "google-on-http",
      "local-service-alone",
      "provider-kit-on-schema",
      "kit-through-its-faces",
      "kit-without-us",
      "local-stands-alone",
      "declarations-are-data",
      "constructs-without-provider",
      "providers-without-library",
      "clients-know-no-terraform",
      "gathered-at-the-root",
      "stacks-on-the-package",
      "slices-apart",
      "bindings-for-constructs",
      "one-binding-file",
      "no-cycles",
    ]) {
      expect(text).toContain(`error ${rule}:`);
    }
    expect(text).toContain("error constructs-without-provider: src/core/ids/endpoint/construct.ts");
    expect(text).toContain("error schema-stands-alone: src/core/schema/files.ts");
    expect(text).toContain("error bindings-for-constructs: src/local/workspace/platform.ts");
  });
});

describe("what the compiled package loads", () => {
  beforeAll(() => {
    const build = ["-b", join(root, "bindings"), join(root, "src")];
    execFileSync(bin("tsc"), build, { cwd: root, stdio: "inherit" });
  });

  const chainsOf = (entry: string, expression?: string): Readonly<Record<string, string[]>> => {
    const args = [join(__dirname, "load-chain.js"), entry, ...(expression ? [expression] : [])];
    const printed = execFileSync(process.execPath, args, { encoding: "utf8" });
    return JSON.parse(printed) as Record<string, string[]>;
  };

  const rules = jest.requireActual<Rules>("../.dependency-cruiser.cjs").forbidden;
  const clients = rules.find(({ name }) => name === "clients-know-no-terraform")?.from.path ?? "";
  const forbidden = new RegExp(
    [
      "^dist/src/(core/(provider-kit|google|http|process)|cli|local)/",
      clients.replaceAll("^src/", "^dist/src/").replaceAll("\\.ts", "\\.js"),
      "/(handlers|configure|main|provider-definition)\\.js$",
      "^dist/src/core/schema/zod\\.js$",
      "/regular-expression/re2\\.js$",
      "^dist/bindings/providers/[^/]+/(lazy-)?index\\.js$",
      "node_modules/(zod|re2js|https-proxy-agent|@aws-sdk|@azure|commander)/",
    ].join("|"),
  );

  const badChains = (chains: Readonly<Record<string, string[]>>): string[] =>
    Object.keys(chains)
      .filter((file) => forbidden.test(file))
      .map((file) => (chains[file] ?? []).join("\n  imports "));

  const entries: readonly [entry: string, providers: readonly string[]][] = [
    ["dist/src/index.js", providerNames],
    ...providerNames.map((name): [string, string[]] => [`dist/src/core/${name}/index.js`, [name]]),
  ];

  test.each(entries)("%s loads cdktf, constructs and our own, nothing else", (entry, providers) => {
    const all = "Object.values(it).forEach((each) => Object.values(each))";
    const chains = chainsOf(entry, all);
    expect(badChains(chains)).toEqual([]);
    const loaded = Object.keys(chains);
    const unloaded = providers.filter((name) => {
      return !loaded.some((file) => file.startsWith(`dist/bindings/providers/${name}/`));
    });
    expect(unloaded).toEqual([]);
  });

  test("the clients of every provider count as forbidden", () => {
    const folders = [
      "dist/src/core/ids/client/",
      "dist/src/core/workspace/build/",
      "dist/src/core/signing/policy/",
    ];
    expect(folders.filter((folder) => !forbidden.test(folder))).toEqual([]);
  });

  test.each([
    ["is not loaded for a valid construct", "edge", false],
    ["is loaded for what may be invalid", "Edge", true],
  ])("zod %s", (_, endpointId, isLoaded) => {
    const chains = chainsOf(
      "dist/src/core/ids/index.js",
      `const { Testing, TerraformStack } = require("cdktf");
       try {
         new it.Endpoint(new TerraformStack(Testing.app(), "Demo"), "edge", {
           endpointId: "${endpointId}",
           labels: { team: "network" },
           threatExceptions: ["100001"],
         });
       } catch {}`,
    );
    expect(Object.keys(chains).includes("dist/src/core/schema/zod.js")).toBe(isLoaded);
  });

  test("a provider with an access token loads nothing that gets tokens", () => {
    const configured = (settings: string): string =>
      `const { attributes } = it.provider.declaration;
       const config = Object.fromEntries(Object.keys(attributes).map((name) => [name, null]));
       const log = { redact() {} };
       const context = { env: {}, log, terraformVersion: "1.0.0", signal: new AbortController().signal };
       return it.provider
         .configure({ ...config, externalCredentials: [], project: "p", ...${settings} }, context)
         .then((ids) => ids.api);`;
    const entry = "dist/src/core/ids/provider-definition.js";
    const tokens = /^dist\/src\/core\/google\/(?!google-error|credentials\.js)/;
    const loaded = (settings: string): string[] =>
      Object.keys(chainsOf(entry, configured(settings))).filter((file) => tokens.test(file));
    expect(loaded(`{ accessToken: "t" }`)).toEqual([]);
    const key = `{ credentials: JSON.stringify({ type: "service_account", client_email: "a", private_key: "b" }) }`;
    expect(loaded(key)).toContain("dist/src/core/google/parse-credentials.js");
  });

  test("policies are read by what is loaded with the first known one", () => {
    const made = (policy: string): string =>
      `const { Testing, TerraformStack } = require("cdktf");
       const policy = ${policy};
       new it.DataVerify(new TerraformStack(Testing.app(), "Demo"), "verified", { image: "a.example/b:1", policy });`;
    const check = "dist/src/core/signing/verify/policy-check.js";
    const known = `["apiVersion: policy.sigstore.dev/v1beta1", "kind: ClusterImagePolicy", "metadata: { name: all }",
       "spec: { images: [{ glob: '**' }], authorities: [{ static: { action: pass } }] }"].join("\\n")`;
    expect(chainsOf("dist/src/core/signing/index.js", made(known))).toHaveProperty([check]);
    const unknown = `require("cdktf").Lazy.stringValue({ produce: () => "" })`;
    expect(chainsOf("dist/src/core/signing/index.js", made(unknown))).not.toHaveProperty([check]);
  });

  test("a forbidden import is reported with the chain that led to it", () => {
    const [chain] = badChains(chainsOf("dist/src/core/schema/zod.js"));
    expect(chain).toMatch(/^dist\/src\/core\/schema\/zod\.js$/);
  });
});
