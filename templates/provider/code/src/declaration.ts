import {
  computed,
  dataSource,
  provider,
  required,
  resource,
  stringRule,
  t,
} from "@trivet/provider-kit";

/** What a note can be called. No such name leads out of the folder. */
export const namePattern = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/;

/** What `namePattern` says, in words. */
export const nameRule =
  "must be 1 to 63 lowercase letters, digits and hyphens, with no hyphen at either end";

/** The settings of the provider. */
export const settings = provider("{{name}}", {
  doc: "Notes, each in a separate file.",
  attributes: {
    folder: required(t.string(stringRule([[/./, "must not be empty"]])), {
      doc: "Folder of the notes. It must exist.",
    }),
  },
});

export const note = resource("{{name}}_note", {
  doc: "A note: a text file in the folder of the provider.",
  attributes: {
    name: required(t.string(stringRule([[namePattern, nameRule]])), {
      doc: "Name of the note. Its file is called `NAME.txt`.",
      requiresReplace: true,
    }),
    text: required(
      t.string(stringRule([[/^[^]{0,100000}$/, "must have at most 100000 characters"]])),
      { doc: "What the note says." },
    ),
    path: computed(t.string(), { doc: "Absolute path of the file.", useStateForUnknown: true }),
    size: computed(t.integer(), { doc: "Size of the file, in bytes." }),
  },
  importId: ["{name}"],
});

export const notes = dataSource("{{name}}_notes", {
  doc: "The notes in the folder of the provider.",
  attributes: {
    names: computed(t.list(t.string()), { doc: "Names of the notes, in alphabetical order." }),
  },
});
