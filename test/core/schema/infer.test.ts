import { DynamicValue, implement, ProviderError } from "../../../src/core/provider-kit";
import {
  type ArgsOf,
  block,
  computed,
  type ConfigOf,
  conflicts,
  optional,
  type PlanOf,
  provider,
  required,
  resource,
  type StateOf,
  t,
  type TypedValue,
  UNKNOWN,
  type Unknown,
} from "../../../src/core/schema";
import type { kitchen } from "./kitchen";
import { type AnyIn, type Equal, assertType } from "./type-test";

// The compiler tests these types (`npm run lint`). The tests below only run the code.

type Kitchen = typeof kitchen;

test("arguments are required or optional, and computed attributes have none", () => {
  interface Window {
    readonly openWide?: boolean | undefined;
    readonly tilted?: boolean | undefined;
    readonly curtain?: { readonly colour: string } | undefined;
  }
  interface Oven {
    readonly maxHeat: number;
    readonly brand?: string | undefined;
    readonly key?: string | undefined;
  }
  interface Expected {
    readonly kitchenName: string;
    readonly style?: "old" | "new" | undefined;
    readonly area?: number | undefined;
    readonly serial?: number | bigint | undefined;
    readonly rent?: string | undefined;
    readonly meter?: bigint | undefined;
    readonly lit?: boolean | undefined;
    readonly extra?: unknown;
    readonly guests?: readonly string[] | undefined;
    readonly tags?: readonly string[] | undefined;
    readonly labels?: Readonly<Record<string, string>> | undefined;
    readonly pinCode?: string | undefined;
    readonly gas?: boolean | undefined;
    readonly oven?: Oven | undefined;
    readonly shelves?: readonly { readonly width: number }[] | undefined;
    readonly drawers?:
      Readonly<Record<string, { readonly content?: string | undefined }>> | undefined;
    readonly window: readonly Window[];
    readonly spices?: readonly { readonly name: string }[] | undefined;
    readonly sink: { readonly deep?: boolean | undefined };
    readonly timeouts?:
      { readonly create?: string | undefined; readonly delete?: string | undefined } | undefined;
  }
  assertType<Equal<ArgsOf<Kitchen>, Expected>>();
});

test("in a configuration everything can be unknown, and what is not required can be null", () => {
  type Config = ConfigOf<Kitchen>;
  assertType<Equal<Config["kitchenName"], string | Unknown>>();
  assertType<Equal<Config["lit"], boolean | Unknown | null>>();
  assertType<Equal<Config["tags"], readonly (string | Unknown)[] | Unknown | null>>();
  assertType<
    Equal<Config["labels"], Readonly<Record<string, string | Unknown>> | Unknown | null>
  >();
  assertType<Equal<Exclude<Config["oven"], Unknown | null>["maxHeat"], number | Unknown>>();
  assertType<Equal<Config["spices"], readonly { readonly name: string | Unknown }[] | Unknown>>();
  assertType<Equal<Config["sink"], { readonly deep: boolean | Unknown | null } | Unknown | null>>();
});

test("in a plan only what the provider sets can be unknown, nested values included", () => {
  type Plan = PlanOf<Kitchen>;
  assertType<Equal<Plan["kitchenName"], string>>();
  assertType<Equal<Plan["style"], "old" | "new" | null>>();
  assertType<Equal<Plan["lit"], boolean | Unknown | null>>();
  assertType<Equal<Plan["kitchenId"], string | Unknown | null>>();
  assertType<Equal<NonNullable<Plan["oven"]>["warmth"], number | Unknown | null>>();
  assertType<Equal<NonNullable<Plan["oven"]>["maxHeat"], number>>();
  assertType<Equal<Plan["window"][number]["glassId"], string | Unknown | null>>();
  assertType<Equal<Plan["window"][number]["curtain"], { readonly colour: string } | null>>();
});

test("in a state everything is known and every attribute exists", () => {
  type State = StateOf<Kitchen>;
  assertType<Equal<State["kitchenId"], string | null>>();
  assertType<Equal<State["serial"], number | bigint | null>>();
  assertType<Equal<State["hooks"], readonly { readonly at: string | null }[] | null>>();
  assertType<Equal<NonNullable<State["oven"]>["warmth"], number | null>>();
  assertType<Equal<NonNullable<State["timeouts"]>["create"], string | null>>();
  assertType<Equal<keyof State, keyof ConfigOf<Kitchen>>>();
  // @ts-expect-error nothing in a state is unknown
  const unknown: State["kitchenId"] = UNKNOWN;
  expect(unknown).toBe(UNKNOWN);
});

