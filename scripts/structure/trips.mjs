// @ts-check
// The files of src that one step of a user runs through, counted while the step runs: a file counts if one
// of its functions is called. What only loads a module does not count.
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { root } from "../providers.mjs";

const require = createRequire(import.meta.url);
const compiled = join(root, "dist/src");
const compiledUrl = `${pathToFileURL(compiled).href}/`;
/** Terraform's side of a call: no provider runs through it. */
const terraformSide = /^core\/provider-kit\/(?:testing\/|wire\/grpc\/grpc-client\.ts)/;

/**
 * Runs each step once.
 *
 * @returns {Promise<{ title: string, files: string[] }[]>}
 */
export async function measureTrips() {
  // The journal of a provider would be in the folder of whoever measures.
  process.env["XDG_STATE_HOME"] = await mkdtemp(join(tmpdir(), "trivet-structure-"));
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  const trips = [];
  for (const [title, prepare] of Object.entries(steps)) {
    const { run, end } = await prepare();
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await run();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    await session.post("Profiler.stopPreciseCoverage");
    await end();
    trips.push({ title, files: calledFiles(result) });
  }
  session.disconnect();
  await rm(process.env["XDG_STATE_HOME"], { recursive: true });
  return trips;
}

/** @param {import("node:inspector").Profiler.ScriptCoverage[]} scripts */
function calledFiles(scripts) {
  const own = scripts.filter(({ url }) => url.startsWith(compiledUrl));
  return own
    .filter(({ functions }) => functions.some(isCalled))
    .map(({ url }) => url.slice(compiledUrl.length).replace(/\.js$/, ".ts"))
    .filter((file) => !terraformSide.test(file))
    .sort();
}

/**
 * Getters of re-exports do not count: they have the name `get`, and no other function has.
 *
 * @param {import("node:inspector").Profiler.FunctionCoverage} coverage
 */
function isCalled({ functionName, ranges }) {
  return functionName !== "" && functionName !== "get" && (ranges[0]?.count ?? 0) > 0;
}

/**
 * @typedef {{ run: () => unknown, end: () => unknown }} Step
 * @type {Record<string, () => Promise<Step>>}
 */
const steps = {
  "new ids.Endpoint": async () => {
    const { ids, stack } = stackWith("ids");
    new ids.IdsProvider(stack, "ids", { project: "acme" });
    const props = {
      endpointId: "edge",
      location: "us-central1-a",
      network: "projects/acme/global/networks/edge",
      severity: "HIGH",
    };
    return { run: () => new ids.Endpoint(stack, "edge", props), end: () => {} };
  },
  "new workspace.DataParameter": async () => {
    const { workspace, stack } = stackWith("workspace");
    new workspace.WorkspaceProvider(stack, "workspace");
    const props = { name: "region", default: "eu" };
    return { run: () => new workspace.DataParameter(stack, "region", props), end: () => {} };
  },
  "an endpoint applied": async () => {
    const local = await startLocal("ids");
    const settings = { project: "acme", cloudIdsCustomEndpoint: local.ready.url };
    const network = "projects/acme/global/networks/edge";
    const config = { endpointId: "edge", location: "us-central1-a", network, severity: "HIGH" };
    return applying(local, "ids", "endpoint", settings, config);
  },
  "an image signed": async () => {
    const local = await startLocal("signing", "--port", "0", "--sample-image", "app");
    const { addresses, files, sampleImage } = local.ready;
    const settings = {
      fulcioUrl: addresses.certificateAuthority,
      rekorUrl: addresses.transparencyLog,
      trustedRoot: files.trustedRoot,
      identityToken: (await readFile(files.identityToken, "utf8")).trim(),
    };
    return applying(local, "signing", "sign", settings, { image: sampleImage });
  },
  "an image verified": async () => {
    const local = await startLocal("signing", "--port", "0", "--sample-image", "app");
    const { addresses, files, sampleImage } = local.ready;
    const settings = {
      fulcioUrl: addresses.certificateAuthority,
      rekorUrl: addresses.transparencyLog,
      trustedRoot: files.trustedRoot,
      identityToken: (await readFile(files.identityToken, "utf8")).trim(),
    };
    const { harness, declarationOf, end } = await serving(local, "signing", settings);
    const resource = harness.resource(declarationOf("sign"));
    const signed = await resource.apply(await resource.plan({ image: sampleImage }));
    fail(signed.diagnostics);
    const policy = JSON.stringify({
      apiVersion: "policy.sigstore.dev/v1beta1",
      kind: "ClusterImagePolicy",
      metadata: { name: "signed" },
      spec: {
        images: [{ glob: "**" }],
        authorities: [
          {
            keyless: {
              url: addresses.certificateAuthority,
              identities: [{ issuerRegExp: ".*", subjectRegExp: ".*" }],
            },
            ctlog: { url: addresses.transparencyLog },
          },
        ],
      },
    });
    const verify = harness.dataSource(declarationOf("verify"));
    const config = { image: sampleImage, policy };
    return { run: async () => fail((await verify.read(config)).diagnostics), end };
  },
};

/** @param {string} slice */
function stackWith(slice) {
  const { App, TerraformStack } = require("cdktf");
  const library = require(join(compiled, "index.js"));
  return { [slice]: library[slice], stack: new TerraformStack(new App(), "structure") };
}

/**
 * @param {{ stop: () => Promise<void> }} local
 * @param {string} slice
 * @param {string} room
 * @param {object} settings
 * @param {object} config
 * @returns {Promise<Step>}
 */
async function applying(local, slice, room, settings, config) {
  const { harness, declarationOf, end } = await serving(local, slice, settings);
  const resource = harness.resource(declarationOf(room));
  const change = await resource.plan(config);
  fail(change.diagnostics);
  return { run: async () => fail((await resource.apply(change)).diagnostics), end };
}

/**
 * A configured provider, and Terraform's side of it.
 *
 * @param {{ stop: () => Promise<void> }} local
 * @param {string} slice
 * @param {object} settings
 */
async function serving(local, slice, settings) {
  const { createTerraformHarness, startProvider } = require(
    join(compiled, "core/provider-kit/testing/index.js"),
  );
  const { providerRoutes } = require(join(compiled, "core/provider-kit/index.js"));
  const { provider: definition } = require(join(compiled, "core", slice, "provider-definition.js"));
  const { [`${slice}Provider`]: declaration } = require(
    join(compiled, "core", slice, "provider/declare.js"),
  );
  const env = { HOME: "/nowhere", NO_GCE_CHECK: "true" };
  const started = await startProvider(providerRoutes(definition, env), { env });
  const harness = createTerraformHarness(started);
  fail(await harness.configure(declaration, settings));
  return {
    harness,
    /** @param {string} room */
    declarationOf: (room) => require(join(compiled, "core", slice, room, "declare.js"))[room],
    end: async () => {
      started.close();
      await local.stop();
    },
  };
}

/** @param {unknown[]} diagnostics */
function fail(diagnostics) {
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
}

/**
 * `trivet local` in a process of its own, so that its files do not count.
 *
 * @param {string[]} args
 */
async function startLocal(...args) {
  const folder = await mkdtemp(join(tmpdir(), "trivet-structure-"));
  const child = spawn(
    process.execPath,
    [join(compiled, "cli/main.js"), "local", ...args, "--quiet", "--json"],
    {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let text = "";
  for await (const line of createInterface(child.stdout)) {
    text += line;
    if (line === "}") break;
  }
  return {
    ready: JSON.parse(text),
    stop: async () => {
      const ended = new Promise((resolve) => child.on("close", resolve));
      child.kill();
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
