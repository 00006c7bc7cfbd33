import {
  type ConfigureContext,
  implement,
  implementDataSource,
  type PlanOf,
  type ProviderDefinition,
  providerRoutes,
  type ResourceHandlers,
  type StateOf,
} from "../../../../src/core/provider-kit";
import {
  createTerraformHarness,
  type ResourcePlan,
  startProvider,
  type StartedProvider,
} from "../../../../src/core/provider-kit/testing";
import {
  block,
  computed,
  type ConfigOf,
  conflicts,
  dataSource,
  optional,
  provider,
  required,
  optionalComputed,
  resource,
  t,
  stringRule,
} from "../../../../src/core/schema";
import { apply, type Values } from "../plan/planning";

const doc = "x";
const lowercase = stringRule([[/^[a-z]+$/, "must be lowercase letters"]]);

export const settings = provider("shop", {
  doc: "A workshop.",
  attributes: {
    baseUrl: optional(t.string(), { doc, env: ["SHOP_URL"] }),
    accessToken: optional(t.string(lowercase), { doc, sensitive: true }),
  },
  rules: [conflicts("baseUrl", "accessToken")],
});

/** A resource with every kind of attribute and block. */
export const tool = resource("shop_tool", {
  doc: "A tool.",
  version: 2,
  attributes: {
    toolName: required(t.string(lowercase), { doc, requiresReplace: true }),
    pieces: optional(t.integer(), { doc }),
    ratio: optional(t.number(), { doc }),
    extra: optional(t.dynamic(), { doc }),
    tags: optional(t.set(t.string()), { doc }),
    labels: optional(t.map(t.string(lowercase)), { doc }),
    pin: optional(t.string(lowercase), { doc, sensitive: true }),
    old: optional(t.bool(), { doc, deprecated: "use `tags`" }),
    handle: optional(
      t.object({
        madeOf: required(t.string(lowercase), { doc }),
        serial: computed(t.string(), { doc }),
        key: optional(t.string(), { doc, sensitive: true }),
      }),
      { doc },
    ),
    parts: optional(t.list(t.object({ size: required(t.number(), { doc }) })), { doc }),
    on: optionalComputed(t.bool(), { doc, default: true }),
    place: optionalComputed(t.string(lowercase), { doc, requiresReplace: true }),
    toolId: computed(t.string(), { doc, wire: "id", useStateForUnknown: true }),
    etag: computed(t.string(), { doc }),
  },
  blocks: {
    hole: block.list(
      {
        attributes: {
          width: required(t.number(), { doc }),
          holeId: computed(t.string(), { doc, wire: "id" }),
        },
      },
      { doc, max: 2 },
    ),
    ring: block.set({ attributes: { colour: required(t.string(), { doc }) } }, { doc }),
    box: block.single(
      { attributes: { lid: optionalComputed(t.bool(), { doc, default: false }) } },
      { doc },
    ),
  },
  timeouts: { create: 60_000, delete: 60_000 },
  importId: ["{place}/{toolName}", "{toolName}"],
});

export const catalog = dataSource("shop_catalog", {
  doc: "What there is.",
  attributes: {
    query: required(t.string(lowercase), { doc }),
    limit: optionalComputed(t.integer(), { doc, default: 10 }),
    found: computed(t.list(t.string()), { doc }),
  },
});

export type Tool = StateOf<typeof tool>;
type ToolPlan = PlanOf<typeof tool>;
export type ToolHandlers = ResourceHandlers<typeof tool, Client>;

/** What the handlers of the workshop receive. */
export interface Client {
  readonly config: ConfigOf<typeof settings>;
  readonly terraformVersion: string;
}

/** The state that results from a plan when the provider sets all computed values. */
export const made = (plan: ToolPlan): Tool => apply(tool, plan) as unknown as Tool;

const usual: ToolHandlers = {
  create: (plan) => Promise.resolve(made(plan)),
  read: (state) => Promise.resolve(state),
  update: (plan) => Promise.resolve(made(plan)),
  delete: () => Promise.resolve(),
};

interface WorkshopOptions {
  readonly handlers?: Partial<ToolHandlers>;
  readonly read?: (config: PlanOf<typeof catalog>) => Promise<StateOf<typeof catalog>>;
  readonly configure?: (config: ConfigOf<typeof settings>, context: ConfigureContext) => Client;
  /** Whether the provider is configured. @default true */
  readonly configured?: boolean;
  /** Receives the lines of the log, at the lowest level. @default no log */
  readonly onLog?: (line: string) => void;
}

type Workshop = StartedProvider;

const opened: Workshop[] = [];

afterEach(() => {
  for (const workshop of opened.splice(0)) workshop.close();
});

/** The provider, served in this process over a real socket. */
export async function openWorkshop(options: WorkshopOptions = {}): Promise<Workshop> {
  const definition: ProviderDefinition<typeof settings, Client> = {
    declaration: settings,
    configure:
      options.configure ?? ((config, { terraformVersion }) => ({ config, terraformVersion })),
    resources: [implement(tool)<Client>({ ...usual, ...options.handlers })],
    dataSources: [
      implementDataSource(catalog)<Client>({
        read:
          options.read ??
          (({ query, limit }) =>
            Promise.resolve({
              query,
              limit: typeof limit === "symbol" ? 0 : limit,
              found: [query],
            })),
      }),
    ],
  };
  const { onLog } = options;
  const env = onLog === undefined ? {} : { TF_LOG: "TRACE" };
  const workshop = await startProvider(providerRoutes(definition, env), {
    env,
    ...(onLog && { onLog }),
  });
  opened.push(workshop);
  if (options.configured !== false) {
    await createTerraformHarness(workshop).configure(settings);
  }
  return workshop;
}

/** The harness for tools. */
export const tools = (workshop: Workshop) => createTerraformHarness(workshop).resource(tool);

/** Plans a tool as Terraform does. Null destroys it. */
export const planTool = (workshop: Workshop, config: Values | null, state?: Values | null) =>
  tools(workshop).plan(config, state ? { state } : undefined);

/** Applies the plan of a tool. */
export async function applyTool(workshop: Workshop, plan: ResourcePlan) {
  const { stored, diagnostics } = await tools(workshop).apply(plan);
  return { state: stored?.state ?? null, private: stored?.private, diagnostics };
}

/** Reads a tool. The state is null when it no longer exists. */
export async function readTool(
  workshop: Workshop,
  state: Values,
  privateState: Uint8Array = new Uint8Array(),
) {
  const result = await tools(workshop).read({ state, private: privateState });
  const { stored, diagnostics } = result;
  return { state: stored?.state ?? null, private: stored?.private, diagnostics };
}
