import { display } from "../../../schema/finding";
import type { Identity } from "../../../schema/declaration";
import type { Values } from "../../../schema/resource-rule";
import { UNKNOWN } from "../../../schema/type";
import { wireName } from "../../../schema/attribute";
import type { CtyField } from "../../cty/type";
import type { Compiled } from "../compiled";
import type { Context } from "../context";
import { bugDiagnostic } from "../diagnostic";
import type { ResourceImplementation } from "../implementation";
import type { Session } from "../session";
import type {
  DiagnosticInit,
  ResourceIdentityData,
  ResourceIdentityDataInit,
} from "../../wire/tfplugin6/tfplugin6-value";
import { equalValues } from "../../cty/equal";

/** The key in the private state of a resource that was imported by its identity, and not yet read. */
export const importedMark = "trivet.imported";

/** Encodes and checks the identities of one resource type during a call. */
export class ResourceIdentity<Client> {
  readonly #implementation: ResourceImplementation<Client>;
  readonly #declaration: Identity;
  readonly #compiled: Compiled;
  readonly #context: () => Context<Client>;

  private constructor(
    implementation: ResourceImplementation<Client>,
    declaration: Identity,
    compiled: Compiled,
    context: () => Context<Client>,
  ) {
    this.#implementation = implementation;
    this.#declaration = declaration;
    this.#compiled = compiled;
    this.#context = context;
  }

  /**
   * @param context creates the context of the `identity` handler
   * @returns undefined for a resource that declares no identity
   */
  static of<Client>(
    session: Session<Client>,
    implementation: ResourceImplementation<Client>,
    context: () => Context<Client>,
  ): ResourceIdentity<Client> | undefined {
    const { identity } = implementation.declaration;
    if (identity === undefined) return undefined;
    return new ResourceIdentity(implementation, identity, session.compiled(identity), context);
  }

  /** @returns undefined when Terraform has stored none */
  decode(data: ResourceIdentityData | undefined): Values | undefined {
    return this.#compiled.decode(data?.identityData);
  }

  encode(values: Values): ResourceIdentityDataInit {
    return { identityData: this.#compiled.encode(values) };
  }

  ofState(state: Values): Values {
    const { identity } = this.#implementation;
    return identity === undefined ? this.#matched(state) : identity(state, this.#context());
  }

  /** Returns the identity in a state that may be incomplete; undefined if it is not known. */
  ofSaved(state: Values): Values | undefined {
    try {
      const values = this.ofState(state);
      return this.#incomplete(values) === undefined && this.#isKnown(values) ? values : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * Returns the identity after a failed change: the planned one, else that in the saved values, if it is
   * known.
   */
  ofFailed(
    saved: Values,
    planned: ResourceIdentityData | undefined,
  ): ResourceIdentityDataInit | undefined {
    const identity = this.decode(planned) ?? this.ofSaved(saved);
    return identity && this.encode(identity);
  }

  /**
   * Returns the identity for a plan; undefined while any of its values is unknown, because Terraform 1.14
   * cannot show such a plan. The identity of an existing resource does not change, unless the change replaces
   * the resource.
   */
  ofPlan(
    planned: Values,
    prior: { readonly state: Values; readonly identity: Values | undefined } | undefined,
    isReplaced: boolean,
  ): { readonly identity: Values | undefined; readonly diagnostics: readonly DiagnosticInit[] } {
    const byName = this.#implementation.identity === undefined;
    const draft = byName ? this.#matched(planned) : undefined;
    if (prior === undefined) {
      return { identity: draft && this.#isKnown(draft) ? draft : undefined, diagnostics: [] };
    }
    const identity = prior.identity ?? this.ofSaved(prior.state);
    const changed = draft && identity && !isReplaced && this.#difference(identity, draft);
    if (!changed) return { identity, diagnostics: [] };
    const what = `A plan of ${this.#type} changes ${changed}, but does not replace the resource. Declare the attribute with requiresReplace.`;
    return { identity, diagnostics: [bugDiagnostic(changedSummary, what)] };
  }

  /**
   * Returns the identity of an existing resource, and checks that it is complete and unchanged.
   *
   * @param before the identity so far; null values in it may change
   */
  checked(
    state: Values,
    before: Values | undefined,
  ): {
    readonly identity: ResourceIdentityDataInit | undefined;
    readonly diagnostics: readonly DiagnosticInit[];
  } {
    const identity = this.ofState(state);
    const missing = this.#incomplete(identity);
    if (missing !== undefined) {
      const what = `The provider returned no value for ${missing}, which identifies a ${this.#type}.`;
      return {
        identity: before && this.encode(before),
        diagnostics: [bugDiagnostic("Missing Resource Identity", what)],
      };
    }
    const changed = before && this.#difference(before, identity);
    if (changed === undefined) return { identity: this.encode(identity), diagnostics: [] };
    const what = `The provider changed ${changed}. The identity of a ${this.#type} never changes.`;
    return {
      identity: before && this.encode(before),
      diagnostics: [bugDiagnostic(changedSummary, what)],
    };
  }

  get #type(): string {
    return this.#implementation.declaration.type;
  }

  #matched(state: Values): Values {
    return Object.fromEntries(
      Object.keys(this.#declaration.attributes).map((name) => [name, state[name] ?? null]),
    );
  }

  #isKnown(values: Values): boolean {
    return Object.values(values).every((value) => !containsHole(value));
  }

  /** Returns the first missing value: one that an import requires, or all of them. */
  #incomplete(values: Values): string | undefined {
    const { attributes } = this.#declaration;
    const names = Object.keys(attributes);
    const missing = names.filter((name) => (values[name] ?? null) === null);
    const first =
      missing.length === names.length
        ? missing[0]
        : missing.find((name) => attributes[name]?.presence === "required");
    return first === undefined ? undefined : wireName(first, attributes[first]);
  }

  #difference(before: Values, after: Values): string | undefined {
    const differs = ({ name, type }: CtyField): boolean => {
      const [one, other] = [before[name] ?? null, after[name] ?? null];
      if (one === null || containsHole(one) || containsHole(other)) return false;
      return !equalValues(type, one, other);
    };
    const found = this.#compiled.type.object.find(differs);
    if (found === undefined) return undefined;
    const { name, wire } = found;
    return `${wire} of its identity from ${display(before[name])} to ${display(after[name])}`;
  }
}

const changedSummary = "Resource Identity Changed";

const containsHole = (value: unknown): boolean =>
  value === UNKNOWN || (Array.isArray(value) && value.includes(UNKNOWN));
