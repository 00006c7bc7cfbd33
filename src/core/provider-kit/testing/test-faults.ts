import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FaultRunner } from "./fault-run";
import type { FaultOperation, FaultScene, FaultTest } from "./fault-test";
import { type ExploredOperation, exploreFaults } from "./faults/explore-faults";
import { faultKinds } from "./faults/fault";
import { startWarmProcess } from "./terraform/served-provider";

/** The error for a fault with consequences that running again does not fix. Each problem is a line. */
export class FaultFailure extends Error {
  override readonly name = "FaultFailure";

  constructor(readonly problems: readonly string[]) {
    super(problems.join("\n"));
  }
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
 * Terraform's part is played by `TerraformHarness`: what Terraform stores when a provider dies, refreshes,
 * plans and applies in the next command.
 *
 * @throws FaultFailure with every problem
 */
export async function testFaults<Scene extends FaultScene>(
  test: FaultTest<Scene>,
): Promise<readonly ExploredOperation[]> {
  const { executable, kinds = faultKinds, choose, concurrency = 4 } = test;
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
        explored.push(
          await exploreFaults({
            operation,
            choose,
            concurrency,
            // A read changes nothing, so its response may be lost.
            kinds: operation === "read" ? kinds.filter((kind) => kind !== "kill-at-end") : kinds,
            run: (fault) =>
              new FaultRunner({ test, operation, survivor, startVictim }, fault).run(),
          }),
        );
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
