import { camelCase } from "../../core/schema";
import { callText, type Code, quoted, textCode } from "../import/source-text";
import { argumentCode, capital } from "./block-code";
import { placeOf, type SourceFile, type SourceItem } from "./configuration";
import { commentLine, type References } from "./expression-code";
import type { KnownTypes, Slice } from "./known-types";
import { indent, type Statement } from "./statements";

/** The classes of cdktf that a stack can use. */
const library =
  /\b(?:Token|Terraform(?:Iterator|Local|Output|Variable)|[A-Z]\w*Backend)\b(?=[.(])/g;

/** Writes the module with the stack: constructs in the order of the files, but after the constructs that they use. */
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

/** A block that stays in Terraform's language. */
export interface Kept {
  /** Such as `main.tf:12`. */
  readonly place: string;
  /** Such as `docker_container.workspace`. */
  readonly address: string;
  /** Why it is not converted. @default its type has no construct */
  readonly reason: string | undefined;
}

/** The backends with a class in both cdktf and cdktn. */
const backends = "azurerm consul cos gcs http local oss pg remote s3 swift".split(" ");

const none: References = { property: () => undefined, renamed: (text) => text };

/** Converts the `terraform` blocks of a configuration to calls of the stack. */
export function terraformSettings(
  files: readonly SourceFile[],
  types: KnownTypes,
  slices: ReadonlySet<Slice>,
) {
  const statements: string[] = [];
  const converted = new Set<SourceItem>();
  const kept: Kept[] = [];
  const write = (item: SourceItem, callee: string, args: readonly Code[]) => {
    const lines = [...item.comments.map(commentLine), `${callText(callee, args, indent)};`];
    statements.push(lines.map((line) => `${indent}${line}\n`).join(""));
  };
  const override = (item: SourceItem, path: string, value: Code) => {
    write(item, "this.addOverride", [textCode(quoted(`terraform.${path}`)), value]);
  };
  for (const file of files) {
    for (const block of file.items.filter(({ name }) => name === "terraform")) {
      const above = block.comments.map((line) => `${indent}${commentLine(line)}\n`);
      if (above.length > 0) statements.push(above.join(""));
      for (const item of block.items) {
        const [label = ""] = item.labels;
        if (item.name === "required_version") {
          override(item, item.name, argumentCode(item, none).code(undefined));
        } else if (item.name === "required_providers") {
          for (const each of item.items) {
            const known = types.provider(each.name);
            const isOurs = known?.isKept === true && slices.has(known.slice);
            const code = isOurs ? versionOf(each) : argumentCode(each, none).code(undefined);
            const path = `required_providers.${each.name}${isOurs ? ".version" : ""}`;
            if (code !== undefined) override(each, path, code);
          }
        } else if (item.name === "backend" && backends.includes(label)) {
          const name = `${capital(label)}Backend`;
          const members = item.items.map(
            (each) => [camelCase(each.name), argumentCode(each, none).code(undefined)] as const,
          );
          write(item, `new ${name}`, [textCode("this"), { kind: "object", members }]);
        } else {
          const address = ["terraform", item.name, ...item.labels].join(".");
          const reason =
            "a stack has only one `terraform` block: call a method of the stack instead";
          kept.push({ place: placeOf(file, item.from), address, reason });
          continue;
        }
        converted.add(item);
      }
    }
  }
  return { statements, isConverted: (item: SourceItem) => converted.has(item), kept };
}

function versionOf(item: SourceItem): Code | undefined {
  const code = argumentCode(item, none).code(undefined);
  if (code.kind !== "object") return code;
  return code.members.find(([name]) => name === "version")?.[1];
}
