import { words } from "./support/command";
import { attachedScenario, configuration, endpoint } from "./support/scenario";
import { tools } from "./support/tool";

/** Something whose output is known after it is applied. */
const later = (name: string, value: string) =>
  `resource "terraform_data" "${name}" {\n  input = ${value}\n}\n`;

describe.each(tools)("a value that is known after apply, under %s", (tool) => {
  it("becomes an endpoint's ID once it is known", async () => {
    const { service, workspace } = await attachedScenario(tool);
    const edge = endpoint("edge", { endpoint_id: "terraform_data.id.output" });
    workspace.write(configuration(service, `${later("id", `"late"`)}${edge}`));
    const { output } = await workspace.run("plan");
    expect(output).toMatch(/endpoint_id += \(known after apply\)/);
    await workspace.apply();
    expect((await workspace.state()).get("ids_endpoint.edge")?.values).toMatchObject({
      endpoint_id: "late",
      name: "projects/acme/locations/us-central1-a/endpoints/late",
    });
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("is checked once it is known, before any request", async () => {
    const { service, workspace } = await attachedScenario(tool);
    const edge = endpoint("edge", { endpoint_id: "terraform_data.id.output" });
    workspace.write(configuration(service, `${later("id", `"Bad_Id"`)}${edge}`));
    const { code, output } = await workspace.attempt(["apply", "-auto-approve"]);
    expect(code).toBe(1);
    expect(words(output)).toContain("endpoint_id: must start with a lowercase letter");
    expect(words(output)).toContain("Code: INVALID_ARGUMENT");
    expect(service.requests).toEqual([]);
  });

  it("can be in every argument, also inside a list or a map", async () => {
    const { service, workspace } = await attachedScenario(tool);
    const text = later("text", `"HIGH"`);
    const edge = endpoint("edge", {
      location: '"us-central1-${terraform_data.zone.output}"',
      severity: "terraform_data.text.output",
      labels: '{ level = lower(terraform_data.text.output), fixed = "1" }',
      threat_exceptions: `["1", terraform_data.zone.output]`,
      traffic_logs: "terraform_data.logs.output",
    });
    const all = [text, later("zone", `"b"`), later("logs", "true"), edge].join("\n");
    workspace.write(configuration(service, all));
    await workspace.apply();
    expect(await service.endpoints()).toEqual([
      expect.objectContaining({
        name: "projects/acme/locations/us-central1-b/endpoints/edge",
        severity: "HIGH",
        labels: { level: "high", fixed: "1" },
        threatExceptions: ["1", "b"],
        trafficLogs: true,
      }),
    ]);
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("plans an update in place without replacing what does not depend on it", async () => {
    const { service, workspace } = await attachedScenario(tool);
    const stack = (text: string) =>
      `${later("text", text)}${endpoint("edge", { description: "terraform_data.text.output" })}`;
    workspace.write(configuration(service, stack(`"one"`)));
    await workspace.apply();
    workspace.write(configuration(service, stack(`"two"`)));
    const { output } = await workspace.apply();
    expect(output).toContain("ids_endpoint.edge will be updated in-place");
    expect(service.sent("PATCH").map(({ query }) => query.get("updateMask"))).toEqual([
      "description",
    ]);
    expect(await service.endpoints()).toEqual([expect.objectContaining({ description: "two" })]);
  });

  it("configures the provider itself once it is known", async () => {
    const { service, workspace } = await attachedScenario(tool);
    const settings = {
      cloud_ids_custom_endpoint: "terraform_data.url.output",
      access_token: "terraform_data.token.output",
      project: "terraform_data.project.output",
    };
    const sources = [
      later("url", `"${service.url}"`),
      later("token", `"ya29.late"`),
      later("project", `"late-project"`),
    ];
    const all = [...sources, endpoint("edge")].join("\n");
    workspace.write(configuration(service, all, settings));
    await workspace.apply();
    expect(await service.endpoints("late-project")).toHaveLength(1);
    expect(service.requests.map(({ headers }) => headers["authorization"])).toEqual(
      service.requests.map(() => "Bearer ya29.late"),
    );
    expect(await workspace.plansChanges()).toBe(false);
  });

  it("in a setting that a read needs is reported with the fix", async () => {
    const { service, workspace } = await attachedScenario(tool);
    const settings = { cloud_ids_custom_endpoint: "terraform_data.url.output" };
    const all = `${later("url", `"${service.url}"`)}${endpoint("edge")}`;
    workspace.write(configuration(service, all, settings));
    await workspace.apply();
    workspace.write(configuration(service, all.replace("/v1/", "/v1"), settings));
    const { code, output } = await workspace.attempt(["plan"]);
    expect(code).toBe(1);
    expect(words(output)).toContain("Provider Setting Not Known Yet");
    expect(words(output)).toContain("cloud_ids_custom_endpoint is only known after apply");
    expect(words(output)).toContain("-target=");
    await workspace.apply("-target=terraform_data.url");
    expect(await workspace.plansChanges()).toBe(false);
  });
});
