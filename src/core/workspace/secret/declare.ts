import {
  computed,
  dataSource,
  ephemeralResource,
  exactlyOneOf,
  optional,
  required,
  t,
  stringRule,
} from "../../schema";
import { variableNameRule } from "../grammar/value-rules";

const file = stringRule([[/^(~?\/)/, "must start with `~/` or `/`"]]);

const attributes = {
  env: optional(t.string(variableNameRule), {
    doc: "Name of the environment variable that contains the secret.",
  }),
  file: optional(t.string(file), { doc: "Path of the file that contains the secret." }),
  helpMessage: required(t.string(), {
    doc:
      "Message that users see while the secret is missing: how to get it and where to store it. It is shown on " +
      "the page that creates a workspace, and in the logs of the failed build.",
  }),
  value: computed(t.string(), {
    doc: "The secret. Empty if it is missing; an empty secret is treated as missing.",
    sensitive: true,
  }),
  id: computed(t.string(), { doc: "ID of the secret: `env:NAME` or `file:PATH`." }),
};

/** A secret that the workspace's owner must have stored. */
export const secret = dataSource("workspace_secret", {
  doc:
    "A secret that the workspace's owner must have stored. Without it, a build that starts a workspace " +
    "fails.",
  attributes,
  rules: [exactlyOneOf("env", "file")],
});

/** The same secret, in no plan and no state. */
export const ephemeralSecret = ephemeralResource("workspace_secret", {
  doc:
    "A secret that the workspace's owner must have stored, as the data source reads it. Its value is in no " +
    "plan and in no state, so it can only be used where Terraform accepts ephemeral values: in settings of " +
    "providers, write-only arguments, connections, locals and other ephemeral resources.",
  attributes,
  rules: [exactlyOneOf("env", "file")],
});
