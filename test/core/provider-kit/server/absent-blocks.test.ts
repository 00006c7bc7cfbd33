// Terraform sends the blocks that a configuration lacks as empty lists, Pulumi's bridge as null.
import { implement, providerRoutes } from "../../../../src/core/provider-kit";
import { compile } from "../../../../src/core/provider-kit/cty/codec";
import { startProvider, WireValues } from "../../../../src/core/provider-kit/testing";
import {
  block,
  type Declaration,
  optional,
  provider,
  resource,
  t,
} from "../../../../src/core/schema";
import { closeAfterTest } from "../../http/close-after-test";

const doc = "x";
const fields = { attributes: { size: optional(t.integer(), { doc }) } };
const blocks = {
  part: block.list(fields, { doc }),
  ring: block.set(fields, { doc }),
  box: block.single({ ...fields, blocks: { lid: block.list(fields, { doc }) } }, { doc }),
};
const settings = provider("shop", { doc, attributes: {}, blocks });
const tool = resource("shop_tool", { doc, attributes: {}, blocks });

const absent = { part: null, ring: null, box: null };
const empty = { part: [], ring: [], box: null };
const encoded = (declaration: Declaration, values: typeof absent | typeof empty) => ({
  msgpack: compile(new WireValues(declaration).type).encode(values),
});

async function open() {
  const seen: unknown[] = [];
  const started = await startProvider(
    providerRoutes({
      declaration: settings,
      configure: (config) => seen.push(config),
      resources: [
        implement(tool)<number>({
          create(plan) {
            seen.push(plan);
            return Promise.resolve(plan);
          },
          read: (state) => Promise.resolve(state),
          update: (plan) => Promise.resolve(plan),
          delete: () => Promise.resolve(),
        }),
      ],
      dataSources: [],
    }),
  );
  closeAfterTest(() => {
    started.close();
    return Promise.resolve();
  });
  return { ...started, seen };
}

test("blocks that are null are empty for handlers, and a second plan changes nothing", async () => {
  const { configureProvider, planResourceChange, applyResourceChange, seen } = await open();
  await configureProvider({ config: encoded(settings, absent) });
  const values = new WireValues(tool);
  const request = { typeName: "shop_tool", config: encoded(tool, absent) };
  const none = values.encode(null);
  const first = { ...request, proposedNewState: encoded(tool, absent) };
  const planned = await planResourceChange({ ...first, priorState: none });
  const { plannedState, plannedPrivate } = planned;
  const made = await applyResourceChange({
    ...request,
    priorState: none,
    plannedState,
    plannedPrivate,
  });
  expect([planned.diagnostics, made.diagnostics]).toEqual([[], []]);
  expect(seen).toEqual([empty, empty]);
  const again = await planResourceChange({ ...first, priorState: made.newState });
  expect(values.decode(again.plannedState)).toEqual(values.decode(made.newState));
});

test("stored blocks that are null or missing are empty, too", async () => {
  const { upgradeResourceState } = await open();
  const json = Buffer.from(JSON.stringify({ part: null, box: { size: 1 } }));
  const { upgradedState, diagnostics } = await upgradeResourceState({
    typeName: "shop_tool",
    version: 0,
    rawState: { json },
  });
  expect(diagnostics).toEqual([]);
  expect(new WireValues(tool).decode(upgradedState)).toEqual({
    part: [],
    ring: [],
    box: { size: 1, lid: [] },
  });
});
