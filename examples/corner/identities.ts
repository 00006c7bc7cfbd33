import {
  computed,
  implement,
  implementListResource,
  listResource,
  moveFrom,
  moveFromJson,
  optionalForImport,
  required,
  requiredForImport,
  resource,
  t,
} from "@trivet/provider-kit";
import { keep } from "./keep";

const identity = {
  attributes: {
    id: requiredForImport(t.string(), { doc: "The ID." }),
    name: optionalForImport(t.string(), { doc: "The name." }),
  },
};

const declaration = resource("corner_identity", {
  doc: "Something with an identity. Its name is Tom, whatever it was called.",
  attributes: {
    id: computed(t.string(), { doc: "The ID.", useStateForUnknown: true }),
    name: required(t.string(), { doc: "The name." }),
  },
  identity,
  importId: ["{id}"],
});

const target = resource("corner_move_state", {
  doc: "Takes the place of a `random_string`, or of a `corner_identity`.",
  attributes: {
    movedRandomString: computed(t.string(), { doc: "The string.", useStateForUnknown: true }),
  },
  identity: { attributes: { id: requiredForImport(t.string(), { doc: "The ID." }) } },
});

const instance = resource("corner_list_resource", {
  doc: "Something that can be listed.",
  attributes: {
    id: computed(t.string(), { doc: "The ID.", useStateForUnknown: true }),
    name: required(t.string(), { doc: "The name." }),
  },
  identity: { attributes: { id: requiredForImport(t.string(), { doc: "The ID." }) } },
  importId: ["{id}"],
});

const existing = ["plateau", "platinum", "platypus", "bookworm", "bookshelf", "bookmark"];

export const listed = implementListResource(
  listResource(instance, {
    doc: "What exists.",
    attributes: { filter: required(t.string(), { doc: "How the names begin." }) },
  }),
)<unknown>({
  // eslint-disable-next-line @typescript-eslint/require-await -- a real service answers later
  async *list({ filter }) {
    for (const [index, name] of existing.entries()) {
      if (!name.startsWith(filter)) continue;
      const id = `id-00${index + 1}`;
      yield { displayName: name, identity: { id }, state: { id, name } };
    }
  },
});

export const identities = [
  implement(declaration)<unknown>({
    ...keep,
    create: ({ name }) => Promise.resolve({ id: "id-123", name }),
    read: ({ id }) => Promise.resolve({ id, name: "tom" }),
  }),
  implement(target)<unknown>({
    ...keep,
    identity: ({ movedRandomString }) => ({ id: movedRandomString ?? "" }),
    importByIdentity: ({ id }) => ({ movedRandomString: id }),
    moves: [
      moveFromJson("random_string", ({ result }) => ({ movedRandomString: String(result) })),
      moveFrom(declaration, ({ name }, source) => ({
        movedRandomString: source.identity?.name ?? name,
      })),
    ],
  }),
  implement(instance)<unknown>({
    ...keep,
    create: ({ name }) => Promise.resolve({ id: "id-123", name }),
  }),
];
