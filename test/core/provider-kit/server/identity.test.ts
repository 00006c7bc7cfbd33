import {
  type IdentityOf,
  implement,
  known,
  moveFrom,
  moveFromJson,
  ProviderError,
  providerRoutes,
  type ResourceHandlers,
  type ResourceImplementation,
  type StateMove,
  type StateOf,
  UNKNOWN,
  upgradeFromJson,
} from "../../../../src/core/provider-kit";
import {
  createTerraformHarness,
  startProvider,
  type StartedProvider,
  type StoredResource,
  TerraformProject,
  WireValues,
} from "../../../../src/core/provider-kit/testing";
import {
  computed,
  optional,
  optionalComputed,
  optionalForImport,
  provider,
  required,
  requiredForImport,
  resource,
  stringRule,
  t,
} from "../../../../src/core/schema";
import { assertType, type Equal } from "../../schema/type-test";
import { details, summaries } from "./protocol";

const doc = "x";
const lowercase = stringRule([[/^[a-z]+$/, "must be lowercase letters"]]);

const shelf = resource("shop_shelf", {
  doc,
  attributes: {
    room: optionalComputed(t.string(), { doc, requiresReplace: true }),
    shelfName: required(t.string(lowercase), { doc, requiresReplace: true }),
    serial: computed(t.integer(), { doc, useStateForUnknown: true }),
    label: optional(t.string(), { doc }),
  },
  importId: ["{room}/{shelfName}"],
  identity: {
    attributes: {
      room: optionalForImport(t.string(), { doc: "The room." }),
      shelfName: requiredForImport(t.string(lowercase), { doc: "The name.", wire: "name" }),
    },
  },
});

/** Its identity has names that it has no attributes for. */
const crate = resource("shop_crate", {
  doc,
  attributes: { path: required(t.string(), { doc }), weight: optional(t.number(), { doc }) },
  identity: {
    version: 2,
    attributes: {
      account: requiredForImport(t.string(), { doc }),
      steps: requiredForImport(t.list(t.string()), { doc }),
      lot: optionalForImport(t.integer(), { doc }),
    },
  },
});

type Shelf = StateOf<typeof shelf>;
type ShelfHandlers = ResourceHandlers<typeof shelf, string>;
type CrateHandlers = ResourceHandlers<typeof crate, string>;

const shelves: ShelfHandlers = {
  create: (plan) => {
    const room = plan.room === UNKNOWN ? "hall" : plan.room;
    return Promise.resolve(known({ ...plan, room, serial: 7 }));
  },
  // What an import does not know is null.
  read: (state) =>
    Promise.resolve({
      ...state,
      room: (state.room ?? null) === null ? "hall" : state.room,
      serial: 7,
    }),
  update: (plan, { serial }) => Promise.resolve(known({ ...plan, serial })),
  delete: () => Promise.resolve(),
};

const lot = 2n ** 70n;

const crates = {
  create: (plan: StateOf<typeof crate>) => Promise.resolve(plan),
  read: (state: StateOf<typeof crate>) => Promise.resolve(state),
  update: (plan: StateOf<typeof crate>) => Promise.resolve(plan),
  delete: () => Promise.resolve(),
  identity: ({ path }: StateOf<typeof crate>, { client }: { client: unknown }) => ({
    account: String(client),
    steps: path.split("/"),
    lot,
  }),
  importByIdentity: ({ steps }: IdentityOf<typeof crate>) => ({ path: steps.join("/") }),
} satisfies Partial<CrateHandlers>;

const routesOf = (...resources: readonly ResourceImplementation<string>[]) =>
  providerRoutes({
    declaration: provider("shop", { doc, attributes: {} }),
    configure: () => "acme",
    resources,
  });

const opened: { close(): unknown }[] = [];

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

