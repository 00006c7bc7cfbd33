import { product as trivet, type Product } from "../../construct";
import { coderRefusals } from "./coder-refusals";

/** The platform whose provider is `coder/coder`, with its own names for things that we name neutrally. */
const coder = {
  name: "coder",
  environmentPrefix: "CODER",
  providers: {
    workspace: {
      source: "coder/coder",
      version: "~> 2.0",
      typePrefix: "coder",
      names: {
        workspace_agent: {
          "display_apps.editor": "vscode",
          "display_apps.editor_insiders": "vscode_insiders",
        },
      },
      enums: {
        workspace_agent: {
          auth: {
            "cloudA-instance-identity": "google-instance-identity",
            "cloudB-instance-identity": "aws-instance-identity",
            "cloudC-instance-identity": "azure-instance-identity",
          },
        },
      },
      refusals: coderRefusals,
      replacesChanged: true,
      nativeFiles: trivet.providers.workspace.nativeFiles,
      stateFile: trivet.providers.workspace.stateFile,
    },
  },
} as const satisfies Product;

/** The products whose provider a stack can use: this package's own, and existing platforms. */
export const products = { trivet, coder } as const satisfies Readonly<Record<string, Product>>;
