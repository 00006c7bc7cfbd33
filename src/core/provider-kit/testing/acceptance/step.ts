import { isObject, isRecord } from "../../../json/plain-json";
import type { Declaration } from "../../../schema/declaration";
import type { StateOf } from "../../../schema/infer";
import type {
  TerraformAction,
  TerraformDiagnostic,
  TerraformPlan,
  TerraformValues,
} from "../terraform/terraform-report";

/**
 * HCL as a string, or Terraform's JSON as a string or an object, such as a synthesized stack of cdktf or
 * cdktn.
 */
export type Configuration = string | object;

/**
 * An expected value. An object has the members to compare; others are ignored. An array has exactly these elements. A
 * regular expression must match a string. A function returns true for a valid value. Matchers of test frameworks, such
 * as `expect.any(String)`, are supported.
 */
export type Expected = unknown;

/** The state after a step. */
export interface AcceptanceState extends Omit<TerraformValues, "secrets"> {
  /**
   * The values of one resource or data source, with the names and the types of its declaration.
   *
   * @throws Error when it is not in the state, or does not match its declaration
   */
  readonly resource: <D extends Declaration>(declaration: D, address: string) => StateOf<D>;
  /** The warnings of the step. */
  readonly warnings: readonly TerraformDiagnostic[];
}

interface PlannedStep {
  /** The name of the step in failures. @default its number */
  readonly name?: string | undefined;
  /** Runs before the step, to change the back end outside Terraform. */
  readonly before?: (() => void | Promise<void>) | undefined;
  /** Values of the configuration's variables, replacing earlier ones. @default unchanged */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /**
   * All actions that the plan must have, by address. All other resources must be unchanged; data sources may
   * be read.
   *
   * @default not checked
   */
  readonly actions?: Readonly<Record<string, TerraformAction>> | undefined;
  /**
   * The step must fail, and Terraform's report must contain this text or match this expression. Line breaks
   * count as spaces.
   */
  readonly expectError?: string | RegExp | undefined;
  /**
   * Requires that the plan after the step has changes, instead of none. For a step that only plans, this is
   * its own plan.
   *
   * @default false
   */
  readonly expectNonEmptyPlan?: boolean | undefined;
}

interface ConfiguredStep {
  /** @default that of the step before */
  readonly config?: Configuration | undefined;
  /** Addresses to replace, although their configuration is unchanged. @default none */
  readonly replace?: readonly string[] | undefined;
  /** Addresses to which the step is limited. A second plan is not limited. @default everything */
  readonly target?: readonly string[] | undefined;
  /** Checks the plan, before it is applied. */
  readonly checkPlan?: ((plan: TerraformPlan) => void | Promise<void>) | undefined;
}

/** The options that all steps that store a state have in common. */
interface StoringStep extends PlannedStep {
  /** Values of the state, by address. Null: the state has no such resource. @default not checked */
  readonly state?: Readonly<Record<string, Expected>> | undefined;
  /** Values of outputs, by name. @default not checked */
  readonly outputs?: Readonly<Record<string, Expected>> | undefined;
  /** Makes further checks of the state. It may throw anything, such as assertions of a test framework. */
  readonly check?: ((state: AcceptanceState) => void | Promise<void>) | undefined;
  /**
   * Lets resources differ from the state when they are read after the step. By default, a provider must read
   * the values that it returned before.
   *
   * @default false
   */
  readonly allowDrift?: boolean | undefined;
}

/** Plans and applies a configuration. A second plan must then be empty. */
export interface ApplyStep extends StoringStep, ConfiguredStep {
  readonly planOnly?: false | undefined;
}

/** Plans a configuration without applying it. Without `actions` or `checkPlan`, it must be empty. */
export interface PlanStep extends PlannedStep, ConfiguredStep {
  readonly planOnly: true;
}

/** Reads all resources and stores the values. */
export interface RefreshStep extends StoringStep {
  readonly refresh: true;
}

/** Destroys all resources. The state must be empty afterwards. Later steps may create them again. */
export interface DestroyStep extends Pick<PlannedStep, "name" | "before" | "expectError"> {
  readonly destroy: true;
}

/**
 * Imports a resource that earlier steps have created into another state, and compares its values with
 * those in the state of the test.
 */
export interface ImportStep extends Pick<PlannedStep, "name" | "before" | "expectError"> {
  /** The address of the resource. */
  readonly import: string;
  /**
   * Its import ID, or a function that derives it from the values in the state. @default the attribute `id`
   */
  readonly id?: string | ((values: Readonly<Record<string, unknown>>) => string) | undefined;
  /** Attributes that an import cannot read, in Terraform's names. @default none */
  readonly ignore?: readonly string[] | undefined;
}

export type AcceptanceStep = ApplyStep | PlanStep | RefreshStep | DestroyStep | ImportStep;

/**
 * Compares a value with the expected one.
 *
 * @param at the name of the value, for messages
 * @returns a line for each difference; empty without any
 */
export function mismatches(expected: Expected, actual: unknown, at: string): readonly string[] {
  const differs = (): readonly string[] => [
    `${at}: ${shown(actual)} instead of ${shown(expected)}`,
  ];
  if (isPredicate(expected)) {
    return expected(actual) === true ? [] : [`${at}: ${shown(actual)} is not accepted`];
  }
  if (expected instanceof RegExp) {
    return typeof actual === "string" && actual.search(expected) >= 0 ? [] : differs();
  }
  if (isMatcher(expected)) return expected.asymmetricMatch(actual) === true ? [] : differs();
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return differs();
    return expected.flatMap((each, index) => mismatches(each, actual[index], `${at}[${index}]`));
  }
  if (isObject(expected)) {
    if (!isObject(actual)) return differs();
    return Object.entries(expected).flatMap(([name, each]) =>
      mismatches(each, actual[name], `${at}.${name}`),
    );
  }
  return Object.is(expected ?? null, actual ?? null) ? [] : differs();
}

/** Returns the names of members whose values differ, in both directions. */
export function differingNames(
  left: Readonly<Record<string, unknown>>,
  right: Readonly<Record<string, unknown>>,
): readonly string[] {
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])];
  return names.filter((name) => canonical(left[name]) !== canonical(right[name]));
}

/** Writes JSON with sorted names, in which null and absent members are equal. */
export function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

const maxShown = 300;

/** Formats a value for a message, shortened. */
export function shown(value: unknown): string {
  if (value instanceof RegExp) return String(value);
  if (isMatcher(value)) return String(value);
  const text =
    value === undefined
      ? "nothing"
      : JSON.stringify(value, (_, inner: unknown) =>
          typeof inner === "bigint" ? String(inner) : inner,
        );
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

interface Matcher {
  asymmetricMatch(value: unknown): unknown;
  toString(): string;
}

const isPredicate = (value: unknown): value is (actual: unknown) => unknown =>
  typeof value === "function";

const isMatcher = (value: unknown): value is Matcher =>
  isRecord(value) && typeof value["asymmetricMatch"] === "function";
