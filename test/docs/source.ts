import type { Snippet } from "./page";

const cdktf = ["Fn", "Op", "TerraformOutput", "TerraformVariable", "DataResource", "Token", "App"];

/** Stands before the content of a constructor that uses a provider's constructs without making it. */
const providers = {
  IdsProvider:
    'new ids.IdsProvider(this, "ids", { project: "demo-project", zone: "us-central1-f" });',
  WorkspaceProvider: 'new workspace.WorkspaceProvider(this, "workspace");',
} as const;

/** A snippet as a module; the content of a constructor gets the stack around it. */
export function moduleOf({ kind, code }: Snippet): string {
  if (kind !== "body" && kind !== "refused") return code;
  const own = code.includes("workspace.") ? "WorkspaceProvider" : "IdsProvider";
  const provider = code.includes(`${own}(`) ? "" : `${providers[own]}\n`;
  return `import type { Construct } from "constructs";
import { TerraformStack, ${cdktf.join(", ")} } from "cdktf";
import { ids, workspace } from "trivet";
export class Stack extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    ${provider}${code}
  }
}
`;
}
