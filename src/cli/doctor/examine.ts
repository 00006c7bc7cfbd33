import {
  type Check,
  type Examined,
  type Observation,
  checkConfiguration,
  checkLeftovers,
  checkProxies,
  checkNode,
  checkTerraform,
} from "./tool-checks";
import { checkCopies, checkTypeScript } from "./package-checks";
import { checkProviders, checkStacks } from "./provider-checks";

/** The checks in the order of the report: the tools, our providers, the environment, the stacks. */
const checks: readonly Check[] = [
  checkNode,
  checkTerraform,
  checkTypeScript,
  checkCopies,
  checkProviders,
  checkConfiguration,
  checkProxies,
  checkLeftovers,
  checkStacks,
];

export async function examine(examined: Examined): Promise<readonly Observation[]> {
  const lines = await Promise.all(checks.map(async (check) => check(examined)));
  return lines.flat();
}

/** Formats observations as the report of `trivet doctor`. */
export function describe(observations: readonly Observation[]): string {
  return observations
    .map(({ status, message, fix }) => {
      const label = status.padEnd(7);
      return fix === undefined ? `${label}  ${message}` : `${label}  ${message}\n         → ${fix}`;
    })
    .join("\n");
}
