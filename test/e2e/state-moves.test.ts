import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Testing } from "cdktf";
import { readConfiguration } from "../../src/cli/convert/configuration";
import { converted } from "../../src/cli/convert/conversion";
import { provider as ids } from "../../src/core/ids/provider-definition";
import { parseTrustedJson } from "../../src/core/json/plain-json";
import { type Environment, providerRoutes } from "../../src/core/provider-kit";
import { type TerraformPlan, TerraformProject } from "../../src/core/provider-kit/testing";
import { optional, provider as providerOf, t } from "../../src/core/schema";
import { provider as signing } from "../../src/core/signing/provider-definition";
import { provider as workspaces } from "../../src/core/workspace/provider-definition";
import { stackClass } from "../cli/convert/converted-stack";
import { onPath, skippedWithout } from "../on-path";
import { attest, sign } from "../core/signing/sign/operations";
import { inTime, openBench, type SigningBench } from "../core/signing/sign/signing-bench";
import { copyImage } from "../../src/core/signing/copy/copy-image";
import { Service } from "./support/service";
import { imageText, signerEmail } from "./support/signing";
import { tools } from "./support/tool";

skippedWithout(onPath("tofu") === undefined ? ["tofu"] : [], "moves under OpenTofu do not run");

/** The binaries of the other providers, of any version. Without them, their states are those written here. */
const { TRIVET_CODER_PROVIDER: coderBinary, TRIVET_COSIGN_PROVIDER: cosignBinary } = process.env;

const base = mkdtempSync(join(tmpdir(), "trivet-e2e-moves-"));
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(() => {
  rmSync(base, { recursive: true, force: true });
});

type Attributes = Readonly<Record<string, unknown>>;

/** A provider of ours, and the one whose resources it takes over. */
interface Pair {
  readonly name: "ids" | "signing" | "workspace";
  /** The environment of both. */
  readonly env?: Readonly<Record<string, string>>;
  /** The other provider in the state, such as `registry.terraform.io/coder/coder`. */
  readonly theirs: string;
  /** The binary of the other provider. Without it, the other one only stands in. */
  readonly binary?: string | undefined;
}

const routesOf = {
  ids: (env: Environment) => providerRoutes(ids, env),
  signing: (env: Environment) => providerRoutes(signing, env),
  workspace: (env: Environment) => providerRoutes(workspaces, env),
} as const;

/**
 * The provider of a state, as a tool reads it. OpenTofu takes Terraform's registry for its own, unless the configuration
 * requires a provider of that registry by its full address.
 */
const readBy = (tool: string, address: string): string =>
  tool === "tofu" ? address.replace("registry.terraform.io/", "registry.opentofu.org/") : address;

