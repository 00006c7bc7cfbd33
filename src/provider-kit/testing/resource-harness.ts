import type { Declaration } from "../../schema/declaration";
import type { Values } from "../../schema/resource-rule";
import { equalValues } from "../plan/draft";
import { applyPlan } from "./apply-plan";
import { replacedPaths } from "./core/replaced-paths";
import { WireValues, invalidIdentity } from "./wire-values";
import { distinct, type HarnessDiagnostic, isError, readDiagnostics } from "./harness-diagnostic";
import type { ProviderCalls } from "./provider-client";
import { readDeferral, ResourceCalls, unknownProblems } from "./resource-calls";
import {
  type DeployedResource,
  type ImportTarget,
  noPlan,
  noPrivateData,
  type ResourcePlan,
  type ResourceResult,
  type StoredResource,
} from "./resource-plan";

/**
 * Runs Terraform's steps on resources of one type: {@link validate}, {@link read}, {@link plan} and
 * {@link apply} one by one, or all of them with {@link deploy}.
 *
 * A response that Terraform's core does not accept becomes an error with the summary that Terraform
 * shows, such as "Provider produced inconsistent result after apply".
 */
export class ResourceHarness {
  readonly #provider: ProviderCalls;
  readonly #values: WireValues;
  readonly #declaration: Declaration;
  readonly #calls: ResourceCalls;

  constructor(provider: ProviderCalls, declaration: Declaration) {
    this.#provider = provider;
    this.#declaration = declaration;
    this.#values = new WireValues(declaration);
    this.#calls = new ResourceCalls(provider, this.#values);
  }

