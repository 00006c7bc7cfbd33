import { failures } from "../../../failure/failure";
import { checkValue } from "../../../schema/check";
import { formatPath, type Path } from "../../../schema/finding";
import type { Parameter } from "../../../schema/function";
import { type Type, UNKNOWN } from "../../../schema/type";
import { wireName } from "../../../schema/attribute";
import { DynamicValue, unknownPath } from "../../cty/value";
import { ctyTypeOfValue } from "../../plan/cty-type";
import type { RequestOf } from "../../wire/tfplugin6/tfplugin6";
import { describeThrown } from "../../records/log-redactor";
import { FunctionError, type FunctionImplementation } from "../capabilities";
import { ProviderError } from "../provider-error";
import { TypedCodec } from "../compiled";
import type { Call } from "./call";
import { wirePath } from "../../cty/type";

/** Calls one function. Terraform does not configure the provider first. */
export const callFunction: Call<"callFunction"> = async (session, request) => {
  try {
    const implementation = session.function(request.name);
    const call = new FunctionCall(implementation, request);
    return { result: await call.result() };
  } catch (error) {
    const { text, functionArgument } = asRefusal(request.name, error);
    return { error: { text: session.secrets.censorText(text), functionArgument } };
  }
};

/** One argument with its parameter and its place among the arguments. */
interface Argument {
  readonly name: string;
  readonly parameter: Parameter;
  readonly index: number;
  readonly path: Path;
  readonly value: unknown;
}

/** The failures that Terraform shows, with the argument to blame. */
const [refusal, isRefusal] = failures<"REFUSED">("Refusal");

class FunctionCall {
  readonly #implementation: FunctionImplementation;
  readonly #arguments: readonly Argument[];

  constructor(implementation: FunctionImplementation, request: RequestOf<"callFunction">) {
    this.#implementation = implementation;
    this.#arguments = this.#decoded(request);
  }

  async result() {
    const { declaration, call } = this.#implementation;
    for (const argument of this.#arguments) check(argument);
    const result = await this.#guarded(() => call(this.#values()));
    const allowsUnknown = Object.values(declaration.parameters).some((each) => each.allowUnknown);
    if (!allowsUnknown && unknownPath(result) !== undefined) {
      throw new Error("the result is unknown although all arguments are known");
    }
    return TypedCodec.of(declaration.returns).encode(result);
  }

  #decoded({ arguments: given }: RequestOf<"callFunction">): readonly Argument[] {
    const { declaration } = this.#implementation;
    const named = Object.entries(declaration.parameters);
    const count = named.filter(([, { isVariadic }]) => !isVariadic).length;
    const last = named.find(([, { isVariadic }]) => isVariadic);
    if (given.length < count || (last === undefined && given.length > count)) {
      const expected = last === undefined ? "" : "at least ";
      const unit = count === 1 ? "argument" : "arguments";
      throw refusal(
        "REFUSED",
        `${declaration.name} takes ${expected}${count} ${unit} (got ${given.length})`,
      );
    }
    return given.map((value, index) => {
      const [name, parameter] = named[Math.min(index, named.length - 1)] ?? impossible();
      const path = parameter.isVariadic ? [name, index - count] : [name];
      return {
        name,
        parameter,
        index,
        path,
        value: plain(TypedCodec.of(parameter.type).decode(value)),
      };
    });
  }

  #values(): Readonly<Record<string, unknown>> {
    const { parameters } = this.#implementation.declaration;
    return Object.fromEntries(
      Object.entries(parameters).map(([name, { isVariadic }]) => {
        const values = this.#arguments.filter((each) => each.name === name).map((one) => one.value);
        return [name, isVariadic ? values : values[0]];
      }),
    );
  }

  /** Converts the handler's error to one that Terraform shows. */
  async #guarded<T>(run: () => T | Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof FunctionError)) throw error;
      const blamed = this.#arguments.find(
        ({ path }) => path.length <= error.path.length && path.every((s, i) => s === error.path[i]),
      );
      if (blamed === undefined) throw refusal("REFUSED", error.message);
      const inner = error.path.slice(blamed.path.length);
      throw refusal("REFUSED", placed(blamed.parameter.type, inner, error.message), {
        at: blamed.index,
      });
    }
  }
}

/** Removes the type of a null or unknown argument, so that the function can compare it. */
const plain = (value: unknown): unknown =>
  value instanceof DynamicValue && (value.value === null || value.value === UNKNOWN)
    ? value.value
    : value;

/** Refuses values that break the type and its rules. Hides the value, which may be a secret. */
function check({ name, parameter, index, value }: Argument): void {
  if (value === UNKNOWN) return;
  if (value === null) {
    if (parameter.allowNull === true) return;
    throw refusal("REFUSED", `${wireName(name, parameter)} must not be null`, { at: index });
  }
  const findings = checkValue(parameter.type, value, (each) => each === UNKNOWN, true);
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return;
  const text = errors.map(({ path, message }) => placed(parameter.type, path, message)).join("; ");
  throw refusal("REFUSED", text, { at: index });
}

const placed = (type: Type, path: Path, message: string): string =>
  path.length === 0 ? message : `${formatPath(wirePath(ctyTypeOfValue(type), path))}: ${message}`;

function asRefusal(name: string, error: unknown): { text: string; functionArgument?: number } {
  if (isRefusal(error)) {
    const { message: text, at } = error;
    return at === undefined ? { text } : { text, functionArgument: at };
  }
  if (error instanceof ProviderError) return { text: `${error.summary}: ${error.detail}` };
  const what = describeThrown(error);
  return {
    text: `${name} failed: ${what}. This is a bug in the provider: please report it to its authors`,
  };
}

function impossible(): never {
  throw new Error("a function without parameters has no arguments");
}
