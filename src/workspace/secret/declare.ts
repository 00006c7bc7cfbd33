import {
  computed,
  dataSource,
  exactlyOneOf,
  optional,
  required,
  t,
  stringRule,
} from "../../schema";
import { variableNameRule } from "../grammar/text";

const file = stringRule([[/^(~?\/)/, "must start with `~/` or `/`"]]);

/** A secret that users store for their workspaces. */
export const secret = dataSource("workspace_secret", {
  doc:
    "Demands that the workspace's owner has stored a secret. A build that starts a workspace fails " +
    "without it.",
  attributes: {
    env: optional(t.string(variableNameRule), {
      doc: "Name of the environment variable that the secret is put into.",
    }),
    file: optional(t.string(file), { doc: "Path of the file that the secret is put into." }),
    helpMessage: required(t.string(), {
      doc: "What users read while the secret is missing: how to get one and where to store it.",
    }),
    value: computed(t.string(), {
      doc: "The secret; empty when there is none, which counts as missing.",
      sensitive: true,
    }),
    id: computed(t.string(), { doc: "ID of the secret: `env:NAME` or `file:PATH`." }),
  },
  rules: [exactlyOneOf("env", "file")],
});