async function served(
  handlers: Partial<ShelfHandlers> = {},
  ...more: readonly ResourceImplementation<string>[]
): Promise<StartedProvider> {
  const provider = await startProvider(
    routesOf(
      implement(shelf)<string>({ ...shelves, ...handlers }),
      implement(crate)<string>(crates),
      ...more,
    ),
  );
  opened.push(provider);
  await provider.configureProvider({ config: { msgpack: Uint8Array.of(0x80) } });
  return provider;
}

const shelfHarness = async (handlers: Partial<ShelfHandlers> = {}) =>
  createTerraformHarness(await served(handlers)).resource(shelf);

const stored: StoredResource = {
  state: { room: "hall", shelfName: "a", serial: 7, label: null },
  identity: { room: "hall", shelfName: "a" },
};

test("terraform learns the schema of each identity", async () => {
  const client = await served();
  const { identitySchemas } = await client.getResourceIdentitySchemas({});
  const text = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString());
  const shown = Object.entries(identitySchemas).map(([type, { version, identityAttributes }]) => [
    type,
    version,
    ...identityAttributes.map(({ name, type: of, ...rest }) => [
      name,
      text(of),
      rest.requiredForImport,
      rest.optionalForImport,
      rest.description,
    ]),
  ]);
  expect(shown).toEqual([
    [
      "shop_shelf",
      0,
      ["room", "string", false, true, "The room."],
      ["name", "string", true, false, "The name."],
    ],
    [
      "shop_crate",
      2,
      ["account", "string", true, false, "x"],
      ["steps", ["list", "string"], true, false, "x"],
      ["lot", "number", false, true, "x"],
    ],
  ]);
});

test("the identity consists of the attributes with the same names, and stays during updates", async () => {
  const harness = await shelfHarness();
  const created = await harness.deploy({ shelfName: "a" });
  expect(created.diagnostics).toEqual([]);
  // Terraform 1.14 cannot show a plan with an identity that is partly unknown.
  expect(created.plan).toMatchObject({ action: "create", identity: undefined });
  expect(created.stored?.identity).toEqual({ room: "hall", shelfName: "a" });

  const updated = await harness.deploy({ shelfName: "a", label: "new" }, created.stored);
  expect(updated.plan).toMatchObject({ action: "update", identity: created.stored?.identity });
  expect(updated.stored?.identity).toEqual(created.stored?.identity);

  const replaced = await harness.deploy({ shelfName: "b" }, updated.stored);
  expect(replaced.plan).toMatchObject({ action: "replace", identity: undefined });
  expect(replaced.stored?.identity).toEqual({ room: "hall", shelfName: "b" });
  expect((await harness.destroy(replaced.stored ?? stored)).stored).toBeUndefined();
});

test("a plan to create shows an identity that is known", async () => {
  const { identity } = await (await shelfHarness()).plan({ room: "attic", shelfName: "a" });
  expect(identity).toEqual({ room: "attic", shelfName: "a" });
});

test("a state from before there was an identity gets one, at the next read or the next plan", async () => {
  const harness = await shelfHarness();
  const { state } = stored;
  expect((await harness.read({ state })).stored?.identity).toEqual(stored.identity);
  expect((await harness.plan({ shelfName: "a", label: "new" }, { state })).identity).toEqual(
    stored.identity,
  );
});

test("a handler provides an identity that has other names", async () => {
  const harness = createTerraformHarness(await served()).resource(crate);
  const created = await harness.deploy({ path: "a/b", weight: 1 });
  const identity = { account: "acme", steps: ["a", "b"], lot };
  // The plan does not know it yet.
  expect(created.plan).toMatchObject({ identity: undefined, diagnostics: [] });
  expect(created.stored?.identity).toEqual(identity);
  const imported = await harness.import({
    identity: { account: "acme", steps: ["a", "b"], lot: null },
  });
  expect(imported.stored).toMatchObject({ state: { path: "a/b" }, identity });
});

