import { type Context, ProviderError } from "../../provider-kit";
import { display } from "../../schema/display";
import type { BuildEnvironment } from "../build/build-environment";
import type { ParameterRules } from "./definition/parameter-rules";
import { valueProblem } from "./definition/parameter-value";

/** A parameter as far as the choice of its value needs it. */
export interface ChoosableParameter {
  readonly name: string;
  /** Null when users must choose. */
  readonly default: string | null;
  readonly rules: ParameterRules;
}

/**
 * The value of a parameter in this build: what was entered, be it empty, else the default.
 *
 * @returns the empty text when there is none, which only a real build refuses
 * @throws ProviderError when the rules refuse the value
 */
export function chosenValue(
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
  const problem = valueProblem(rules, value, environment.previousParameter(name));
  if (problem !== undefined) throw refused(name, value, input !== undefined, problem);
  if (input === undefined && environment.isRealBuild) {
    warn({
      summary: "Default Instead Of A Parameter's Input",
      detail:
        `A workspace is built, and the platform has handed over no value for the parameter ` +
        `${display(name)}: its default ${display(value)} is used. While applying the platform hands over ` +
        "none; give the parameter no values that are only known after apply.",
      path: ["default"],
    });
  }
  return value;
}

function missing(name: string, { variables }: BuildEnvironment): ProviderError {
  return new ProviderError({
    summary: "Missing Parameter Value",
    detail:
      `A workspace is built, and there is no value for the parameter ${display(name)}, which has no ` +
      "default. Enter one, or give the parameter a default. The platform hands the value over as " +
      `${variables.parameter(name)}, and only while planning.`,
    path: ["value"],
  });
}

function refused(name: string, value: string, isInput: boolean, problem: string): ProviderError {
  const origin = isInput ? "which was entered for it" : "which is its default";
  const words = withoutLength(problem, value);
  const stop = /[.!?]$/.test(words) ? "" : ".";
  return new ProviderError({
    summary: isInput ? "Invalid Parameter Value" : "Invalid Parameter Default",
    detail: `The parameter ${display(name)} cannot have the value ${display(value)}, ${origin}: ${words}${stop}`,
    path: [isInput ? "value" : "default"],
  });
}

const maxShownLength = 100;

/** The author's words may hold the value as a whole, which can be a file. */
const withoutLength = (problem: string, value: string): string =>
  value.length <= maxShownLength
    ? problem
    : problem.replaceAll(value, () => `${value.slice(0, maxShownLength - 1)}…`);
