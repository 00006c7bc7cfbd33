import { isRecord } from "../../json/plain-json";
import type { Declaration } from "../../schema/declaration";
import { formatPath } from "../../schema/finding";
import type { Values } from "../../schema/resource-rule";
import { UNKNOWN } from "../../schema/type";
import { applyPlan, planFinally } from "../core/apply-plan";
import {
  type CoreDiagnostic,
  distinct,
  isError,
  readDiagnostics,
  refused,
} from "../core/diagnostic";
import { planSteps } from "../core/plan-steps";
import {
  askPlan,
  identityProblems,
  invalidIdentity,
  type ProviderCalls,
  readDeferral,
  unknownProblems,
} from "../core/resource-calls";
import {
  type DeployedResource,
  type ImportTarget,
  noPlan,
  noPrivateData,
  type ResourcePlan,
  type ResourceResult,
  type StoredResource,
} from "../core/resource-plan";
import { isSingle, type SchemaBlock, type SchemaNested } from "../core/schema";
import { WireValues } from "./wire-values";

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
  /** Requested when the first destruction is planned. */
  #plansDestruction: Promise<boolean> | undefined;

  constructor(provider: ProviderCalls, declaration: Declaration) {
    this.#provider = provider;
    this.#values = new WireValues(declaration);
  }

  /** Validates a configuration; a plan does not repeat it. */
  async validate(config: Values): Promise<CoreDiagnostic[]> {
    const { diagnostics } = await this.#provider.validateResourceConfig({
      typeName: this.#values.name,
      config: this.#values.encode(config),
      clientCapabilities: { writeOnlyAttributesAllowed: true },
    });
    return readDiagnostics(diagnostics);
  }

  /**
   * Upgrades a stored resource and refreshes it. If that fails, the resource is returned unchanged.
   */
  async read(stored: StoredResource): Promise<ResourceResult> {
    const { name: typeName, declaration, identities } = this.#values;
    const { version } = declaration;
    const rawState = { json: this.#values.encodeJson(stored.state) };
    const upgraded = await this.#provider.upgradeResourceState({ typeName, version, rawState });
    const first = readDiagnostics(upgraded.diagnostics);
    if (first.some(isError)) return { stored, diagnostics: first };
    const response = await this.#provider.readResource({
      typeName,
      currentState: this.#values.encode(this.#values.decode(upgraded.upgradedState)),
      private: stored.private ?? noPrivateData,
      currentIdentity: identities?.encode(stored.identity),
    });
    const diagnostics = [...first, ...readDiagnostics(response.diagnostics)];
    if (diagnostics.some(isError)) return { stored, diagnostics };
    const deferral = readDeferral(response);
    if (deferral !== undefined) return { stored, diagnostics, deferral };
    const state = this.#values.decode(response.newState) ?? null;
    if (state === null) return { stored: undefined, diagnostics };
    const identity = identities?.decode(response.newIdentity);
    const problems = [
      ...refused(this.#values, "Provider produced invalid object", unknownProblems(state)),
      ...refused(this.#values, invalidIdentity, identityProblems(identity)),
    ];
    if (problems.length > 0) return { stored, diagnostics: [...diagnostics, ...problems] };
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
  async plan(config: Values | null, given?: StoredResource): Promise<ResourcePlan> {
    const stored = given && { ...given, state: this.#values.fill(given.state) };
    const nothing = noPlan(config, stored);
    const memory = stored?.private ?? noPrivateData;
    if (config === null) {
      if (stored === undefined) return { ...nothing, action: "no-op" };
      if (!(await this.#asksToDestroy())) return { ...nothing, private: memory, action: "delete" };
      const request = { config, prior: stored.state, priorPrivate: memory };
      const asked = await askPlan(this.#provider, this.#values, request);
      const action = asked.diagnostics.some(isError) ? undefined : "delete";
      return {
        ...nothing,
        private: asked.private,
        deferral: asked.deferral,
        diagnostics: asked.diagnostics,
        action,
      };
    }
    const filled = this.#values.fill(config);
    const { action, plan, replaces, diagnostics } = await planSteps(
      {
        type: this.#values.schema.type,
        prior: stored?.state ?? null,
        isTainted: stored?.isTainted === true,
      },
      (isCreation, earlier) =>
        askPlan(this.#provider, this.#values, {
          config: filled,
          prior: isCreation ? null : (stored?.state ?? null),
          priorPrivate: earlier?.private ?? (isCreation ? noPrivateData : memory),
          priorIdentity: earlier?.identity ?? (isCreation ? undefined : stored?.identity),
        }),
    );
    const { requiresReplace: _, ...last } = plan;
    const paths = replaces.map(formatPath);
    const planned: ResourcePlan = { ...nothing, ...last, action, replaces: paths, diagnostics };
    const problems = action === "update" ? identityProblems(last.identity) : [];
    if (problems.length === 0) return planned;
    // The identity of an existing resource is known.
    const more = refused(this.#values, invalidIdentity, problems);
    return {
      ...planned,
      action: undefined,
      planned: null,
      diagnostics: [...diagnostics, ...more],
    };
  }

  /**
   * Plans as if one of the configured values was not known yet, and again when it is known, as Terraform does before an
   * apply: for each value, at any depth. Both plans must agree.
   *
   * @param stored the existing resource; undefined to create
   * @returns an error for each value that a final plan must not change, and the errors of the plans
   */
  async planUnknown(config: Values, stored?: StoredResource): Promise<CoreDiagnostic[]> {
    const diagnostics: CoreDiagnostic[] = [];
    const known = this.#values.fill(config);
    for (const open of withUnknown(this.#values.schema, known)) {
      const early = await this.plan(open, stored);
      diagnostics.push(...early.diagnostics.filter(isError));
      if (early.planned === null || early.deferral !== undefined) continue;
      const prior = early.action === "replace" ? undefined : early.stored;
      const final = await planFinally(this.#provider, this.#values, early, known, prior);
      diagnostics.push(...final.diagnostics.filter(isError));
    }
    return distinct(diagnostics);
  }

  #asksToDestroy(): Promise<boolean> {
    this.#plansDestruction ??= this.#provider
      .getProviderSchema({})
      .then(({ serverCapabilities }) => serverCapabilities?.planDestroy === true);
    return this.#plansDestruction;
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
    return applyPlan(this.#provider, this.#values, plan, config && this.#values.fill(config));
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
    const { name: typeName, identities } = this.#values;
    const response = await this.#provider.importResourceState({
      typeName,
      ...(typeof target === "string"
        ? { id: target }
        : { identity: identities?.encode(target.identity) }),
    });
    const diagnostics = readDiagnostics(response.diagnostics);
    const found = response.importedResources.find((imported) => imported.typeName === typeName);
    const state = found && this.#values.decode(found.state);
    const deferral = readDeferral(response);
    if (found === undefined || state === undefined) {
      return { stored: undefined, diagnostics, ...(deferral && { deferral }) };
    }
    const identity = identities?.decode(found.identity);
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
    const missing = refused(this.#values, summary, [{ path: [], message }]);
    return { stored, diagnostics: [...all, ...missing] };
  }
}

/** Returns copies of a configuration. In each of them, another value is unknown. */
function* withUnknown({ attributes, blocks }: SchemaBlock, values: Values): Generator<Values> {
  for (const [name, { nested }] of attributes) {
    const value = values[name] ?? null;
    if (value === null) continue;
    yield { ...values, [name]: UNKNOWN };
    if (nested === undefined) continue;
    for (const each of unknownInside(nested, value)) yield { ...values, [name]: each };
  }
  for (const [name, block] of blocks) {
    for (const each of unknownInside(block, values[name])) yield { ...values, [name]: each };
  }
}

function* unknownInside({ nesting, block }: SchemaNested, value: unknown): Generator {
  if (!isRecord(value)) return;
  if (isSingle(nesting)) {
    yield* withUnknown(block, value);
    return;
  }
  for (const [key, element] of Object.entries(value)) {
    if (!isRecord(element)) continue;
    for (const each of withUnknown(block, element)) {
      yield Array.isArray(value) ? value.with(Number(key), each) : { ...value, [key]: each };
    }
  }
}