test("an import by identity finds the resource, and the first read completes the identity", async () => {
  const harness = await shelfHarness();
  const { stored: found, diagnostics } = await harness.import({ identity: { shelfName: "a" } });
  expect(diagnostics).toEqual([]);
  expect(found).toMatchObject({
    state: { room: "hall", shelfName: "a", serial: 7 },
    identity: { room: "hall", shelfName: "a" },
  });
  // Nothing of the import is remembered.
  expect(found?.private).toHaveLength(0);
  expect((await harness.import("hall/a")).stored).toEqual(found);
});

test("the first read after an import may name what was imported in another way, later ones may not", async () => {
  const harness = await shelfHarness({
    read: (state) => Promise.resolve({ ...state, room: "main-hall", serial: 7 }),
  });
  const { stored: found, diagnostics } = await harness.import({
    identity: { room: "42", shelfName: "a" },
  });
  expect(diagnostics).toEqual([]);
  expect(found?.identity).toEqual({ room: "main-hall", shelfName: "a" });

  const again = await harness.read(stored);
  expect(summaries(again.diagnostics)).toEqual(["ERROR - Resource Identity Changed"]);
  expect(details(again.diagnostics)).toContain(
    'The provider changed room of its identity from "hall" to "main-hall". The identity of a shop_shelf never changes.',
  );
  expect(again.stored).toEqual(stored);
});

test.each<[string, object, RegExp]>([
  ["breaks a rule", { shelfName: "A" }, /Invalid Import Identity: name must be lowercase letters/],
  ["lacks a part", { room: "hall" }, /Invalid Import Identity: name must be set/],
])("an import by an identity that %s is refused", async (_name, identity, message) => {
  const harness = await shelfHarness();
  const { stored: found, diagnostics } = await harness.import({ identity: { ...identity } });
  expect(found).toBeUndefined();
  expect(details(diagnostics)).toMatch(message);
});

test("a resource without an identity cannot be imported by one", async () => {
  const plain = resource("shop_plain", { doc, attributes: { a: required(t.string(), { doc }) } });
  const keep = (values: { readonly a: string }) => Promise.resolve(values);
  const client = await served(
    {},
    implement(plain)<string>({
      create: keep,
      read: keep,
      update: keep,
      delete: () => Promise.resolve(),
    }),
  );
  const { diagnostics } = await client.importResourceState({
    typeName: "shop_plain",
    identity: { identityData: { msgpack: Uint8Array.of(0x80) } },
  });
  expect(details(diagnostics)).toMatch(/shop_plain has no identity/);
});

test("a plan that would change the identity without a replacement is refused", async () => {
  const loose = resource("shop_loose", {
    doc,
    attributes: { place: required(t.string(), { doc }) },
    identity: { attributes: { place: requiredForImport(t.string(), { doc }) } },
  });
  const keep = (values: { readonly place: string }) => Promise.resolve(values);
  const client = await served(
    {},
    implement(loose)<string>({
      create: keep,
      read: keep,
      update: keep,
      delete: () => Promise.resolve(),
    }),
  );
  const harness = createTerraformHarness(client).resource(loose);
  const { diagnostics } = await harness.plan(
    { place: "b" },
    { state: { place: "a" }, identity: { place: "a" } },
  );
  expect(details(diagnostics)).toContain(
    'A plan of shop_loose changes place of its identity from "a" to "b", but does not replace the resource. ' +
      "Declare the attribute with requiresReplace.",
  );
});

test("an update that returns another identity is an error, and the identity is kept", async () => {
  const harness = createTerraformHarness(await served()).resource(crate);
  const { stored: created } = await harness.deploy({ path: "a" });
  const { stored: result, diagnostics } = await harness.deploy({ path: "a/b" }, created);
  // No attribute has the name, so only the handler knows that it changes.
  expect(details(diagnostics)).toContain(
    'The provider changed steps of its identity from ["a"] to ["a","b"].',
  );
  expect(result?.identity).toEqual({ account: "acme", steps: ["a"], lot });
});

