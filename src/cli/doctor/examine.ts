import type { Check, Examined, Observation } from "./check";
import {
  checkConfiguration,
  checkLeftovers,
  checkPluginCache,
  checkProxies,
} from "./environment-checks";
import { checkProviders } from "./provider-checks";
import { checkStacks } from "./stack-checks";
import { checkCdktf, checkNode, checkTerraform } from "./tool-checks";

/** In the order of the report: the tools, our providers, the surroundings, the stacks. */
const CHECKS: readonly Check[] = [
  checkNode,
  checkTerraform,
  checkCdktf,
  checkProviders,
  checkConfiguration,
  checkPluginCache,
  checkProxies,
  checkLeftovers,
  checkStacks,
];

export async function examine(examined: Examined): Promise<readonly Observation[]> {
  const lines = await Promise.all(CHECKS.map(async (check) => check(examined)));
  return lines.flat();
}

export function describe(observations: readonly Observation[]): string {
  return observations
    .map(({ status, text, cure }) => {
      const label = status.padEnd(7);
      return cure === undefined ? `${label}  ${text}` : `${label}  ${text}\n         → ${cure}`;
    })
    .join("\n");
}