test("handlers receive and return a dynamic value with its type", () => {
  assertType<Equal<ConfigOf<Kitchen>["extra"], TypedValue | Unknown | null>>();
  assertType<Equal<StateOf<Kitchen>["extra"], TypedValue | null>>();
  const typed: StateOf<Kitchen>["extra"] = DynamicValue.of("a");
  // @ts-expect-error a plain string has no type of its own
  const plain: StateOf<Kitchen>["extra"] = "a";
  expect([typed, plain]).toEqual([new DynamicValue("string", "a"), "a"]);
});

test("no inferred type contains any", () => {
  // The probe itself finds it.
  assertType<Equal<AnyIn<{ a: { b: readonly any[] }; c: string }>, ".a.b[] is any">>(); // eslint-disable-line @typescript-eslint/no-explicit-any
  assertType<Equal<AnyIn<ArgsOf<Kitchen>>, never>>();
  assertType<Equal<AnyIn<ConfigOf<Kitchen>>, never>>();
  assertType<Equal<AnyIn<PlanOf<Kitchen>>, never>>();
  assertType<Equal<AnyIn<StateOf<Kitchen>>, never>>();
});

test("a declaration without blocks infers none", () => {
  const bare = provider("bare", { doc: "No blocks.", attributes: {} });
  assertType<Equal<keyof ConfigOf<typeof bare>, never>>();
  expect(bare.blocks).toEqual({});
});

test("a handler that forgets a computed attribute does not compile", () => {
  const pot = resource("tea_pot", {
    doc: "A pot.",
    attributes: {
      size: required(t.number(), { doc: "Cups." }),
      id: computed(t.string(), { doc: "ID." }),
    },
  });
  const gone = (): Promise<undefined> => Promise.resolve(undefined);
  const refuse = (): Promise<never> =>
    Promise.reject(new ProviderError({ summary: "No", detail: "No." }));
  const handlers = implement(pot)<string>({
    // @ts-expect-error the id is missing
    create: (plan) => Promise.resolve({ size: plan.size }),
    read: gone,
    update: refuse,
    delete: gone,
  });
  implement(pot)<string>({
    create: (plan, { client }) => Promise.resolve({ size: plan.size, id: client }),
    read: gone,
    // @ts-expect-error what a plan leaves unknown is not a state
    update: (plan) => Promise.resolve({ ...plan }),
    delete: gone,
  });
  expect(handlers.declaration).toBe(pot);
});

test("a rule that names an attribute which is not declared does not compile", () => {
  const attributes = {
    a: optional(t.string(), { doc: "A." }),
    b: optional(t.string(), { doc: "B." }),
  };
  const fine = [conflicts("a", "b")];
  expect(
    resource("x_y", { doc: "X.", attributes, rules: [conflicts("a", "b")] }).rules,
  ).toHaveLength(1);
  // @ts-expect-error c is not declared
  resource("x_y", { doc: "X.", attributes, rules: [conflicts("a", "c")] });
  // @ts-expect-error c is not declared
  provider("x", { doc: "X.", attributes, rules: [conflicts("a", "c")] });
  // @ts-expect-error c is not declared
  block.list({ attributes, rules: [conflicts("a", "c")] }, { doc: "X." });
  expect(block.list({ attributes, rules: fine }, { doc: "X." }).fields.rules).toBe(fine);
});

test("options that a presence does not have do not compile", () => {
  // @ts-expect-error a required attribute has no default
  required(t.bool(), { doc: "X.", default: true });
  // @ts-expect-error only what the provider computes can be kept
  optional(t.bool(), { doc: "X.", useStateForUnknown: true });
  // @ts-expect-error an output cannot require a replacement
  computed(t.bool(), { doc: "X.", requiresReplace: true });
  // @ts-expect-error every attribute is documented
  expect(required(t.bool(), {}).presence).toBe("required");
});

test("a block that occurs at most once is written without an array, and is an array in a state", () => {
  const attributes = { watts: required(t.integer(), { doc: "Power." }) };
  const room = resource("house_room", {
    doc: "A room.",
    attributes: {},
    blocks: {
      light: block.set({ attributes }, { doc: "The light.", max: 1 }),
      lamps: block.list({ attributes }, { doc: "More light.", max: 2 }),
    },
  });
  interface Lamp {
    readonly watts: number | bigint;
  }
  interface Expected {
    readonly light?: Lamp | undefined;
    readonly lamps?: readonly Lamp[] | undefined;
  }
  interface Stored {
    readonly light: readonly Lamp[];
    readonly lamps: readonly Lamp[];
  }
  assertType<Equal<ArgsOf<typeof room>, Expected>>();
  assertType<Equal<StateOf<typeof room>, Stored>>();
  expect(room.blocks.light.max).toBe(1);
});
