import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { provider } from "../../../src/core/ids/provider-definition";
import { providerRoutes } from "../../../src/core/provider-kit";
import { type AcceptanceStep, testAcceptance } from "../../../src/core/provider-kit/testing";
import { providerBlock } from "./scenario";
import { Service } from "./service";
import type { Tool } from "./tool";

const folder = mkdtempSync(join(tmpdir(), "trivet-e2e-acceptance-"));

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** What the steps of a test are made from. */
interface IdsSteps {
  readonly service: Service;
  /** A configuration with the provider, its settings pointing to the service. */
  readonly configured: (resources: string, settings?: Readonly<Record<string, string>>) => string;
}

/**
 * Runs the steps of an acceptance test with the ids provider in this process and a service of its own, in
 * which nothing may be left.
 */
export async function acceptIds(
  tool: Tool,
  steps: (parts: IdsSteps) => readonly AcceptanceStep[],
): Promise<void> {
  const service = await Service.start();
  const configured: IdsSteps["configured"] = (resources, settings) =>
    `${providerBlock(service, settings)}\n${resources}`;
  try {
    await testAcceptance({
      source: "trivet.local/trivet/ids",
      routes: providerRoutes(provider, { XDG_STATE_HOME: folder }),
      command: tool,
      steps: steps({ service, configured }),
      async checkDestroyed() {
        const projects = service.sent("POST").map(({ path }) => path.split("/")[3]);
        for (const project of new Set(projects)) {
          expect(await service.endpoints(project)).toEqual([]);
        }
      },
    });
  } finally {
    await service.close();
  }
}
