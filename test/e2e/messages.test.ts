import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startCommand, words } from "./support/command";
import { attachedScenario, configuration, endpoint, scenario } from "./support/scenario";
import { tools } from "./support/tool";

const parent = "projects/acme/locations/us-central1-a";
const taken = { network: "projects/acme/global/networks/theirs", severity: "LOW" };

/** A folder with `sh` and, if a version is given, a `node` that claims to be this one. */
function binaries(folder: string, nodeVersion?: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  symlinkSync("/bin/sh", join(bin, "sh"));
  if (nodeVersion === undefined) return bin;
  const claim = `Object.defineProperty(process.versions, "node", { value: "${nodeVersion}" })`;
  writeFileSync(join(bin, "old.cjs"), claim);
  const script = `#!/bin/sh\nexec "${process.execPath}" -r "${bin}/old.cjs" "$@"\n`;
  writeFileSync(join(bin, "node"), script, { mode: 0o755 });
  return bin;
}

/** Where a tool is, so that it can be started with a PATH that does not contain it. */
function located(tool: string): string {
  const folders = (process.env["PATH"] ?? "").split(":");
  return join(folders.find((folder) => existsSync(join(folder, tool))) ?? "", tool);
}

describe.each(tools)("the message from %s", (tool) => {
  it.each([
    ["node is missing", undefined, 'needs Node.js, but "node" is not on its PATH. Install Node.js'],
    ["node is too old", "18.20.8", 'needs Node.js 20.20 or newer; "node" on its PATH is 18.20.8.'],
  ])("when %s says so", async (_, nodeVersion, message) => {
    const { service, workspace } = await scenario(tool);
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.init();
    const PATH = binaries(workspace.folder, nodeVersion);
    const plan = startCommand(located(tool), ["plan"], {
      cwd: workspace.folder,
      env: { ...workspace.env, PATH },
    });
    const { code, output } = await plan.ended;
    expect(code).toBe(1);
    expect(words(output)).toContain(`The ids provider ${message}`);
  });

  it("when there is no folder for its socket names it", async () => {
    const { service, workspace } = await scenario(tool);
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.init();
    const { code, output } = await workspace.attempt(["plan"], { TMPDIR: "/nowhere" });
    expect(code).toBe(1);
    expect(words(output)).toMatch(/The ids provider cannot start\. .* in \/nowhere \(ENOENT\)/);
    expect(output).not.toContain("bug");
  });

  it("during the plan names every invalid attribute, with its code, rule and place", async () => {
    const { service, workspace } = await attachedScenario(tool);
    const wrong = { endpoint_id: `"Edge-"`, severity: `"high"`, request_id: `"1234"` };
    workspace.write(configuration(service, endpoint("edge", wrong)));
    const { code, output } = await workspace.attempt(["plan"]);
    expect(code).toBe(1);
    const said = words(output);
    expect(said).toContain("Error: Invalid Attribute Value with ids_endpoint.edge");
    expect(said).toContain("endpoint_id: must start with a lowercase letter");
    expect(said).toContain("severity: must be one of");
    expect(said).toContain("request_id: must be a UUID");
    expect(said).toContain("Code: INVALID_ARGUMENT");
    expect(said).toMatch(/on main\.tf line \d+, in resource "ids_endpoint" "edge": \d+: severity/);
    expect(service.requests).toEqual([]);
  });

  it("when an endpoint exists already contains the command that imports it", async () => {
    const { service, workspace } = await attachedScenario(tool);
    await service.call("POST", `${parent}/endpoints?endpointId=edge`, taken);
    workspace.write(configuration(service, endpoint("edge")));
    const { code, output } = await workspace.attempt(["apply", "-auto-approve"]);
    expect(code).toBe(1);
    const said = words(output);
    expect(said).toContain("Error: Endpoint Already Exists with ids_endpoint.edge");
    expect(said).toMatch(/in resource "ids_endpoint" "edge": \d+: endpoint_id/);
    expect(said).toContain("ALREADY_EXISTS");
    expect(said).toContain(`terraform import ADDRESS ${parent}/endpoints/edge`);
    expect((await workspace.state()).size).toBe(0);
    expect(await service.endpoints()).toEqual([expect.objectContaining(taken)]);
  });

  it("when the service refuses a value names it, and quotes the service's response", async () => {
    const { service, workspace } = await attachedScenario(tool);
    workspace.write(configuration(service, endpoint("edge", { network: "null" })));
    const planned = await workspace.run("plan");
    expect(words(planned.output)).toContain("Warning: Questionable Attribute Value");
    const { code, output } = await workspace.attempt(["apply", "-auto-approve"]);
    expect(code).toBe(1);
    const said = words(output);
    expect(said).toContain("Error: Refused By The Service with ids_endpoint.edge");
    expect(said).toContain("INVALID_ARGUMENT");
    expect(said).toContain('endpoint.network: "a network is required"');
    expect((await workspace.state()).size).toBe(0);
  });

  it("when an update is refused explains how to replace, and the state keeps the old value", async () => {
    const { service, workspace } = await attachedScenario(tool);
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.apply();
    const body = JSON.stringify({
      error: { code: 400, status: "FAILED_PRECONDITION", message: "severity is immutable" },
    });
    service.fault = ({ method }) =>
      method === "PATCH" ? { kind: "answer", status: 400, body } : undefined;
    workspace.write(configuration(service, endpoint("edge", { severity: `"LOW"` })));
    const { code, output } = await workspace.attempt(["apply", "-auto-approve"]);
    expect(code).toBe(1);
    const said = words(output);
    expect(said).toContain("Error: Precondition Not Met");
    expect(said).toContain("cannot change severity in place, plan with -replace=ADDRESS");
    expect(said).toContain('The service responded: "severity is immutable"');
    expect((await workspace.state()).get("ids_endpoint.edge")?.values).toMatchObject({
      severity: "HIGH",
    });
  });

  it("when the service ignores a repeated request_id explains what to do", async () => {
    const { service, workspace } = await attachedScenario(tool);
    const id = { request_id: `"0f8fad5b-d9cb-469f-a165-70867728950e"` };
    workspace.write(configuration(service, endpoint("edge", id)));
    await workspace.apply();
    const elsewhere = { ...id, location: `"us-central1-b"` };
    workspace.write(configuration(service, endpoint("edge", elsewhere)));
    const { code, output } = await workspace.attempt(["apply", "-auto-approve"]);
    expect(code).toBe(1);
    const said = words(output);
    expect(said).toContain("Error: Request Ignored By The Service");
    expect(said).toContain("Change or remove request_id");
    workspace.write(configuration(service, endpoint("edge", { location: `"us-central1-b"` })));
    await workspace.apply();
    expect(await service.endpoints()).toHaveLength(1);
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("when the service does not respond explains what to check", async () => {
    const { service, workspace } = await attachedScenario(tool);
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.apply();
    await service.close();
    const { code, output } = await workspace.attempt(["plan"]);
    expect(code).toBe(1);
    const said = words(output);
    expect(said).toContain("Error: Service Not Reached");
    expect(said).toContain("ECONNREFUSED");
    expect(said).toContain("Check the network, the proxy settings and cloud_ids_custom_endpoint");
    expect(said).not.toContain("service responded");
  });

  it("when an operation fails contains the operation's error", async () => {
    const operationFailure = () => ({ code: 8, message: "no addresses are left in the range" });
    const { service, workspace } = await attachedScenario(tool, { service: { operationFailure } });
    workspace.write(configuration(service, endpoint("edge")));
    const { code, output } = await workspace.attempt(["apply", "-auto-approve"]);
    expect(code).toBe(1);
    expect(words(output)).toMatch(
      /RESOURCE_EXHAUSTED.*The operation is projects\/acme\/.*no addresses/,
    );
  });

  it("when a project, zone or credential is missing names where to set it", async () => {
    const { service, workspace } = await attachedScenario(tool);
    workspace.write(configuration(service, endpoint("edge"), { project: "null", zone: "null" }));
    const nowhere = await workspace.attempt(["plan"]);
    expect(nowhere.code).toBe(1);
    expect(words(nowhere.output)).toMatch(/Missing Project .*GOOGLE_PROJECT/);
    workspace.write(
      configuration(service, endpoint("edge"), { cloud_ids_custom_endpoint: "null" }),
    );
    const nobody = await workspace.attempt(["plan"]);
    expect(nobody.code).toBe(1);
    expect(words(nobody.output)).toMatch(/No Credentials .*GOOGLE_OAUTH_ACCESS_TOKEN/);
    const settings = { access_token: `"ya29.a"`, credentials: `"key.json"` };
    workspace.write(configuration(service, endpoint("edge"), settings));
    const both = await workspace.attempt(["plan"]);
    expect(both.code).toBe(1);
    expect(words(both.output)).toContain("Error: Conflicting Attributes");
  });

  it("never contains the access token, whatever is logged or fails", async () => {
    const token = "ya29.c0ffee-SECRET-token-c0ffee";
    const { service, workspace } = await scenario(tool, {
      env: { GOOGLE_OAUTH_ACCESS_TOKEN: token },
    });
    const trace = { TF_LOG: "TRACE" };
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.init();
    const applied = await workspace.attempt(["apply", "-auto-approve"], trace);
    expect(applied.code).toBe(0);
    expect(service.requests[0]?.headers["authorization"]).toBe(`Bearer ${token}`);
    // The log exists, and is the provider's.
    expect(applied.output).toMatch(/provider\.terraform-provider-ids_v.*polled an operation/);

    const body = JSON.stringify({
      error: { code: 403, status: "PERMISSION_DENIED", message: `Bearer ${token} may not` },
    });
    service.fault = () => ({ kind: "answer", status: 403, body });
    const refused = await workspace.attempt(["plan"], trace);
    expect(refused.code).toBe(1);
    expect(words(refused.output)).toContain("roles/ids.admin");
    for (const { output } of [applied, refused]) expect(output).not.toContain("SECRET");
  });
});
