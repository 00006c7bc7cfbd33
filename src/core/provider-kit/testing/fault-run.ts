import { messageOf } from "../../failure/failure";
import type { Values } from "../../schema/resource-rule";
import { createGrpcClient } from "../wire/grpc/grpc-client";
import { isGrpcError } from "../wire/grpc/grpc-headers";
import { DataSourceHarness } from "./operation-harnesses";
import {
  checkDestroyed,
  checkStored,
  refuseBugs,
  succeeded,
  type FaultOperation,
  type FaultScene,
  type FaultTest,
  type FaultWorld,
} from "./fault-test";
import { FaultGate, type FaultRun, isKill, type PlacedFault } from "./faults/fault";
import { startFaultProxy } from "./faults/fault-proxy";
import { createProviderClient, type ProviderClient, openSocket } from "./provider-client";
import { ResourceHarness } from "./resource-harness";
import type { ResourceResult, StoredResource } from "../core/resource-plan";
import { createTerraformHarness } from "./terraform-harness";
import type { WarmProcess } from "./terraform/served-provider";

interface FaultRunSettings<Scene extends FaultScene> {
  readonly test: FaultTest<Scene>;
  readonly operation: FaultOperation;
  /** The process for commands in which no fault kills the provider. */
  readonly survivor: WarmProcess;
  readonly startVictim: () => Promise<WarmProcess>;
}

/**
 * Runs one fault: prepares the resource, runs an operation with the fault, runs it again as a user would, and
 * then compares Terraform's state with the back end.
 */
export class FaultRunner<Scene extends FaultScene> {
  readonly #settings: FaultRunSettings<Scene>;
  readonly #fault: PlacedFault | undefined;
  readonly #gate = new FaultGate();
  readonly #endings: (() => void | Promise<void>)[] = [];
  #victim: WarmProcess | undefined;

  constructor(settings: FaultRunSettings<Scene>, fault: PlacedFault | undefined) {
    this.#settings = settings;
    this.#fault = fault;
  }

