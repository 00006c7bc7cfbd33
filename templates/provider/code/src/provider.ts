import { type ProviderDefinition, settingsNotKnownYet, UNKNOWN } from "@trivet/provider-kit";
import { settings } from "./declaration";
import { NoteFiles } from "./note-files";
import { noteHandlers, notesHandlers, type Notes } from "./note-handlers";

export const definition: ProviderDefinition<typeof settings, Notes> = {
  declaration: settings,
  configure: ({ folder }) => ({
    files() {
      // During a plan, the folder may come from a resource that does not exist yet.
      if (folder !== UNKNOWN) return new NoteFiles(folder);
      throw settingsNotKnownYet(settings, ["folder"], { to: "use notes" });
    },
  }),
  resources: [noteHandlers],
  dataSources: [notesHandlers],
};
