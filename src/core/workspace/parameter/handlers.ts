import {
  type Context,
  implementDataSource,
  known,
  type PlanOf,
  ProviderError,
} from "../../provider-kit";
import { display, enumValues } from "../../schema";
import type { BuildEnvironment } from "../build/build-environment";
import { derivedUuid, type Workspace } from "../provider/configure";
import { parameter, parameterFormTypes } from "./declare";
import { defaultFormType, type ParameterRules } from "./known-definition";
import { valueProblem } from "./value-problem";

type Config = PlanOf<typeof parameter>;

/** Handlers of `workspace_parameter`: reads the value from the build data. */
export const parameterHandlers = implementDataSource(parameter)<Workspace>({
  read(config, { client: { environment }, warn }) {
    const type = typeOf(config);
    const formType = formTypeOf(config);
    const { name, default: byDefault, options } = config;
    const rules = { type, formType: formType ?? "", options, validation: config.validation[0] };
    const validation = config.validation.map((block) => ({
      ...block,
      minDisabled: block.min === null,
      maxDisabled: block.max === null,
    }));
    return Promise.resolve(
      known({
        ...config,
        formType,
        validation,
        optional: byDefault !== null,
        value: chosenValue({ name, default: byDefault, rules }, environment, warn),
        id: derivedUuid("parameter", name),
      }),
    );
  },
});

const typeOf = ({ type }: Config) => (typeof type === "string" ? type : "string");

function formTypeOf(config: Config) {
  if (typeof config.formType === "string") return config.formType;
  const fitting = defaultFormType(typeOf(config), config.options.length > 0);
  return enumValues(parameterFormTypes).find((each) => each === fitting) ?? null;
}

interface ChoosableParameter {
  readonly name: string;
  /** Null when users must choose. */
  readonly default: string | null;
  readonly rules: ParameterRules;
}

/**
 * Returns the value of a parameter in this build: the input, even if it is empty, otherwise the default.
 *
 * @returns the empty string if there is neither, outside a real build
 * @throws ProviderError if a real build has no value, or if the value is invalid
 */
function chosenValue(
  parameter: ChoosableParameter,
  environment: BuildEnvironment,
  warn: Context<unknown>["warn"],
): string {
  const { name, rules } = parameter;
  const input = environment.parameter(name);
  const value = input ?? parameter.default;
  if (value === null) {
    if (environment.isRealBuild) throw missing(name, environment);
    return "";
  }
  const previous = environment.previousParameter(name);
  const problem = valueProblem(rules, value, { previous })?.message;
  if (problem !== undefined) throw refused(name, value, input !== undefined, problem);
  if (input === undefined && environment.isRealBuild) {
    warn({
      summary: "Parameter Default Used Instead Of Input",
      detail:
        `The build of the workspace has no value for the parameter ${display(name)}, so its default ` +
        `${display(value)} is used. The platform passes no parameter values during apply: do not set ` +
        "arguments of the parameter to values that are known only after apply.",
      path: ["default"],
    });
  }
  return value;
}

function missing(name: string, { variables }: BuildEnvironment): ProviderError {
  return new ProviderError({
    summary: "Missing Parameter Value",
    detail:
      `The build of the workspace has no value for the parameter ${display(name)}, which has no ` +
      "default. Enter a value, or set a default. The platform passes the value as " +
      `${variables.parameter(name)}, and only during the plan.`,
    path: ["value"],
  });
}

function refused(name: string, value: string, isInput: boolean, problem: string): ProviderError {
  const origin = isInput ? "which was entered" : "which is its default";
  const reason = shortened(problem, value);
  const stop = /[.!?]$/.test(reason) ? "" : ".";
  return new ProviderError({
    summary: isInput ? "Invalid Parameter Value" : "Invalid Parameter Default",
    detail: `The parameter ${display(name)} cannot have the value ${display(value)}, ${origin}: ${reason}${stop}`,
    path: [isInput ? "value" : "default"],
  });
}

const maxShownLength = 100;

/** Shortens a problem: the author's message may contain the whole value, which can be as long as a file. */
const shortened = (problem: string, value: string): string =>
  value.length <= maxShownLength
    ? problem
    : problem.replaceAll(value, () => `${value.slice(0, maxShownLength - 1)}…`);
