import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../../../../src/core/json/plain-json";
import {
  implement,
  known,
  moveFrom,
  moveFromJson,
  providerRoutes,
  type ResourceHandlers,
  type ResourceImplementation,
} from "../../../../src/core/provider-kit";
import { TerraformProject } from "../../../../src/core/provider-kit/testing";
import { computed, optional, provider, required, resource, t } from "../../../../src/core/schema";

const doc = "x";
const source = "example.test/tools/shop";

/** The resource type that users have. */
const memo = resource("shop_memo", {
  doc,
  version: 3,
  attributes: {
    subject: required(t.string(), { doc }),
    serial: optional(t.integer(), { doc }),
    memoId: computed(t.string(), { doc, wire: "id", useStateForUnknown: true }),
  },
});

/** The resource type that replaces it. */
const note = resource("shop_note", {
  doc,
  attributes: {
    noteName: required(t.string(), { doc }),
    serial: optional(t.integer(), { doc }),
    noteId: computed(t.string(), { doc, wire: "id", useStateForUnknown: true }),
  },
});

type Handlers = ResourceHandlers<typeof note, null>;

const noteHandlers: Handlers = {
  create: () => Promise.reject(new Error("must not create")),
  read: (state, { privateState }) => {
    remembered = privateState.get("memory");
    return Promise.resolve(state);
  },
  update: (plan, state) => Promise.resolve(known({ ...plan, noteId: state.noteId })),
  delete: () => Promise.reject(new Error("must not delete")),
};

let remembered: string | undefined;

const memoHandlers = implement(memo)<null>({
  create: (plan, { privateState }) => {
    privateState.set("memory", "kept");
    return Promise.resolve(known({ ...plan, memoId: "m-1" }));
  },
  read: (state) => Promise.resolve(state),
  update: (plan, state) => Promise.resolve(known({ ...plan, memoId: state.memoId })),
  delete: () => Promise.reject(new Error("must not delete")),
});

const routesOf = (resources: readonly ResourceImplementation<null>[]) =>
  providerRoutes({
    declaration: provider("shop", { doc, attributes: {} }),
    configure: () => null,
    resources,
  });

const serial = "123456789012345678901234567890";

/** Creates a resource with one provider, and then plans and applies the other configuration. */
async function moved(
  before: string,
  after: string,
  moves: Handlers["moves"],
): Promise<Readonly<Record<string, unknown>>> {
  remembered = undefined;
  const first = await TerraformProject.open({ source, routes: routesOf([memoHandlers]) });
  const current = implement(note)<null>({ ...noteHandlers, ...(moves && { moves }) });
  const second = await TerraformProject.open({ source, routes: routesOf([memoHandlers, current]) });
  try {
    await first.write(before);
    await first.apply();
    const state = await readFile(join(first.folder, "terraform.tfstate"));
    await writeFile(join(second.folder, "terraform.tfstate"), state);
    await second.write(after);
    const { changes } = await second.plan();
    expect([...changes.values()].map(({ action }) => action)).toEqual(["no-op"]);
    await second.apply();
    return await second.resources();
  } finally {
    await first.close();
    await second.close();
  }
}

const memoOne = `resource "shop_memo" "one" {
  subject = "tea"
  serial  = ${serial}
}`;
const noteOne = `resource "shop_note" "one" {
  note_name = "tea.txt"
  serial    = ${serial}
}
moved {
  from = shop_memo.one
  to   = shop_note.one
}`;

const fromMemo = moveFrom(memo, ({ subject, serial: same, memoId }) => ({
  noteName: `${subject}.txt`,
  serial: same,
  noteId: memoId,
}));

test("terraform moves a resource to another type, without another change", async () => {
  const resources = await moved(memoOne, noteOne, [fromMemo]);
  expect(resources).toMatchObject({ "shop_note.one": { note_name: "tea.txt", id: "m-1" } });
  expect(remembered).toBeUndefined();
});

test("the private state moves on request", async () => {
  await moved(memoOne, noteOne, [{ ...fromMemo, keepPrivateState: true }]);
  expect(remembered).toBe("kept");
});

test("terraform moves a resource of another provider", async () => {
  const fromData = moveFromJson(
    "terraform_data",
    ({ input, id }) => ({
      // Terraform stores a value of any type with its type.
      noteName: isRecord(input) ? String(input["value"]) : "?",
      serial: null,
      noteId: String(id),
    }),
    { provider: "terraform.io/builtin/terraform" },
  );
  const resources = await moved(
    `resource "terraform_data" "one" { input = "tea" }`,
    `resource "shop_note" "one" { note_name = "tea" }
     moved {
       from = terraform_data.one
       to   = shop_note.one
     }`,
    [fromData],
  );
  expect(resources).toMatchObject({ "shop_note.one": { note_name: "tea" } });
});

test.each<[string, Handlers["moves"], RegExp]>([
  [
    "nothing can become the type",
    undefined,
    /Move Not Supported: A shop_memo of example.test\/tools\/shop with schema version 3 cannot be moved to a shop_note. It supports no moves/,
  ],
  [
    "the version is another one",
    [{ ...fromMemo, version: 2 }],
    /It supports moves from:\n {2}shop_memo with schema version 2/,
  ],
  [
    "the provider is another one",
    [{ ...fromMemo, provider: "example.test/tools/other" }],
    /shop_memo with schema version 3 of example.test\/tools\/other/,
  ],
  [
    "the provider is a mirror, so the one of the same registry is meant",
    ["registry.opentofu.org/tools/shop", "example.test/tools/other"].map((provider) => {
      return { ...fromMemo, provider };
    }),
    /terraform state replace-provider example.test\/tools\/shop example.test\/tools\/other/,
  ],
  [
    "the declaration does not have the attributes of the state",
    [moveFrom(resource("shop_memo", { doc, version: 3, attributes: {} }), () => ({}) as never)],
    /Unreadable State: The state of shop_memo does not match its schema version 3/,
  ],
  [
    "the result does not match the schema",
    [moveFromJson("shop_memo", () => ({ noteName: 7 }) as never)],
    /Value Does Not Match The Schema/,
  ],
])("terraform reports that %s", async (_name, moves, message) => {
  await expect(moved(memoOne, noteOne, moves)).rejects.toThrow(message);
});
