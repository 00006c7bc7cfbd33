import type {
  HarnessDiagnostic,
  ResourceHarness,
  ResourcePlan,
  StoredResource,
  TerraformHarness,
} from "../src/core/provider-kit/testing";
import type { Step } from "./step";
import type { MeasuredResource, Values } from "./subject/subject";

/** Runs Terraform's steps on the resources of one type. */
export class ResourceWalk {
  readonly #resources: ResourceHarness;
  readonly #resource: MeasuredResource;
  readonly #plans: ResourcePlan[] = [];
  readonly #stored: StoredResource[] = [];

  constructor(terraform: TerraformHarness, resource: MeasuredResource) {
    this.#resources = terraform.resource(resource.declaration);
    this.#resource = resource;
  }

  /**
   * @param before the values of the resource that this one refers to
   * @returns the values after the step, as far as they are known
   */
  async take(step: Step, index: number, before: Values): Promise<Values> {
    const config = this.#resource.config(index, before);
    const stored = step === "second plan" ? await this.#refreshed(index) : undefined;
    accept(await this.#resources.validate(config));
    if (step === "apply") return this.#apply(index, config);
    const plan = await this.#resources.plan(config, stored);
    accept(plan.diagnostics);
    this.#plans[index] = plan;
    return there(plan.planned);
  }

  /** Applies the plan, with the configuration that is known by now. */
  async #apply(index: number, config: Values): Promise<Values> {
    const { stored, diagnostics } = await this.#resources.apply(there(this.#plans[index]), config);
    accept(diagnostics);
    this.#stored[index] = there(stored);
    return there(stored).state;
  }

  /** Reads the resource from the state and refreshes it. */
  async #refreshed(index: number): Promise<StoredResource> {
    const { stored, diagnostics } = await this.#resources.read(there(this.#stored[index]));
    accept(diagnostics);
    return there(stored);
  }
}

function there<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("a resource is missing");
  return value;
}

/** @throws Error for any diagnostic, because only successful calls are measured */
export function accept(diagnostics: readonly HarnessDiagnostic[]): void {
  const [problem] = diagnostics;
  if (problem !== undefined) throw new Error(`${problem.summary}: ${problem.detail}`);
}
