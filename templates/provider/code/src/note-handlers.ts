import { implement, implementDataSource, type StateOf } from "@trivet/provider-kit";
import { note, notes } from "./declaration";
import type { NoteFiles } from "./note-files";

/** The client that handlers receive. */
export interface Notes {
  /** @throws ProviderError while the folder is not known */
  files(): NoteFiles;
}

const stateOf = (name: string, text: string, files: NoteFiles): StateOf<typeof note> => ({
  name,
  text,
  path: files.pathOf(name),
  size: Buffer.byteLength(text),
});

export const noteHandlers = implement(note)<Notes>({
  async create({ name, text }, { client, signal, log }) {
    const files = client.files();
    await files.create(name, text, signal);
    log.debug("wrote a note", { name });
    return stateOf(name, text, files);
  },

  async read({ name }, { client, signal }) {
    const files = client.files();
    const text = await files.read(name, signal);
    // Without a note, Terraform plans to create it again.
    return text === undefined ? undefined : stateOf(name, text, files);
  },

  async update({ name, text }, _state, { client, signal }) {
    const files = client.files();
    await files.update(name, text, signal);
    return stateOf(name, text, files);
  },

  async delete({ name }, { client }) {
    await client.files().delete(name);
  },
});

export const notesHandlers = implementDataSource(notes)<Notes>({
  async read(_config, { client }) {
    return { names: await client.files().names() };
  },
});