  /** Runs the fault and reports the problems. Never throws because of the provider. */
  async run(): Promise<FaultRun> {
    const { runTimeoutMs = 120_000 } = this.#settings.test;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const problem = new Error(`the run did not end within ${runTimeoutMs} ms`);
      timer = setTimeout(reject, runTimeoutMs, problem);
    });
    const problems: string[] = [];
    const work = this.#steps();
    try {
      await Promise.race([work, late]);
    } catch (error) {
      problems.push(messageOf(error));
    } finally {
      clearTimeout(timer);
      await this.#end();
      // Running calls fail now, because their connections are closed.
      await work.catch(() => undefined);
      // What a run that is out of time has opened meanwhile.
      await this.#end();
    }
    const isReached = this.#gate.isReached || this.#fault?.kind === "kill-at-end";
    return { requests: this.#gate.requests, isReached, problems };
  }

  async #end(): Promise<void> {
    for (const end of this.#endings.splice(0).reverse()) await end();
  }

  async #steps(): Promise<void> {
    const { test, startVictim, survivor } = this.#settings;
    const scene = await test.open();
    this.#endings.push(() => scene.close?.());
    const urls = await this.#proxies(scene);
    if (this.#fault !== undefined && isKill(this.#fault.kind)) {
      this.#victim = await startVictim();
      this.#endings.push(this.#victim.kill);
    }
    const calm = { scene, urls, isUnanswered: false };
    const faulty = { ...calm, isUnanswered: this.#fault?.kind === "no-answer" };
    if (test.declaration.kind === "data source") {
      await this.#readDataSource(calm, faulty);
      return;
    }
    const { operation } = this.#settings;
    const resources = await this.#resources(survivor, calm);
    const first = operation === "create" ? undefined : await made(resources, test.config(calm));
    const configIn = operation === "update" ? test.changed : test.config;
    if (configIn === undefined) throw new Error("the test has no `changed` configuration");
    const config = configIn(calm);
    const harness = await this.#resources(this.#victim ?? survivor, faulty);
    const left = await this.#attempt(first, () =>
      operation === "read" || operation === "delete"
        ? this.#readOrDelete(operation, harness, first)
        : harness.deploy(configIn(faulty), first),
    );
    const again = await this.#resources(survivor, calm);
    if (operation === "delete") {
      await this.#deleteAgain(again, left, calm);
      const created = await made(again, config);
      await checkStored(test, { harness: again, config, stored: created, world: calm });
      await this.#destroy(again, created, calm);
      return;
    }
    const stored = await made(again, config, left);
    await checkStored(test, { harness: again, config, stored, world: calm });
    await this.#destroy(again, stored, calm);
  }

  #readOrDelete(
    operation: "read" | "delete",
    harness: ResourceHarness,
    stored: StoredResource | undefined,
  ): Promise<ResourceResult> {
    if (stored === undefined) throw new Error("there is no resource");
    return operation === "read" ? harness.read(stored) : harness.destroy(stored);
  }

  /** Runs the operation with its fault. Returns what Terraform stores afterwards. */
  async #attempt(
    stored: StoredResource | undefined,
    run: () => Promise<ResourceResult>,
  ): Promise<StoredResource | undefined> {
    const { diagnostics, ...result } = await this.#withFault(run, { stored, diagnostics: [] });
    refuseBugs(diagnostics);
    return result.stored;
  }

  /** @param lost the result if the provider is killed before it responds: Terraform keeps its values */
  async #withFault<Result>(run: () => Promise<Result>, lost: Result): Promise<Result> {
    this.#gate.arm(this.#fault);
    const killed = this.#victim;
    try {
      const result = await run();
      if (this.#fault?.kind !== "kill-at-end") return result;
      await killed?.kill();
      return lost;
    } catch (error) {
      if (killed !== undefined && this.#gate.isReached && isGrpcError(error)) return lost;
      throw error;
    } finally {
      this.#gate.disarm();
    }
  }

  async #deleteAgain(
    harness: ResourceHarness,
    left: StoredResource | undefined,
    world: FaultWorld<Scene>,
  ): Promise<void> {
    const found =
      left && succeeded("the read before the next destruction", await harness.read(left));
    if (found?.stored !== undefined) await this.#destroy(harness, found.stored, world);
    else await checkDestroyed(this.#settings.test, world);
  }

  async #destroy(
    harness: ResourceHarness,
    stored: StoredResource,
    world: FaultWorld<Scene>,
  ): Promise<void> {
    const destroyed = succeeded("the destruction", await harness.destroy(stored));
    if (destroyed.stored !== undefined) throw new Error("the destruction left a state");
    await checkDestroyed(this.#settings.test, world);
  }

  async #readDataSource(calm: FaultWorld<Scene>, faulty: FaultWorld<Scene>): Promise<void> {
    const { test, survivor } = this.#settings;
    const { declaration } = test;
    const harness = new DataSourceHarness(
      await this.#connect(this.#victim ?? survivor, faulty),
      declaration,
    );
    const lost = { state: null, isDeferred: false, diagnostics: [] };
    const first = await this.#withFault(() => harness.read(test.config(faulty)), lost);
    refuseBugs(first.diagnostics);
    const again = new DataSourceHarness(await this.#connect(survivor, calm), declaration);
    const { state } = succeeded("the next read", await again.read(test.config(calm)));
    if (state === null) throw new Error("the next read returned nothing");
    await test.check?.(calm, state);
  }

  async #resources(process: WarmProcess, world: FaultWorld<Scene>): Promise<ResourceHarness> {
    const { declaration } = this.#settings.test;
    return new ResourceHarness(await this.#connect(process, world), declaration);
  }

  /** Connects to a provider and configures it, as a command of Terraform does. */
  async #connect(process: WarmProcess, world: FaultWorld<Scene>): Promise<ProviderClient> {
    const { provider, settings } = this.#settings.test;
    const grpc = createGrpcClient(openSocket(process.address));
    this.#endings.push(() => {
      grpc.close();
    });
    const client = createProviderClient(grpc);
    const configured = await createTerraformHarness(client).configure(provider, settings(world));
    succeeded("the configuration", { diagnostics: configured });
    return client;
  }

  async #proxies(scene: Scene): Promise<Readonly<Record<string, string>>> {
    const kill = async (): Promise<void> => this.#victim?.kill();
    const urls: Record<string, string> = {};
    for (const [service, upstream] of Object.entries(scene.services)) {
      const proxy = await startFaultProxy({ service, upstream, gate: this.#gate, kill });
      this.#endings.push(proxy.close);
      urls[service] = proxy.url;
    }
    return urls;
  }
}

/** Deploys a resource without a fault, which must succeed. */
async function made(
  harness: ResourceHarness,
  config: Values,
  left?: StoredResource,
): Promise<StoredResource> {
  const { stored } = succeeded("the next run", await harness.deploy(config, left));
  if (stored === undefined) throw new Error("the next run stored nothing");
  return stored;
}
