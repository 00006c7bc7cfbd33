import type { LocalIdsSettings } from "../../../src/local/ids/local-ids";
import { provider } from "../../../src/core/ids/provider-definition";
import { providerRoutes } from "../../../src/core/provider-kit";
import { startReattach } from "../../../src/core/provider-kit/host/reattach";
import { installation } from "./installation";
import { Service } from "./service";
import type { Tool } from "./tool";
import { Workspace } from "./workspace";

const endings: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

export interface Scenario {
  readonly service: Service;
  readonly workspace: Workspace;
}

interface ScenarioOptions {
  readonly service?: LocalIdsSettings;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Creates a service and an empty working folder, in which the tool starts the installed provider.
 *
 * Fails if a provider is still running after the test.
 */
export async function scenario(tool: Tool, options: ScenarioOptions = {}): Promise<Scenario> {
  const service = await Service.start(options.service);
  endings.push(() => service.close());
  const workspace = new Workspace(tool, options.env);
  endings.push(async () => {
    const left = await workspace.outliving();
    workspace.remove();
    expect(left).toEqual([]);
  });
  return { service, workspace };
}

/** The same with the provider in this process, for tests that do not depend on processes. */
export async function attachedScenario(
  tool: Tool,
  { service, env }: ScenarioOptions = {},
): Promise<Scenario> {
  const made = await scenario(tool, service === undefined ? {} : { service });
  const { XDG_STATE_HOME } = made.workspace.env;
  const attached = await startReattach({
    source: "trivet.local/trivet/ids",
    routes: providerRoutes(provider, { XDG_STATE_HOME, ...env }),
    env: {},
  });
  endings.push(attached.close);
  Object.assign(made.workspace.env, env, attached.env);
  return made;
}

/** A configuration with the provider, its settings pointing to the service. */
export function configuration(
  service: Pick<Service, "url">,
  resources: string,
  settings: Readonly<Record<string, string>> = {},
): string {
  return `terraform {
  required_providers {
    ids = {
      source  = "trivet.local/trivet/ids"
      version = "${installation().version}"
    }
  }
}

${providerBlock(service, settings)}

${resources}`;
}

/** Settings and attributes are HCL expressions. */
export function providerBlock(
  service: Pick<Service, "url">,
  settings: Readonly<Record<string, string>> = {},
): string {
  return block(`provider "ids"`, {
    project: `"acme"`,
    zone: `"us-central1-a"`,
    cloud_ids_custom_endpoint: `"${service.url}"`,
    poll_interval: `"10ms"`,
    ...settings,
  });
}

/** An endpoint that the service accepts, whose ID is its name in the configuration. */
export function endpoint(
  name: string,
  attributes: Readonly<Record<string, string>> = {},
  nested = "",
): string {
  const usual = {
    endpoint_id: `"${name}"`,
    network: `"projects/acme/global/networks/main"`,
    severity: `"HIGH"`,
  };
  return block(`resource "ids_endpoint" "${name}"`, { ...usual, ...attributes }, nested);
}

function block(head: string, attributes: Readonly<Record<string, string>>, nested = ""): string {
  const lines = Object.entries(attributes).map(([name, value]) => `  ${name} = ${value}`);
  return `${[`${head} {`, ...lines, nested].join("\n")}\n}\n`;
}
