import { join } from "node:path";
import type { Declaration } from "../../../../src/core/schema";
import { workspaceProvider } from "../../../../src/core/workspace/provider/declare";
import { products } from "../../../../src/core/workspace/product";
import { provider } from "../../../../src/core/workspace/provider-definition";
import { expectSchema, type SchemaDifference } from "../../../accept/product-schema";

/** The differences by reason, as [theirs, ours]. */
const differences: readonly SchemaDifference[] = [
  [
    "Their framework lets every type set an id and refuses it later; ours reports it in the schema.",
    "string optional computed",
    "string computed",
    [
      "coder_agent.id",
      "coder_agent_instance.id",
      "coder_app.id",
      "coder_devcontainer.id",
      "coder_env.id",
      "coder_external_agent.id",
      "coder_metadata.id",
      "coder_script.id",
      "data.coder_parameter.id",
      "data.coder_provisioner.id",
      "data.coder_script_order.id",
      "data.coder_secret.id",
      "data.coder_workspace_tags.id",
    ],
  ],
  [
    "Their default is filled in unseen; with the protocol that we speak its attribute is computed too.",
    "string optional",
    "string optional computed",
    [
      "coder_agent.api_key_scope",
      "coder_agent.auth",
      "coder_agent.startup_script_behavior",
      "coder_app.open_in",
      "coder_app.share",
      "coder_env.merge_strategy",
      "data.coder_parameter.form_type",
      "data.coder_parameter.styling",
      "data.coder_parameter.type",
      "data.coder_script_order.rule.requires",
    ],
  ],
  [
    "The same for a flag.",
    "bool optional",
    "bool optional computed",
    [
      "coder_agent.display_apps.port_forwarding_helper",
      "coder_agent.display_apps.ssh_helper",
      "coder_agent.display_apps.vscode",
      "coder_agent.display_apps.vscode_insiders",
      "coder_agent.display_apps.web_terminal",
      "coder_app.external",
      "coder_app.hidden",
      "coder_metadata.item.sensitive",
      "coder_script.run_on_start",
      "coder_script.run_on_stop",
      "coder_script.start_blocks_login",
      "data.coder_parameter.ephemeral",
      "data.coder_parameter.mutable",
      "data.coder_workspace_preset.default",
    ],
  ],
  [
    "The same for a number.",
    "number optional",
    "number optional computed",
    ["coder_agent.connection_timeout", "coder_script.timeout"],
  ],
  [
    "Ours accepts metadata without a resource and warns: the specification leaves it open.",
    "string required",
    "string optional",
    ["coder_metadata.resource_id"],
  ],
];

const declarations: readonly Declaration[] = [
  workspaceProvider,
  ...provider.resources.map(({ declaration }) => declaration),
  ...(provider.dataSources ?? []).map(({ declaration }) => declaration),
];

test("every name and type matches coder's provider, except listed differences with a reason", () => {
  expectSchema(products.coder, declarations, join(__dirname, "coder-schema.json"), differences);
});
