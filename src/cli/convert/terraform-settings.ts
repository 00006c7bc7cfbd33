import { camelCase } from "../../core/schema";
import { callText, type Code, quoted, textCode } from "../import/source-text";
import { argumentCode, capital } from "./block-code";
import { placeOf, type SourceFile, type SourceItem } from "./configuration";
import { commentLine, type References } from "./expression-code";
import type { KnownTypes, Slice } from "./known-types";
import { indent } from "./statements";

/** A block that stays in Terraform's language. */
export interface Kept {
  /** Such as `main.tf:12`. */
  readonly place: string;
  /** Such as `docker_container.workspace`. */
  readonly address: string;
  /** Why no construct says the same; undefined if there is none for its type. */
  readonly reason: string | undefined;
}

/** The blocks `terraform` of a configuration: calls of the stack, since a stack has only one such block. */
interface TerraformSettings {
  readonly statements: readonly string[];
  readonly isConverted: (item: SourceItem) => boolean;
  readonly kept: readonly Kept[];
}

/** The classes for backends of both libraries. */
const backends = [
  "azurerm",
  "consul",
  "cos",
  "gcs",
  "http",
  "local",
  "oss",
  "pg",
  "remote",
  "s3",
  "swift",
];

const none: References = { property: () => undefined, renamed: (text) => text };

export function terraformSettings(
  files: readonly SourceFile[],
  types: KnownTypes,
  slices: ReadonlySet<Slice>,
): TerraformSettings {
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
            "a stack has only one block `terraform`: call a method of the stack instead";
          kept.push({ place: placeOf(file, item.from), address, reason });
          continue;
        }
        converted.add(item);
      }
    }
  }
  return { statements, isConverted: (item) => converted.has(item), kept };
}

/** The version of a provider that the constructs require anyway. */
function versionOf(item: SourceItem): Code | undefined {
  const code = argumentCode(item, none).code(undefined);
  if (code.kind !== "object") return code;
  return code.members.find(([name]) => name === "version")?.[1];
}
