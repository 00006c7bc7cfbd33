import { providerNames } from "../provider-names";
import type { Snippet } from "./page";

const cdktf = [
  "Fn",
  "Op",
  "TerraformOutput",
  "TerraformVariable",
  "DataResource",
  "LocalBackend",
  "Token",
  "App",
];

/** Added before the content of a constructor that uses a provider's constructs without creating it. */
const providers = {
  IdsProvider:
    'new ids.IdsProvider(this, "ids", { project: "demo-project", zone: "us-central1-f" });',
  WorkspaceProvider: 'new workspace.WorkspaceProvider(this, "workspace");',
  SigningProvider: 'new signing.SigningProvider(this, "signing");',
} as const;

/** A snippet as a module. The content of a constructor is wrapped in a stack. */
export function moduleOf({ kind, code }: Snippet): string {
  if (kind !== "body" && kind !== "refused" && kind !== "warned") return code;
  const own = providerOf(code);
  const provider = code.includes(`${own}(`) ? "" : `${providers[own]}\n`;
  return `import { readFileSync } from "node:fs";
import type { Construct } from "constructs";
import { TerraformStack, ${cdktf.join(", ")} } from "cdktf";
import { ${providerNames.join(", ")} } from "@trivet/constructs";
export class Stack extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    ${provider}${code}
  }
}
`;
}

function providerOf(code: string): keyof typeof providers {
  if (code.includes("workspace.")) return "WorkspaceProvider";
  return code.includes("signing.") ? "SigningProvider" : "IdsProvider";
}
