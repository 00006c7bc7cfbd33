// Plans a stack of endpoints, given as a file, six times. Prints the CPU time, in milliseconds, of the first and the last.
import { readFileSync } from "node:fs";
import { provider } from "../../src/core/ids/provider-definition";
import { parseTrustedJson } from "../../src/core/json/plain-json";
import { providerRoutes } from "../../src/core/provider-kit/server/calls/routes";
import { ProviderCatalog } from "../../src/planner/offline-plan/catalog";
import { readConfiguration } from "../../src/planner/offline-plan/configuration";
import { planOffline, providerNames } from "../../src/planner/offline-plan/planner";
import { emptyState } from "../../src/planner/offline-plan/state";

const [, , path = ""] = process.argv;
const routes = providerRoutes(provider, {});
const catalog = ProviderCatalog.of((source) => (source.endsWith("/ids") ? routes : undefined));

async function cpuMs(): Promise<number> {
  const before = process.cpuUsage();
  const configuration = readConfiguration(parseTrustedJson(readFileSync(path, "utf8")));
  const providers = await catalog.start(providerNames(configuration));
  const plan = await planOffline({ configuration, state: emptyState, providers });
  const { user, system } = process.cpuUsage(before);
  if (plan.diagnostics.length > 0 || plan.notPlanned.length > 0) throw new Error("not all planned");
  return (user + system) / 1000;
}

async function main(): Promise<void> {
  const taken: number[] = [];
  while (taken.length < 6) taken.push(await cpuMs());
  console.log(JSON.stringify({ firstMs: taken[0], lastMs: taken.at(-1) }));
}

void main();
