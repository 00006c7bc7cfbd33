import type { Snippet } from "./page";

const cdktf = ["Fn", "Op", "TerraformOutput", "TerraformVariable", "Token", "App"];

/** A snippet as a module; the content of a constructor gets the stack around it. */
export function moduleOf({ kind, code }: Snippet): string {
  if (kind !== "body" && kind !== "refused") return code;
  const provider = code.includes("IdsProvider(")
    ? ""
    : 'new ids.IdsProvider(this, "ids", { project: "demo-project", zone: "us-central1-f" });\n';
  return `import type { Construct } from "constructs";
import { TerraformStack, ${cdktf.join(", ")} } from "cdktf";
import { ids } from "trivet";
export class Stack extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    ${provider}${code}
  }
}
`;
}