/** Opens a project with our provider and the other one, which Terraform needs to read the state. */
async function open(tool: string, pair: Pair): Promise<TerraformProject> {
  const { name, theirs, binary, env = {} } = pair;
  const declaration = providerOf("other", {
    doc: "Stands in.",
    attributes: {
      cloudIdsCustomEndpoint: optional(t.string(), { doc: "As Google's provider has it." }),
    },
  });
  const routes = providerRoutes({ declaration, configure: () => null, resources: [] });
  const project = await TerraformProject.open({
    source: `trivet.local/trivet/${name}`,
    routes: routesOf[name](env),
    otherProviders: binary === undefined ? [{ source: readBy(tool, theirs), routes }] : [],
    command: tool,
    env,
  });
  closing.push(() => project.close());
  if (binary !== undefined) {
    const [folder, source] = [mkdtempSync(join(base, "binary-")), theirs.replace(/^[^/]+\//, "")];
    cpSync(binary, join(folder, `terraform-provider-${source.replace(/^.*\//, "")}`));
    const text = `provider_installation {\n  dev_overrides { ${JSON.stringify(source)} = ${JSON.stringify(folder)} }\n  direct {}\n}\n`;
    await writeFile(join(project.folder, "terraform.rc"), text);
  }
  return project;
}

/** Writes a state with these resources, by address. */
async function writeState(
  project: TerraformProject,
  theirs: string,
  resources: Readonly<Record<string, Attributes>>,
  versionOf: (type: string) => number = () => 0,
): Promise<void> {
  const all = Object.entries(resources).map(([address, attributes]) => {
    const [type = "", name = ""] = address.split(".");
    const instances = [{ schema_version: versionOf(type), attributes, sensitive_attributes: [] }];
    return { mode: "managed", type, name, provider: `provider["${theirs}"]`, instances };
  });
  const state = { version: 4, terraform_version: "1.8.0", serial: 1, lineage: "x", resources: all };
  await writeFile(join(project.folder, "terraform.tfstate"), JSON.stringify(state));
}

/** Replaces a configuration by what `trivet convert` makes of it. Returns the addresses that stay in HCL. */
async function convert(
  project: TerraformProject,
  text: string,
  keepsCoder: boolean,
): Promise<readonly string[]> {
  const folder = mkdtempSync(join(base, "original-"));
  await writeFile(join(folder, "main.tf"), text);
  const { stack, files, kept } = converted(await readConfiguration(folder), keepsCoder);
  await project.write(Testing.synth(new (stackClass(stack))(Testing.app(), "main")));
  await writeFile(join(project.folder, "rest.tf"), files.get("main.tf") ?? "");
  return kept.map(({ address }) => address);
}

const required = (name: string, source: string): string =>
  `terraform {\n  required_providers {\n    ${name} = { source = "${source}" }\n  }\n}\n`;

const movedBlock = (from: string, to: string): string =>
  `moved {\n  from = ${from}\n  to   = ${to}\n}\n`;

/** The addresses of a plan with what happens to them, if anything does. */
const changed = ({ changes }: TerraformPlan): readonly string[][] =>
  [...changes].flatMap(([address, { action }]) => (action === "no-op" ? [] : [[address, action]]));

/** Expects that nothing changes but the addresses, neither in the plan nor in the one after the apply. */
async function expectTakenOver(project: TerraformProject): Promise<void> {
  const plan = await project.plan();
  // Terraform warns of each binary that is not installed.
  expect(
    plan.warnings.filter(({ summary }) => !summary.startsWith("Provider development")),
  ).toEqual([]);
  expect(changed(plan)).toEqual([]);
  await project.applyPlan();
  expect(changed(await project.plan())).toEqual([]);
}

describe("workspace resources", () => {
  const template = readFileSync(join(__dirname, "state-moves", "coder.tf"), "utf8");
  const states = parseTrustedJson(
    readFileSync(join(__dirname, "state-moves", "coder-state.json"), "utf8"),
  ) as Readonly<Record<string, Attributes>>;
  const addresses = Object.keys(states);
  const ours = (address: string): string => address.replace(/^coder_/, "workspace_");
  const taken = [
    required("workspace", "trivet.local/trivet/workspace"),
    template
      .replaceAll(/\bcoder_(?=[a-z_]+["._])/g, "workspace_")
      .replaceAll("vscode", "editor")
      .replaceAll("google-instance-identity", "cloudA-instance-identity"),
    ...addresses.map((address) => movedBlock(address, ours(address))),
  ].join("\n");
  const pair = { name: "workspace", theirs: "registry.terraform.io/coder/coder" } as const;
  const current = (type: string): number => (type === "coder_agent_instance" ? 0 : 1);

  test("each type has a row", () => {
    const types = new Set(addresses.map((address) => ours(address).replace(/\..*/, "")));
    expect(types).toEqual(new Set(workspaces.resources.map(({ declaration }) => declaration.type)));
  });

  describe.each(tools)("under %s", (tool) => {
    const own = coderBinary === undefined ? test.skip : test;

    test.each([
      ["registry.terraform.io", 1],
      ["registry.opentofu.org", 1],
      ["registry.terraform.io", 0],
    ])("of coder's provider of %s, schema version %d, become ours", async (registry, version) => {
      const theirs = `${registry}/coder/coder`;
      const project = await open(tool, { ...pair, theirs });
      await writeState(project, theirs, states, (type) => Math.min(version, current(type)));
      await project.write(taken);
      await expectTakenOver(project);
      const found = await project.resources();
      for (const [address, { id }] of Object.entries(states)) {
        expect(found[ours(address)]).toMatchObject({ id });
      }
      expect(found["workspace_agent.main"]?.["token"]).toBe(states["coder_agent.main"]?.["token"]);
    });

    test("of releases without newer attributes have the defaults of these", async () => {
      const project = await open(tool, pair);
      const { api_key_scope: _, open_in: __, ...agent } = states["coder_agent.plain"] ?? {};
      const old = { ...agent, login_before_ready: true, startup_script_timeout: 300 };
      await writeState(project, pair.theirs, { "coder_agent.plain": old });
      await project.write(`${required("workspace", "trivet.local/trivet/workspace")}
resource "workspace_agent" "plain" {
  os   = "linux"
  arch = "arm64"
}
${movedBlock("coder_agent.plain", "workspace_agent.plain")}`);
      await expectTakenOver(project);
    });

    test("are those of a converted template", async () => {
      const project = await open(tool, pair);
      await writeState(project, pair.theirs, states, current);
      expect(await convert(project, required("coder", "coder/coder") + template, false)).toEqual(
        [],
      );
      await expectTakenOver(project);
    });

    const acme = readBy(tool, "registry.terraform.io/acme/coder");
    const mirrored = `${tool} state replace-provider ${acme} ${readBy(tool, pair.theirs)}`;
    test.each([
      [acme, 1, mirrored],
      [readBy(tool, pair.theirs), 2, "that writes one of these schema versions"],
    ])("of %s with schema version %d are refused", async (theirs, version, way) => {
      const project = await open(tool, { ...pair, theirs });
      await writeState(project, theirs, states, () => version);
      await project.write(taken);
      const { code, output, errors } = await project.run("plan", "-no-color");
      expect(code).toBe(1);
      const text = (output + errors).replaceAll(/[\s│]+/g, " ");
      expect(text).toContain(`A coder_agent of ${theirs} with schema version ${version} cannot`);
      expect(text).toContain(way);
    });

    own("of coder's own provider", async () => {
      const project = await open(tool, { ...pair, binary: coderBinary });
      await project.write(required("coder", "coder/coder") + template);
      await project.apply();
      const before = await project.resources();
      await project.write(taken);
      expect(changed(await project.plan())).toEqual([]);
      await project.applyPlan();
      const after = await project.resources();
      for (const address of addresses) {
        expect(after[ours(address)]).toMatchObject({ id: before[address]?.["id"] });
      }
    });

    own.each([true, false])(
      "of coder's own provider are those of its converted template, which keeps coder: %s",
      async (keepsCoder) => {
        const project = await open(tool, { ...pair, binary: coderBinary });
        const fixture = join(__dirname, "..", "cli", "convert", "fixtures", "template", "main.tf");
        const text = readFileSync(fixture, "utf8");
        await project.write(text);
        await project.apply();
        // Coder's provider makes a new token in each plan. Ours keeps the one that the machine has.
        const expected = keepsCoder ? [["terraform_data.machine", "update"]] : [];
        if (keepsCoder) expect(changed(await project.plan())).toEqual(expected);
        const before = await project.resources();
        expect(await convert(project, text, keepsCoder)).toEqual(["terraform_data.machine"]);
        expect(changed(await project.plan())).toEqual(expected);
        await project.applyPlan();
        const after = await project.resources();
        const written = keepsCoder ? (address: string) => address : ours;
        for (const [address, { id }] of Object.entries(before)) {
          if (!address.startsWith("data.")) expect(after[written(address)]).toMatchObject({ id });
        }
        if (!keepsCoder) {
          expect(after["terraform_data.machine"]).toEqual(before["terraform_data.machine"]);
        }
      },
    );
  });
});

describe.each(tools)("an endpoint under %s", (tool) => {
  const parent = "projects/acme/locations/us-central1-a";

  // The state is written as the schema of Google's provider has it, because the provider is too large to build in a test.
  test.each([
    ["google", [], "by hand"],
    ["google-beta", ["7"], "by hand"],
    ["google", ["7"], "by trivet convert"],
  ])(
    "of Google's provider %s, with exceptions %j, becomes ours %s",
    async (name, exceptions, way) => {
      const service = await Service.start();
      closing.push(() => service.close());
      const network = "projects/acme/global/networks/main";
      const body = { network, severity: "HIGH", threatExceptions: exceptions };
      await service.call("POST", `${parent}/endpoints?endpointId=edge`, body);
      let found = await service.call("GET", `${parent}/endpoints/edge`);
      while (found["state"] !== "READY") {
        found = await service.call("GET", `${parent}/endpoints/edge`);
      }
      const theirs = `registry.terraform.io/hashicorp/${name}`;
      const project = await open(tool, { name: "ids", theirs });
      await writeState(project, theirs, {
        "google_cloud_ids_endpoint.edge": {
          create_time: found["createTime"],
          description: null,
          endpoint_forwarding_rule: found["endpointForwardingRule"],
          endpoint_ip: found["endpointIp"],
          id: `${parent}/endpoints/edge`,
          location: "us-central1-a",
          name: "edge",
          network,
          project: "acme",
          severity: "HIGH",
          threat_exceptions: exceptions,
          timeouts: { create: "90m", delete: null, update: null },
          update_time: found["updateTime"],
        },
      });
      const configuration = (provider: string, type: string, id: string): string => `
provider "${provider}" {
  cloud_ids_custom_endpoint = "${service.url}"
}
resource "${type}" "edge" {
  ${id} = "edge"
  project           = "acme"
  location          = "us-central1-a"
  network           = "${network}"
  severity          = "HIGH"
${exceptions.length === 0 ? "" : `  threat_exceptions = ["7"]`}
  timeouts {
    create = "90m"
  }
}
`;
      if (way === "by hand") {
        await project.write(
          required("ids", "trivet.local/trivet/ids") +
            configuration("ids", "ids_endpoint", "endpoint_id") +
            movedBlock("google_cloud_ids_endpoint.edge", "ids_endpoint.edge"),
        );
      } else {
        const original = configuration("google", "google_cloud_ids_endpoint", "name");
        const text = required("google", "hashicorp/google") + original;
        expect(await convert(project, text, true)).toEqual(["provider.google"]);
      }
      await expectTakenOver(project);
      expect(service.changes).toEqual([]);
    },
  );
});

/** Everything that a registry has of a repository, and the number of entries in the log. */
async function everything(bench: SigningBench, repository: string) {
  const url = `${bench.local.addresses.registry}/v2/${repository}`;
  const { tags } = (await (await fetch(`${url}/tags/list`)).json()) as { tags: string[] | null };
  const manifests = await Promise.all(
    (tags ?? []).map(async (tag) => [tag, await (await fetch(`${url}/manifests/${tag}`)).text()]),
  );
  return { manifests, entries: await bench.logSize() };
}

describe.each(tools)("signing resources under %s", (tool) => {
  const theirs = "registry.terraform.io/chainguard-dev/cosign";
  const predicate = { type: "https://example.com/check/v1", json: '{"passed":true}' };

  async function opened(binary?: string) {
    const bench = await openBench();
    const { addresses, files } = bench.local;
    const image = await bench.pushImage("moved");
    const env = {
      HOME: base,
      TRIVET_TRUSTED_ROOT: files.trustedRoot,
      SIGSTORE_ID_TOKEN: bench.local.issueToken({ email: signerEmail }),
      SIGSTORE_ROOT_FILE: files.certificateChain,
      SIGSTORE_CT_LOG_PUBLIC_KEY_FILE: files.ctLogPublicKey,
      SIGSTORE_REKOR_PUBLIC_KEY: files.transparencyLogPublicKey,
    };
    const project = await open(tool, { name: "signing", theirs, binary, env });
    const source = imageText(image);
    const destination = `${bench.local.registryHost}/mine/app`;
    const urls = `  fulcio_url = "${addresses.certificateAuthority}"
  rekor_url  = "${addresses.transparencyLog}"
`;
    const resources = (prefix: string, conflict: string) => `
resource "${prefix}_sign" "app" {
  image    = "${source}"
  conflict = "${conflict}"
${urls}}
resource "${prefix}_attest" "app" {
  image = ${prefix}_sign.app.signed_ref
${urls}  predicates {
    type = "${predicate.type}"
    json = jsonencode({ passed = true })
  }
}
resource "${prefix}_copy" "app" {
  source      = ${prefix}_attest.app.attested_ref
  destination = "${destination}"
}
`;
    const theirText = (conflict: string): string =>
      required("cosign", "chainguard-dev/cosign") + resources("cosign", conflict);
    const ours = (conflict: string): string =>
      [
        required("signing", "trivet.local/trivet/signing"),
        resources("signing", conflict),
        ...["sign", "attest", "copy"].map((type) =>
          movedBlock(`cosign_${type}.app`, `signing_${type}.app`),
        ),
      ].join("\n");
    const become = async (conflict: string, way: Way): Promise<void> => {
      if (way === "by hand") await project.write(ours(conflict));
      else expect(await convert(project, theirText(conflict), true)).toEqual([]);
    };
    return { bench, image, project, source, destination, resources, theirText, ours, become };
  }
  type Way = (typeof ways)[number];
  const ways = ["by hand", "by trivet convert"] as const;

  const parts = (bench: SigningBench) =>
    Promise.all([everything(bench, "lab/app"), everything(bench, "mine/app")]);

  test.each([
    ["SKIPSAME", "by hand"],
    ["REPLACE", "by hand"],
    ["REPLACE", "by trivet convert"],
  ] as const)(
    "of cosign's provider become ours, and nothing is signed again with %s, %s",
    async (conflict, way) => {
      const { bench, image, project, source, destination, become } = await opened();
      const person = bench.person(signerEmail);
      await sign(bench, person, image);
      await attest(bench, person, image);
      const { addresses } = bench.local;
      const urls = {
        fulcio_url: addresses.certificateAuthority,
        rekor_url: addresses.transparencyLog,
      };
      const shared = { id: source, image: source, signature_format: null, ...urls };
      const predicates = [{ ...predicate, file: [] }];
      await writeState(project, theirs, {
        "cosign_sign.app": { ...shared, conflict, signed_ref: source },
        "cosign_attest.app": {
          ...shared,
          conflict: "SKIPSAME",
          attested_ref: source,
          predicate: null,
          predicate_type: null,
          predicate_file: [],
          predicates,
        },
        // Release 0.4.5 names the source after a refresh.
        "cosign_copy.app": { id: source, copied_ref: source, source, destination },
      });
      await copyImage(
        image,
        { registry: bench.local.registryHost, path: "mine/app" },
        { client: bench.registry, context: inTime() },
      );
      const before = await parts(bench);
      await become(conflict, way);
      await expectTakenOver(project);
      expect(await parts(bench)).toEqual(before);
      expect(before[0]).toMatchObject({ entries: 2, manifests: { length: 2 } });
      expect((await project.resources())["signing_copy.app"]).toMatchObject({
        copied_ref: `${destination}@${image.digest}`,
      });
    },
  );

  test("that were never signed are signed by the first apply", async () => {
    const { bench, project, source, ours } = await opened();
    const urls = {
      fulcio_url: bench.local.addresses.certificateAuthority,
      rekor_url: bench.local.addresses.transparencyLog,
    };
    const state = { id: source, image: source, conflict: "SKIPSAME", signature_format: null };
    await writeState(project, theirs, {
      "cosign_sign.app": { ...state, ...urls, signed_ref: source },
    });
    await project.write(ours("SKIPSAME").replace(/resource "signing_attest"[^]*?\n(?=moved)/, ""));
    const { changes } = await project.plan();
    // What was written is not known, so the apply looks for it. It writes only what is missing.
    expect(changes.get("signing_sign.app")).toMatchObject({
      action: "update",
      before: { skipped: null, image: source },
      after: { image: source },
      afterUnknown: { skipped: true },
    });
    expect(await bench.logSize()).toBe(0);
    await project.applyPlan();
    expect(await bench.logSize()).toBe(1);
  });

  const own = cosignBinary === undefined ? test.skip : test;
  own.each(ways)("of cosign's own provider, %s", async (way) => {
    const { bench, project, resources, theirText, become } = await opened(cosignBinary);
    await project.write(theirText("SKIPSAME"));
    await project.apply();
    const before = await parts(bench);
    expect(before[0]).toMatchObject({ entries: 2, manifests: { length: 2 } });
    await become("SKIPSAME", way);
    await expectTakenOver(project);
    expect(await parts(bench)).toEqual(before);
    // The way back.
    const forgotten = ["sign", "attest", "copy"].map(
      (type) =>
        `removed {\n  from = signing_${type}.app\n  lifecycle {\n    destroy = false\n  }\n}\n`,
    );
    const both = `terraform {
  required_providers {
    cosign  = { source = "chainguard-dev/cosign" }
    signing = { source = "trivet.local/trivet/signing" }
  }
}
`;
    await project.write([both, resources("cosign", "SKIPSAME"), ...forgotten].join("\n"));
    await project.apply();
    expect(Object.keys(await project.resources()).sort()).toEqual([
      "cosign_attest.app",
      "cosign_copy.app",
      "cosign_sign.app",
    ]);
    expect(await parts(bench)).toEqual(before);
  });
});
