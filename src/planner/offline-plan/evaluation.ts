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

/** A provider with its schemas. */
export interface StartedProvider {
  readonly provider: PlanningProvider;
  readonly schemas: ProviderSchemas;
}

/** The attributes and blocks of a resource. */
interface Members {
  readonly names: { has(name: string): boolean };
  /** True with `count` or `for_each`: a key comes first. */
  readonly isRepeated: boolean;
}

/** A call of a provider's function, whose result is not there yet. */
class PendingCall extends Error {
  constructor(
    readonly key: string,
    readonly run: () => Promise<Value | string>,
  ) {
    super("pending");
  }
}

/** The values of a stack, as far as they have been computed, and everything that expressions can use. */
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
   * @param secrets learns of every sensitive value
   * @param isOpenTofu false if another program may plan the stack
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

  /** @param members what references can name; undefined if anything */
  set(node: string, value: Value, members?: Members): void {
    this.#secrets.add(value);
    this.#values.set(node, value);
    if (members !== undefined) this.#members.set(node, members);
  }

  /**
   * Evaluates with the values of the stack, and with those of one block, such as `each`. Functions of providers are
   * called one after another: evaluation starts again after each.
   *
   * @param expressions everything that `run` evaluates
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
          // What follows looks at all of it.
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

  /** The variables of the scope, with only those members to which the expressions refer. */
  #roots(
    expressions: readonly Expression[],
    own: ReadonlyMap<string, Value>,
  ): ReadonlyMap<string, Value> {
    const roots = new Map<string, Map<string, Value>>();
    const member = (root: string): Map<string, Value> => {
      const members = roots.get(root) ?? new Map<string, Value>();
      roots.set(root, members);
      return members;
    };
    const data = new Map<string, Map<string, Value>>();
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
      if (reference.root === "data") {
        const named = data.get(first) ?? new Map<string, Value>();
        named.set(second, value);
        data.set(first, named);
      } else {
        member(reference.root).set(first, value);
      }
    }
    const found = new Map([...roots].map(([root, members]) => [root, Value.object(members)]));
    if (data.size > 0) {
      const types = [...data].map(([type, named]) => [type, Value.object(named)] as const);
      found.set("data", Value.object(new Map(types)));
    }
    found.set("path", paths);
    found.set("terraform", terraform);
    return found;
  }

  /** Terraform checks references before it evaluates anything, so that `try` hides nothing. */
  #checkMember(node: string, { root, links }: Reference): void {
    const members = this.#members.get(node);
    if (members === undefined) return;
    const [first, second] = links.slice(root === "data" ? 2 : 1);
    if (members.isRepeated && first?.kind === "attribute") {
      throw new EvaluationError(
        `${node} has several instances. Write the key of one before ".${first.name}".`,
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
      throw new PendingCall(key, () =>
        started.provider.callFunction(
          called,
          schema,
          args.map((arg) => arg.unmarked()),
        ),
      );
    }
    if (typeof result === "string") throw new EvaluationError(result);
    return result.marked(args.some((arg) => arg.containsSensitive));
  }
}

/** Where variables of a single block have values. */
const places: Readonly<Record<string, string | undefined>> = {
  self: "postconditions",
  each: "blocks with for_each",
  count: "blocks with count",
};

/** Checks whether a key is written as a number or a text. */
const isConstant = (key: Expression): boolean =>
  key.kind === "literal" || (key.kind === "template" && key.parts.every(isConstant));

/** Maps become lists of their entries, numbers of any size text. */
function replacer(_: string, value: unknown): unknown {
  if (value instanceof Map) return [...(value as Map<unknown, unknown>)];
  return typeof value === "bigint" ? String(value) : value;
}

/** The value of something that is not planned. Its own name is that of its value. */
export function unplanned(
  kind: UnknownReason["kind"],
  of: string,
  type: Value["type"] = "dynamic",
): Value {
  return withName(Value.unknown(type, { kind, of }), of);
}

const paths = Value.object(
  new Map([
    ["module", Value.string(".")],
    ["root", Value.string(".")],
    ["cwd", unplanned("variable", "path.cwd", "string")],
  ]),
);

const terraform = Value.object(
  new Map([["workspace", unplanned("variable", "terraform.workspace", "string")]]),
);
