import type { Statement } from "./statements";

/** The classes of the library that a stack can use. */
const library =
  /\b(?:Token|Terraform(?:Iterator|Local|Output|Variable)|[A-Z]\w*Backend)\b(?=[.(])/g;

/** Writes the module with the stack: each construct after what it uses, otherwise in the order of the files. */
export function stackSource(statements: readonly Statement[], settings: readonly string[]): string {
  const ordered = inOrder(statements);
  const named = new Set(statements.flatMap(({ uses }) => [...uses]));
  const texts = ordered.map(({ text, needsName, planned }) =>
    text(needsName || named.has(planned.address)),
  );
  const providers = ordered.findIndex(({ planned }) => planned.item.name !== "provider");
  const first = providers === -1 ? texts.length : providers;
  const body = [
    ...texts.slice(0, first),
    ...(settings.length === 0 ? [] : [settings.join("")]),
    ...texts.slice(first),
  ];
  const code = body.join("\n");
  const imports = new Set([...code.matchAll(library)].map(([name]) => name));
  const classes = ["TerraformStack", ...imports].sort((one, other) => (one < other ? -1 : 1));
  const namespaces = ["ids", "signing", "workspace"].filter((name) =>
    code.includes(`new ${name}.`),
  );
  return [
    importText(classes, "cdktf"),
    'import type { Construct } from "constructs";',
    ...(namespaces.length === 0 ? [] : [importText(namespaces, "@trivet/constructs")]),
    "",
    "export class MainStack extends TerraformStack {",
    "  constructor(scope: Construct, id: string) {",
    "    super(scope, id);",
    ...(code === "" ? [] : ["", code.trimEnd()]),
    "  }",
    "}",
    "",
  ].join("\n");
}

function importText(names: readonly string[], from: string): string {
  const line = `import { ${names.join(", ")} } from "${from}";`;
  if (line.length <= 80) return line;
  return `import {\n${names.map((name) => `  ${name},\n`).join("")}} from "${from}";`;
}

function inOrder(statements: readonly Statement[]): readonly Statement[] {
  const byAddress = new Map(statements.map((each) => [each.planned.address, each]));
  const written = new Set<Statement>();
  const visit = (statement: Statement | undefined): void => {
    if (statement === undefined || written.has(statement)) return;
    for (const address of statement.uses) visit(byAddress.get(address));
    written.add(statement);
  };
  statements.forEach(visit);
  return [...written];
}
