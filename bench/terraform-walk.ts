import {
  createTerraformHarness,
  type SpawnedProvider,
  type TerraformHarness,
} from "../src/core/provider-kit/testing";
import { accept, ResourceWalk } from "./resource-walk";
import { calls, type Step } from "./step";
import type { Subject, Values } from "./subject/subject";

/** The number of resources that Terraform handles in parallel. */
const parallel = 10;

/** Makes the calls that Terraform makes, for many resources in parallel. */
export class TerraformWalk {
  readonly #provider: SpawnedProvider;
  readonly #terraform: TerraformHarness;
  readonly #subject: Subject;
  readonly #resources: readonly ResourceWalk[];

  constructor(provider: SpawnedProvider, subject: Subject) {
    this.#provider = provider;
    this.#terraform = createTerraformHarness(provider);
    this.#subject = subject;
    this.#resources = subject.resources.map(
      (resource) => new ResourceWalk(this.#terraform, resource),
    );
  }

  async configure(): Promise<void> {
    const { declaration, values } = this.#subject.settings;
    accept(await this.#terraform.configure(declaration, values));
  }

  /** Runs a step for a number of pieces. The steps must run in their order. */
  async take(step: Step, count: number): Promise<void> {
    await inParallel(count, async (index) => {
      let before: Values = {};
      for (const resource of this.#resources) before = await resource.take(step, index, before);
    });
  }

  /**
   * Makes as many calls as a step, but without any work, to measure the cost of the connection.
   */
  async idle(step: Step, count: number): Promise<void> {
    const each = calls[step] * this.#resources.length;
    await inParallel(count, async () => {
      for (let call = 0; call < each; call++) await this.#provider.getFunctions({});
    });
  }
}

async function inParallel(count: number, run: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await run(index);
  };
  await Promise.all(Array.from({ length: parallel }, work));
}