test.each<[string, Partial<Shelf>, RegExp]>([
  [
    "a required part",
    { room: "hall", shelfName: null as never },
    /Missing Resource Identity: The provider returned no value for name, which identifies a shop_shelf/,
  ],
])("a read that returns no value for %s is an error", async (_name, found, message) => {
  const harness = await shelfHarness({
    read: (state) => Promise.resolve({ ...state, ...found }),
  });
  expect(details((await harness.read(stored)).diagnostics)).toMatch(message);
});

test("a creation that fails halfway stores the identity of what was saved", async () => {
  const harness = await shelfHarness({
    create: (_plan, { save }) => {
      save({ room: "hall", serial: 7 });
      throw new ProviderError({ summary: "Stuck", detail: "It is stuck." });
    },
  });
  const failed = await harness.deploy({ shelfName: "a" });
  expect(summaries(failed.diagnostics)).toEqual(["ERROR - Stuck"]);
  expect(failed.stored).toMatchObject({ isTainted: true, identity: stored.identity });

  const lost = await shelfHarness({
    create: () => {
      throw new ProviderError({ summary: "Stuck", detail: "It is stuck." });
    },
  });
  expect((await lost.deploy({ shelfName: "a" })).stored?.identity).toBeUndefined();
});

test("an update that fails keeps the identity", async () => {
  const harness = await shelfHarness({
    update: () => Promise.reject(new ProviderError({ summary: "Stuck", detail: "It is stuck." })),
  });
  const failed = await harness.deploy({ shelfName: "a", label: "new" }, stored);
  expect(summaries(failed.diagnostics)).toEqual(["ERROR - Stuck"]);
  expect(failed.stored?.identity).toEqual(stored.identity);
});

describe("an identity of an earlier version", () => {
  const upgrade = async (
    version: number,
    json: string,
    identityUpgrades: CrateHandlers["identityUpgrades"] = [],
  ) => {
    const client = await startProvider(
      routesOf(implement(crate)<string>({ ...crates, identityUpgrades })),
    );
    opened.push(client);
    const { upgradedIdentity, diagnostics } = await client.upgradeResourceIdentity({
      typeName: "shop_crate",
      version,
      rawIdentity: { json: Buffer.from(json) },
    });
    expect(details(diagnostics)).toBe("");
    return new WireValues(crate.identity ?? crate).decode(upgradedIdentity?.identityData);
  };

  it("is converted", async () => {
    const from = upgradeFromJson<IdentityOf<typeof crate>>(1, ({ owner, place }) => ({
      account: String(owner),
      steps: [String(place)],
      lot: null,
    }));
    expect(await upgrade(1, '{"owner":"acme","place":"a"}', [from])).toEqual({
      account: "acme",
      steps: ["a"],
      lot: null,
    });
  });

  it("is forgotten if nothing converts it", async () => {
    expect(await upgrade(1, '{"owner":"acme"}')).toBeUndefined();
    expect(await upgrade(0, "")).toBeUndefined();
  });

  it("is kept if it has the current version", async () => {
    const json = '{"account":"acme","steps":["a"],"lot":1180591620717411303424}';
    expect(await upgrade(2, json)).toEqual({ account: "acme", steps: ["a"], lot });
  });

  it.each([[2], [3]])("cannot be converted from version %s", (version) => {
    const from = upgradeFromJson<IdentityOf<typeof crate>>(version, () => ({
      account: "",
      steps: [],
      lot: null,
    }));
    expect(() => implement(crate)<string>({ ...crates, identityUpgrades: [from] })).toThrow(
      "an upgrade must convert from a version below the declaration's 2",
    );
  });
});

