import { attachedScenario, configuration, endpoint, scenario } from "./support/scenario";
import { tools } from "./support/tool";

interface Validation {
  readonly valid: boolean;
  readonly diagnostics: readonly { readonly severity: string; readonly summary: string }[];
}

interface Schemas {
  readonly provider_schemas: Readonly<
    Record<
      string,
      {
        readonly provider: { readonly block: { readonly attributes: Record<string, unknown> } };
        readonly resource_schemas: Readonly<
          Record<string, { readonly block: { readonly attributes: Record<string, unknown> } }>
        >;
      }
    >
  >;
}

describe.each(tools)("%s, inspecting a configuration,", (tool) => {
  it("validates it without a service", async () => {
    const { service, workspace } = await attachedScenario(tool);
    await service.close();
    workspace.write(configuration(service, endpoint("edge")));
    const right = JSON.parse((await workspace.run("validate", "-json")).stdout) as Validation;
    expect(right).toMatchObject({ valid: true, diagnostics: [] });

    workspace.write(configuration(service, endpoint("edge", { traffic_logs: `"maybe"` })));
    const wrong = await workspace.attempt(["validate", "-json"]);
    expect(wrong.code).toBe(1);
    expect(JSON.parse(wrong.stdout)).toMatchObject({ valid: false, error_count: 1 });
  });

  it("shows the provider's schema", async () => {
    const { service, workspace } = await scenario(tool);
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.init();
    const { stdout } = await workspace.run("providers", "schema", "-json");
    const schemas = (JSON.parse(stdout) as Schemas).provider_schemas["trivet.local/trivet/ids"];
    expect(schemas?.provider.block.attributes).toMatchObject({
      access_token: { type: "string", optional: true, sensitive: true },
    });
    expect(schemas?.resource_schemas["ids_endpoint"]?.block.attributes).toMatchObject({
      endpoint_id: { type: "string", required: true },
      threat_exceptions: { type: ["list", "string"], optional: true },
      traffic_logs: { type: "bool", optional: true, computed: true },
      endpoint_ip: { type: "string", computed: true },
    });
  });

  it("shows a saved plan with unknown values and replacements", async () => {
    const { service, workspace } = await attachedScenario(tool);
    workspace.write(configuration(service, endpoint("edge")));
    await workspace.apply();
    workspace.write(configuration(service, endpoint("edge", { location: `"us-central1-b"` })));
    await workspace.run("plan", "-out=saved.tfplan");
    const { stdout } = await workspace.run("show", "-json", "saved.tfplan");
    const { resource_changes: changes } = JSON.parse(stdout) as { resource_changes: unknown[] };
    expect(changes).toEqual([
      expect.objectContaining({
        address: "ids_endpoint.edge",
        change: expect.objectContaining({
          actions: ["delete", "create"],
          replace_paths: [["location"]],
          after_unknown: expect.objectContaining({
            endpoint_ip: true,
            create_time: true,
          }) as object,
        }) as object,
      }),
    ]);
  });

  it("hides sensitive values, and outputs the endpoint's own", async () => {
    const { service, workspace } = await attachedScenario(tool);
    const secret = `variable "secret" {
  type      = string
  sensitive = true
  default   = "hush"
}
output "description" {
  value     = ids_endpoint.edge.description
  sensitive = true
}
output "ip" {
  value = ids_endpoint.edge.endpoint_ip
}
`;
    const edge = endpoint("edge", { description: "var.secret" });
    workspace.write(configuration(service, `${secret}${edge}`));
    const { output } = await workspace.apply();
    expect(output).toMatch(/description += \(sensitive value\)/);
    expect(output).toContain("description = <sensitive>");
    expect(output).not.toContain("hush");
    expect((await workspace.run("output", "-raw", "description")).stdout).toBe("hush");
    expect((await workspace.run("output", "-raw", "ip")).stdout).toMatch(/^10\.\d+\.\d+\.\d+$/);
    expect(await workspace.plansChanges()).toBe(false);
  });
});
