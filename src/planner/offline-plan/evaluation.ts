import { Budget, spend } from "../expression/budget";
import { evaluate, type Scope } from "../expression/evaluate";
import { callFunction } from "../expression/function";
import { openTofuFunctions, terraformFunctions, undecidedFunctions } from "../expression/functions";
import { type Reference, referencesIn, type Expression } from "../expression/syntax";
import { EvaluationError, joinReasons, type UnknownReason, Value } from "../expression/value";
import { nodeOf } from "./graph";
import type { PlanningProvider, ProviderSchemas } from "./provider";
import type { StackSecrets } from "./stack-secrets";
import { named, withName } from "./stand-ins";

export interface StartedProvider {
  readonly provider: PlanningProvider;
  readonly schemas: ProviderSchemas;
}

interface Members {
  readonly names: { has(name: string): boolean };
  /** True with `count` or `for_each`, so that a key comes first. */
  readonly isRepeated: boolean;
}

/** Thrown for a call of a provider's function whose result is still missing. */
class PendingCall extends Error {
  constructor(
    readonly key: string,
    readonly run: () => Promise<Value | string>,
  ) {
    super("pending");
  }
}

/** The values of a stack that have been computed so far, and everything else that expressions can use. */
export class Evaluation {
  /** By node, such as `var.region` or `ids_endpoint.edge`. */
  readonly #values = new Map<string, Value>();
  /** What references to a resource can name, by its node. */
  readonly #members = new Map<string, Members>();
  readonly #results = new Map<string, Value | string>();
  readonly #budget = new Budget();
  readonly #providers: ReadonlyMap<string, StartedProvider>;
  readonly #secrets: StackSecrets;
  readonly #isOpenTofu: boolean;

  /**
   * @param providers by local name
   * @param secrets receives every sensitive value
   * @param isOpenTofu false if the stack may be planned by another program
   */
  constructor(
    providers: ReadonlyMap<string, StartedProvider>,
    secrets: StackSecrets,
    isOpenTofu: boolean,
  ) {
    this.#providers = providers;
    this.#secrets = secrets;
    this.#isOpenTofu = isOpenTofu;
  }

  /** @param members what references can name. @default anything */
  set(node: string, value: Value, members?: Members): void {
    this.#secrets.add(value);
    this.#values.set(node, value);
    if (members !== undefined) this.#members.set(node, members);
  }

