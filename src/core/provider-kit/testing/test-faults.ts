import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FaultRunner } from "./fault-run";
import type { FaultOperation, FaultScene, FaultTest } from "./fault-test";
import {
  type Fault,
  faultKinds,
  type FaultRun,
  faultsAt,
  placed,
  type PlacedFault,
  requestText,
  type SeenRequest,
} from "./faults/fault";
import { startWarmProcess } from "./terraform/served-provider";

/** The error for a fault with consequences that running again does not fix. Each problem is a line. */
export class FaultFailure extends Error {
  override readonly name = "FaultFailure";

  constructor(readonly problems: readonly string[]) {
    super(problems.join("\n"));
  }
}

export interface ExploredOperation {
  readonly operation: string;
  /** The requests without a fault, in order. */
  readonly requests: readonly SeenRequest[];
  readonly faults: number;
  /** Faults at requests that were not sent again in that run, such as a poll. */
  readonly missed: readonly Fault[];
  readonly problems: readonly string[];
}

/**
 * Injects each kind of fault at each request of each operation of a resource or a data source. Each fault has
 * its own run with its own back end:
 *
 * 1. the operation runs, and the fault happens, which the operation may survive or report
 * 2. it runs again without a fault, in another process, as when a user repeats a command
 * 3. that must succeed; the state must be what the back end has, once, and a plan must be empty
 * 4. the resource is destroyed, and the back end must be empty
 *
 * `TerraformHarness` plays Terraform: what it stores when a provider dies, and what it refreshes, plans and applies in
 * the next command.
 *
 * @throws FaultFailure with every problem
 */
export async function testFaults<Scene extends FaultScene>(
  test: FaultTest<Scene>,
): Promise<readonly ExploredOperation[]> {
  const { executable } = test;
  const folder = await mkdtemp(join(tmpdir(), `faults-${process.pid}-`));
  const env = {
    PATH: process.env["PATH"],
    HOME: folder,
    XDG_STATE_HOME: folder,
    PLUGIN_UNIX_SOCKET_DIR: folder,
    ...test.env,
  };
  const startVictim = () => startWarmProcess(executable, env);
  try {
    const survivor = await startVictim();
    try {
      const explored: ExploredOperation[] = [];
      for (const operation of test.operations ?? operationsOf(test)) {
        const settings = { test, operation, survivor, startVictim };
        const run = (fault: PlacedFault | undefined) => new FaultRunner(settings, fault).run();
        explored.push(await explore(test, operation, run));
      }
      const problems = explored.flatMap((each) => each.problems);
      if (problems.length > 0) throw new FaultFailure(problems);
      return explored;
    } finally {
      await survivor.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function operationsOf({
  declaration,
  changed,
}: Pick<FaultTest<never>, "declaration" | "changed">): readonly FaultOperation[] {
  if (declaration.kind === "data source") return ["read"];
  return ["create", "read", ...(changed === undefined ? [] : (["update"] as const)), "delete"];
}

/**
 * Runs an operation without a fault, and then once with each fault at each of its requests, or with the chosen ones.
 *
 * @param run runs the operation once, and everything before and after it
 */
async function explore(
  {
    kinds = faultKinds,
    choose,
    concurrency = 4,
  }: Pick<FaultTest<never>, "kinds" | "choose" | "concurrency">,
  operation: FaultOperation,
  run: (fault: PlacedFault | undefined) => Promise<FaultRun>,
): Promise<ExploredOperation> {
  const { requests, problems } = await run(undefined);
  const none = { operation, requests, faults: 0, missed: [] };
  if (problems.length > 0) {
    return { ...none, problems: problems.map((each) => `${operation}, without a fault: ${each}`) };
  }
  // A read changes nothing, so its response may be lost.
  const tried = operation === "read" ? kinds.filter((kind) => kind !== "kill-at-end") : kinds;
  const all = faultsAt(requests, tried);
  const faults = choose?.(all, requests) ?? all;
  const runs: { readonly fault: Fault; readonly run: FaultRun }[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let fault = faults[next++]; fault !== undefined; fault = faults[next++]) {
      runs.push({ fault, run: await run(placed(fault, requests)) });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const missed = runs.filter((each) => !each.run.isReached);
  return {
    operation,
    requests,
    faults: runs.length - missed.length,
    missed: missed.map(({ fault }) => fault),
    problems: runs.flatMap(({ fault, run: { problems: found } }) =>
      found.map((each) => `${operation}, ${placeOf(fault, requests)}: ${each}`),
    ),
  };
}

function placeOf({ kind, request }: Fault, requests: readonly SeenRequest[]): string {
  const at = requests[request - 1];
  if (kind === "kill-at-end" || at === undefined) return kind;
  return `${kind} at request ${request} of ${requests.length}, ${requestText(at)}`;
}