  /** Validates a configuration; a plan does not repeat it. */
  async validate(config: Values): Promise<HarnessDiagnostic[]> {
    const { diagnostics } = await this.#provider.validateResourceConfig({
      typeName: this.#declaration.type,
      config: this.#values.encode(config),
      clientCapabilities: { writeOnlyAttributesAllowed: true },
    });
    return readDiagnostics(diagnostics);
  }

  /**
   * Upgrades a stored resource and refreshes it. If that fails, the resource is returned unchanged.
   */
  async read(stored: StoredResource): Promise<ResourceResult> {
    const typeName = this.#declaration.type;
    const { version } = this.#declaration;
    const rawState = { json: this.#values.encodeJson(stored.state) };
    const upgraded = await this.#provider.upgradeResourceState({ typeName, version, rawState });
    const first = readDiagnostics(upgraded.diagnostics);
    if (first.some(isError)) return { stored, diagnostics: first };
    const response = await this.#provider.readResource({
      typeName,
      currentState: this.#values.encode(this.#values.decode(upgraded.upgradedState)),
      private: stored.private ?? noPrivateData,
      currentIdentity: this.#calls.identities.encode(stored.identity),
    });
    const diagnostics = [...first, ...readDiagnostics(response.diagnostics)];
    if (diagnostics.some(isError)) return { stored, diagnostics };
    const deferral = readDeferral(response);
    if (deferral !== undefined) return { stored, diagnostics, deferral };
    const state = this.#values.decode(response.newState) ?? null;
    if (state === null) return { stored: undefined, diagnostics };
    const identity = this.#calls.identities.decode(response.newIdentity);
    const refused = [
      ...this.#calls.refuse("Provider produced invalid object", unknownProblems(state)),
      ...this.#calls.refuse(invalidIdentity, this.#calls.identities.problems(identity)),
    ];
    if (refused.length > 0) return { stored, diagnostics: [...diagnostics, ...refused] };
    return { stored: { ...stored, state, identity, private: response.private }, diagnostics };
  }

  /**
   * Plans the change of a resource to a configuration.
   *
   * As in Terraform, a replacement is planned twice: against the state, and again as a creation. A
   * tainted resource is planned as a creation only. For a destruction that is not part of a
   * replacement, the provider is asked if it has the capability `plan_destroy`.
   *
   * @param config the configuration; null to destroy
   * @param stored the existing resource; undefined to create
   */
  async plan(config: Values | null, stored?: StoredResource): Promise<ResourcePlan> {
    if (config === null) {
      if (stored === undefined) return { ...noPlan(config, stored), action: "no-op" };
      const asked = await this.#calls.planDestruction(
        stored.state,
        stored.private ?? noPrivateData,
      );
      const action = asked.diagnostics.some(isError) ? undefined : "delete";
      return { ...noPlan(config, stored), ...asked, action };
    }
    const isTainted = stored?.isTainted === true;
    const prior = isTainted ? undefined : stored;
    const before = prior === undefined ? null : this.#values.fill(prior.state);
    const memory = prior?.private ?? noPrivateData;
    const first = await this.#calls.plan(config, before, memory, prior?.identity);
    const { requiresReplace, ...answer } = first;
    const plan: ResourcePlan = { ...noPlan(config, stored), ...answer };
    if (plan.planned === null) return plan;
    if (before === null) return { ...plan, action: isTainted ? "replace" : "create" };
    const { type } = this.#values;
    if (equalValues(type, plan.planned, before)) return { ...plan, action: "no-op" };
    const replaces = replacedPaths(type, requiresReplace, before, plan.planned);
    if (replaces.length === 0) return this.#update(plan);
    const second = await this.#calls.plan(config, null, plan.private, plan.identity);
    return {
      ...plan,
      action: second.planned === null ? undefined : "replace",
      planned: second.planned,
      identity: second.identity,
      private: second.private,
      replaces,
      diagnostics: distinct([...plan.diagnostics, ...second.diagnostics]),
    };
  }

  /**
   * Applies a plan. A replacement deletes first.
   *
   * As in Terraform, the change is planned again first, from the state, because more values may be
   * known by now. Known values of the plan must be unchanged. Warnings of the plan are not
   * repeated.
   *
   * @param config the configuration with the values known now @default the plan's configuration
   * @throws Error for a plan that failed or was deferred
   */
  async apply(plan: ResourcePlan, config: Values | null = plan.config): Promise<ResourceResult> {
    return applyPlan(this.#calls, plan, config);
  }

  /**
   * Runs a whole `terraform apply`: validates, refreshes, plans and applies, up to the first error. If the
   * provider defers the change, it is planned but not applied.
   *
   * @param stored the existing resource; undefined to create
   */
  async deploy(config: Values, stored?: StoredResource): Promise<DeployedResource> {
    const diagnostics = await this.validate(config);
    if (diagnostics.some(isError)) return { stored, plan: undefined, diagnostics };
    const current = stored && (await this.read(stored));
    diagnostics.push(...(current?.diagnostics ?? []));
    if (diagnostics.some(isError)) return { stored, plan: undefined, diagnostics };
    const plan = await this.plan(config, current?.stored);
    diagnostics.push(...plan.diagnostics);
    const deferral = current?.deferral ?? plan.deferral;
    if (plan.action === undefined || deferral !== undefined) {
      return { stored: current?.stored, plan, diagnostics, deferral };
    }
    const result = await this.apply(plan);
    return { ...result, plan, diagnostics: [...diagnostics, ...result.diagnostics] };
  }

  /** Plans and applies the destruction of a resource. */
  async destroy(stored: StoredResource): Promise<ResourceResult> {
    const plan = await this.plan(null, stored);
    const { deferral } = plan;
    if (plan.action === undefined || deferral !== undefined) {
      return { stored, diagnostics: plan.diagnostics, deferral };
    }
    const result = await this.apply(plan);
    return { ...result, diagnostics: [...plan.diagnostics, ...result.diagnostics] };
  }

  /** Converts an import ID or an identity to a state, without the read that follows in {@link import}. */
  async importState(target: ImportTarget): Promise<ResourceResult> {
    const typeName = this.#declaration.type;
    const { identities } = this.#calls;
    const response = await this.#provider.importResourceState({
      typeName,
      ...(typeof target === "string"
        ? { id: target }
        : { identity: identities.encode(target.identity) }),
    });
    const diagnostics = readDiagnostics(response.diagnostics);
    const found = response.importedResources.find((imported) => imported.typeName === typeName);
    const state = found && this.#values.decode(found.state);
    const deferral = readDeferral(response);
    if (found === undefined || state === undefined) {
      return { stored: undefined, diagnostics, ...(deferral && { deferral }) };
    }
    const identity = identities.decode(found.identity);
    return { stored: { state, identity, private: found.private }, diagnostics };
  }

  /** Imports a resource by its ID or its identity and reads it, as `terraform import` does. */
  async import(target: ImportTarget): Promise<ResourceResult> {
    const converted = await this.importState(target);
    const { stored: imported, diagnostics } = converted;
    if (imported === undefined) return converted;
    const { stored, diagnostics: more } = await this.read(imported);
    const all = [...diagnostics, ...more];
    if (all.some(isError)) return { stored: undefined, diagnostics: all };
    if (stored !== undefined) return { stored, diagnostics: all };
    const by = typeof target === "string" ? "ID" : "identity";
    const message = `the provider found nothing for the given ${by}`;
    const summary = "Cannot import non-existent remote object";
    const missing = this.#calls.refuse(summary, [{ path: [], message }]);
    return { stored, diagnostics: [...all, ...missing] };
  }

  /** The identity of an existing resource is known. */
  #update(plan: ResourcePlan): ResourcePlan {
    const problems = this.#calls.identities.problems(plan.identity);
    if (problems.length === 0) return { ...plan, action: "update" };
    const refused = this.#calls.refuse(invalidIdentity, problems);
    return { ...plan, planned: null, diagnostics: [...plan.diagnostics, ...refused] };
  }
}
