import { writeFile } from "node:fs/promises";
import {
  action,
  implementAction,
  optional,
  ProviderError,
  required,
  t,
} from "@trivet/provider-kit";

const declaration = action("corner_modify_file_action", {
  doc: "Writes a file.",
  attributes: {
    filename: required(t.string(), { doc: "Path of the file." }),
    content: required(t.string(), { doc: "What is written." }),
    planError: optional(t.bool(), { doc: "Makes the plan fail." }),
  },
});

export const modifyFile = implementAction(declaration)<unknown>({
  plan({ planError }) {
    if (planError !== true) return;
    throw new ProviderError({
      summary: "Plan Refused",
      detail: "`plan_error` is true. Remove it to write the file.",
      path: ["planError"],
    });
  },

  async invoke({ filename, content }, { progress }) {
    progress(`Writing ${filename}`);
    await writeFile(filename, content);
  },
});