test("a moved resource has the identity of its new type", async () => {
  const client = await served({
    moves: [
      moveFrom(crate, ({ path }) => ({ room: "hall", shelfName: path, serial: 7, label: null })),
    ],
  });
  const { targetIdentity, diagnostics } = await client.moveResourceState({
    sourceTypeName: "shop_crate",
    targetTypeName: "shop_shelf",
    sourceState: { json: Buffer.from('{"path":"a","weight":null}') },
  });
  expect(details(diagnostics)).toBe("");
  const wire = new WireValues(shelf.identity ?? shelf);
  expect(wire.decode(targetIdentity?.identityData)).toEqual(stored.identity);
});

test("a move sees the identity and the private state of its source, typed or as JSON", async () => {
  const seen: unknown[] = [];
  const sourceIdentity = { room: "hall", name: "a" };
  const note = (identity: unknown, memory: string | undefined): Shelf => {
    seen.push([identity, memory]);
    return { room: "hall", shelfName: "a", serial: 7, label: null };
  };
  const move = async (from: StateMove<Shelf>, identity?: string, secret?: string) => {
    const client = await served({ moves: [from] });
    const { diagnostics } = await client.moveResourceState({
      sourceTypeName: "shop_shelf",
      sourceSchemaVersion: shelf.version,
      targetTypeName: "shop_shelf",
      sourceState: { json: Buffer.from('{"room":"x","shelf_name":"a","serial":7,"label":null}') },
      ...(identity !== undefined && { sourceIdentity: { json: Buffer.from(identity) } }),
      ...(secret !== undefined && { sourcePrivate: Buffer.from(secret) }),
    });
    return details(diagnostics);
  };
  const typed = moveFrom(shelf, (_state, { identity, privateState }) => {
    const room: string | null | undefined = identity?.room;
    return note(room, privateState.get("memory"));
  });
  const plain = moveFromJson<Shelf>("shop_shelf", (_state, { identity, privateState }) =>
    note(identity, privateState.get("memory")),
  );
  const json = JSON.stringify(sourceIdentity);
  expect(await move(typed, json, '{"memory":"kept"}')).toBe("");
  expect(await move(plain, json, "no JSON")).toBe("");
  expect(await move(typed)).toBe("");
  expect(seen).toEqual([
    ["hall", "kept"],
    [sourceIdentity, undefined],
    [undefined, undefined],
  ]);
  expect(await move(typed, '{"unknown":1}')).toContain(
    "Unreadable State: The state of the identity of shop_shelf",
  );
});

test("an identity has types, and handlers where names do not match", () => {
  assertType<
    Equal<IdentityOf<typeof shelf>, { readonly room: string | null; readonly shelfName: string }>
  >();
  assertType<
    Equal<
      IdentityOf<typeof crate>,
      {
        readonly account: string;
        readonly steps: readonly string[];
        readonly lot: number | bigint | null;
      }
    >
  >();
  const { create, read, update, delete: remove } = crates;
  expect(() =>
    // @ts-expect-error -- the identity has names that only handlers can provide
    implement(crate)<string>({ create, read, update, delete: remove }),
  ).toThrow('no attribute has the name and type of "account" in the identity');
});

test("a terraform that knows no identities works as before", async () => {
  const project = await TerraformProject.open({
    source: "example.test/tools/shop",
    routes: routesOf(implement(shelf)<string>(shelves)),
  });
  opened.push(project);
  const config = (label: string) => `
    resource "shop_shelf" "a" {
      shelf_name = "a"
      label      = "${label}"
    }
    import {
      to = shop_shelf.b
      id = "hall/b"
    }
    resource "shop_shelf" "b" { shelf_name = "b" }`;
  await project.write(config("x"));
  await project.apply();
  await project.write(config("y"));
  await project.apply();
  expect(await project.resources()).toMatchObject({
    "shop_shelf.a": { room: "hall", label: "y" },
    "shop_shelf.b": { room: "hall", shelf_name: "b" },
  });
  expect((await project.plan()).changes.get("shop_shelf.a")).toMatchObject({ action: "no-op" });
});