  /**
   * Evaluates with the values of the stack and of one block, such as `each`. Evaluation starts again after each call of
   * a provider's function.
   *
   * @param expressions all expressions that `run` evaluates
   * @throws EvaluationError when something is invalid
   * @throws TooMuchWork when the stack's budget is not enough
   */
  async run<T>(
    expressions: readonly Expression[],
    own: ReadonlyMap<string, Value>,
    run: (scope: Scope) => T,
  ): Promise<T> {
    for (;;) {
      try {
        return this.#budget.run(() => {
          const roots = this.#roots(expressions, own);
          const result = run({
            variable: (name) => own.get(name) ?? roots.get(name),
            call: (name, args) => this.#call(name, args),
          });
          // The caller visits the whole result.
          if (result instanceof Value) spend(result.size);
          return result;
        });
      } catch (error) {
        if (!(error instanceof PendingCall)) throw error;
        this.#results.set(error.key, await error.run());
      }
    }
  }

  async value(expression: Expression, own: ReadonlyMap<string, Value> = new Map()): Promise<Value> {
    const found = await this.run([expression], own, (scope) =>
      named(evaluate(expression, scope), expression, scope),
    );
    this.#secrets.add(found);
    return found;
  }

  /** The variables of the scope, with the members to which the expressions refer. */
  #roots(
    expressions: readonly Expression[],
    own: ReadonlyMap<string, Value>,
  ): ReadonlyMap<string, Value> {
    const roots = new Map<string, Map<string, Value>>();
    const data = new Map<string, Map<string, Value>>();
    const add = (to: typeof roots, group: string, name: string, value: Value): void => {
      to.set(group, (to.get(group) ?? new Map<string, Value>()).set(name, value));
    };
    for (const reference of expressions.flatMap(referencesIn)) {
      const { root } = reference;
      const place = places[root];
      if (place !== undefined && !own.has(root)) {
        throw new EvaluationError(`${root} can only be used in ${place}.`);
      }
      const node = nodeOf(reference);
      if (node === undefined) continue;
      const value = this.#values.get(node);
      if (value === undefined) throw new EvaluationError(`There is no ${node} in the stack.`);
      this.#checkMember(node, reference);
      const [first = "", second = ""] = reference.steps.map(String);
      if (root === "data") add(data, first, second, value);
      else add(roots, root, first, value);
    }
    const found = new Map([...roots].map(([root, members]) => [root, Value.object(members)]));
    if (data.size > 0) {
      const types = [...data].map(([type, named]) => [type, Value.object(named)] as const);
      found.set("data", Value.object(types));
    }
    found.set("path", paths);
    found.set("terraform", terraform);
    return found;
  }

  /** Terraform checks references before it evaluates anything, so that `try` cannot hide an error. */
  #checkMember(node: string, { root, links }: Reference): void {
    const members = this.#members.get(node);
    if (members === undefined) return;
    const [first, second] = links.slice(root === "data" ? 2 : 1);
    if (members.isRepeated && first?.kind === "attribute") {
      throw new EvaluationError(
        `${node} has several instances. Write the key of an instance before ".${first.name}".`,
      );
    }
    if (!members.isRepeated && first?.kind === "index" && isConstant(first.key)) {
      throw new EvaluationError(`${node} has neither count nor for_each. Remove the key after it.`);
    }
    const member = members.isRepeated ? second : first;
    if (member?.kind !== "attribute" || members.names.has(member.name)) return;
    throw new EvaluationError(`${node} has no attribute "${member.name}".`);
  }

  #call(name: string, args: readonly Value[]): Value {
    const others = this.#isOpenTofu ? openTofuFunctions : undecidedFunctions;
    const known = terraformFunctions.get(name) ?? others.get(name);
    if (known !== undefined) return callFunction(name, known, args);
    const [, local = "", called = ""] = /^provider::([^:]+)::([^:]+)$/.exec(name) ?? [];
    const started = this.#providers.get(local);
    const schema = started?.schemas.functions.get(called);
    if (local === "" || (started !== undefined && schema === undefined)) {
      throw new EvaluationError(`There is no function "${name}".`);
    }
    if (started === undefined || schema === undefined) {
      return Value.unknown("dynamic", { kind: "provider", of: name });
    }
    if (args.some((arg) => !arg.isWhollyKnown)) {
      return Value.unknown(schema.returns, ...joinReasons(args));
    }
    const key = JSON.stringify([name, args.map((arg) => [arg.type, arg.content])], replacer);
    const result = this.#results.get(key);
    if (result === undefined) {
      const unmarked = args.map((arg) => arg.unmarked());
      throw new PendingCall(key, () => started.provider.callFunction(called, schema, unmarked));
    }
    if (typeof result === "string") throw new EvaluationError(result);
    return result.marked(args.some((arg) => arg.containsSensitive));
  }
}

/** The blocks in which a variable can be used. */
const places: Readonly<Record<string, string | undefined>> = {
  self: "postconditions",
  each: "blocks with for_each",
  count: "blocks with count",
};

/** Checks for a literal key. */
const isConstant = (key: Expression): boolean =>
  key.kind === "literal" || (key.kind === "template" && key.parts.every(isConstant));

/** Converts maps to lists of their entries, and large integers to text. */
function replacer(_: string, value: unknown): unknown {
  if (value instanceof Map) return [...(value as Map<unknown, unknown>)];
  return typeof value === "bigint" ? String(value) : value;
}

/** The value of something that is not planned. Its name stands for its value. */
export function unplanned(
  kind: UnknownReason["kind"],
  of: string,
  type: Value["type"] = "dynamic",
): Value {
  return withName(Value.unknown(type, { kind, of }), of);
}

const paths = Value.object([
  ["module", Value.string(".")],
  ["root", Value.string(".")],
  ["cwd", unplanned("variable", "path.cwd", "string")],
]);

const terraform = Value.object([
  ["workspace", unplanned("variable", "terraform.workspace", "string")],
]);
