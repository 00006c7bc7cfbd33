import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { itemsIn } from "../../../core/hcl/configuration-blocks";
import { type Edit, edited, originalOffset } from "../../../core/hcl/source-edits";
import { ownValue, type Properties } from "../../../core/json/plain-json";
import type { DiagnosticPlace, TerraformDiagnostic } from "../terraform/terraform-diagnostic";
import { bodiesOf } from "../terraform/json-value";
import type { DeclaredProduct } from "../terraform/template-product";
import { type ConfigurationFile, lineAt } from "./configuration-file";
import {
  addressesOfJson,
  evaluatedJson,
  parametersOfJson,
  addressesOfNative,
  addressOf,
  type Evaluated,
  evaluatedNative,
} from "./evaluated-json";
import type { EvaluatedBlock } from "./evaluated-block";
import { countedLocals, isParameter, originalReference, unknownValue } from "./rewritten-code";
import type { LoadedModules } from "./module-folders";
import { previewedTypes, previewSource } from "./preview-provider";
import type { Repairs } from "./repairs";

interface Reduced {
  readonly text: string;
  readonly edits: readonly Edit[];
}

/**
 * A copy of a template, reduced to the parts that the platform evaluates before it runs Terraform: variables,
 * locals, modules, and the data sources that it knows itself.
 *
 * References to anything else become unknown values, and so do modules that are not there, variables without a
 * value, and what Terraform objects to.
 */
export class EvaluatedFolder {
  readonly #copy: string;
  readonly #typePrefix: string;
  readonly #loaded: LoadedModules;
  readonly #withoutValue: ReadonlySet<string>;
  #reduced: ReadonlyMap<ConfigurationFile, Reduced> = new Map();

  /** @param withoutValue the names of the template's variables that have no value */
  constructor(
    copy: string,
    typePrefix: string,
    loaded: LoadedModules,
    withoutValue: ReadonlySet<string>,
  ) {
    this.#copy = copy;
    this.#typePrefix = typePrefix;
    this.#loaded = loaded;
    this.#withoutValue = withoutValue;
  }

  /**
   * Writes the copy.
   *
   * @param inputs the values of parameters. Without a value and a default, a parameter is unknown. Undefined if it is
   * the empty string then, as in an import
   * @returns true if something refers to a parameter without a value
   */
  async write(
    inputs: Readonly<Record<string, string>> | undefined,
    repairs: Repairs,
  ): Promise<boolean> {
    const { files } = this.#loaded;
    const reduced = new Map<ConfigurationFile, Reduced>();
    let isOpen = false;
    for (const folder of new Set(files.map((file) => file.folder))) {
      const own = files.filter((file) => file.folder === folder);
      const evaluated = this.#evaluated(folder, own, repairs);
      const open = inputs === undefined ? [] : own.flatMap((file) => this.#openIn(file, inputs));
      const all = { ...evaluated, unknown: new Set([...evaluated.unknown, ...open]) };
      for (const file of own) {
        const now = reducedFile(file, all, repairs);
        reduced.set(file, now);
        isOpen ||= open.length > 0 && now.text !== reducedFile(file, evaluated, repairs).text;
        await writeFile(join(this.#copy, file.path), now.text);
      }
      const [provider = ""] = this.#typePrefix.split("_");
      const added = {
        terraform: { required_providers: { [provider]: { source: previewSource } } },
        ...unknownValue,
        locals: { ...unknownValue.locals, ...countedLocals(evaluated.counted, this.#typePrefix) },
      };
      await writeFile(join(this.#copy, folder, "trivet_preview.tf.json"), JSON.stringify(added));
    }
    this.#reduced = reduced;
    return isOpen;
  }

  /**
   * Lets Terraform read the value of parameters of which it does not know other things.
   *
   * @returns false if nothing else can be left out
   */
  keepValues(parameters: readonly EvaluatedBlock[], repairs: Repairs): boolean {
    const labels = new Set(parameters.map(({ label }) => label));
    return this.#loaded.files
      .flatMap((file) =>
        file.items
          .filter((item) => isParameter(item) && labels.has(item.labels.join(".")))
          .map((item) => repairs.keepValue(file, item)),
      )
      .includes(true);
  }

  /** Returns the file in which Terraform found a problem, and the place in the file as the author wrote it. */
  origin({ place, byte }: TerraformDiagnostic):
    | {
        readonly file: ConfigurationFile;
        readonly index: number;
        readonly place: DiagnosticPlace;
      }
    | undefined {
    const file = this.#loaded.files.find(({ path }) => path === place?.file);
    const reduced = file && this.#reduced.get(file);
    if (place === undefined || file === undefined || reduced === undefined) return undefined;
    const values = place.values.flatMap((value) => {
      const [traversal = "", ...statement] = value.split(" ");
      const original = originalReference(traversal) ?? traversal;
      return original.startsWith("local.trivet_") ? [] : [[original, ...statement].join(" ")];
    });
    if (file.json !== undefined) {
      return { file, index: 0, place: { ...place, line: undefined, code: "", values } };
    }
    const before = Buffer.from(reduced.text).subarray(0, byte).toString();
    const index = originalOffset(reduced.edits, before.length);
    const [line, code] = lineAt(file.text, index);
    return { file, index, place: { ...place, line, code, values } };
  }

  #evaluated(folder: string, files: readonly ConfigurationFile[], repairs: Repairs): Evaluated {
    const isRoot = folder === "";
    const prefix = this.#typePrefix;
    const types = new Set(previewedTypes.map((type) => prefix + type));
    const isKnown = (address: string) =>
      address.startsWith(`data.${prefix}parameter.`) ||
      address === `data.${prefix}workspace_owner.me`;
    const declared = files.flatMap((file) =>
      file.json === undefined ? addressesOfNative(file) : addressesOfJson(file.json),
    );
    const removed = files.flatMap((file) => repairs.removedFrom(file));
    const named = (type: string) =>
      removed.flatMap(({ name, labels }) => (name === type ? (labels[0] ?? []) : []));
    const missing = this.#loaded.missing.filter(({ file }) => file.folder === folder);
    const module = new Set([...missing.map(({ name }) => name), ...named("module")]);
    const variable = new Set([...(isRoot ? this.#withoutValue : []), ...named("variable")]);
    const counted = files.flatMap(({ text, code, items }) =>
      items.filter(isParameter).flatMap(({ labels, start, end }) => {
        const isCounted = itemsIn(text, code, start, end).some(({ name }) => name === "count");
        return isCounted ? (labels[1] ?? []) : [];
      }),
    );
    return {
      isRoot,
      isEvaluated: (type, name) =>
        types.has(type) && (type !== `${prefix}workspace_owner` || name === "me"),
      unknown: new Set([
        ...declared.filter((address) => !isKnown(address)),
        ...removed.flatMap((item) => addressOf(item) ?? []),
        ...[...module].map((name) => `module.${name}`),
        ...[...variable].map((name) => `var.${name}`),
      ]),
      counted: new Set(counted),
      leftOut: { module, variable },
    };
  }

  /** Returns the addresses of the values of parameters without a value. */
  #openIn(
    { text, code, items, json }: ConfigurationFile,
    inputs: Readonly<Record<string, string>>,
  ): readonly string[] {
    const type = `${this.#typePrefix}parameter`;
    const native = items
      .filter((item) => isParameter(item) && item.labels[0] === type)
      .map(({ labels, start, end }) => {
        const written = itemsIn(text, code, start, end);
        const value = (name: string) => {
          const found = written.find((each) => each.name === name);
          return (
            found &&
            text
              .slice(found.start, found.end)
              .replace(/(?:#|\/\/).*/, "")
              .trim()
          );
        };
        const fallback = value("default");
        const [, name] = /^"([^"$%\\]*)"$/.exec(value("name") ?? "") ?? [];
        return {
          label: labels[1] ?? "",
          name,
          hasDefault: fallback !== undefined && fallback !== "null",
        };
      });
    return [...native, ...parametersOfJson(json ?? {}, type)]
      .filter(
        ({ name, hasDefault }) =>
          name !== undefined && !hasDefault && ownValue(inputs, name) === undefined,
      )
      .map(({ label }) => `data.${type}.${label}.value`);
  }
}

function reducedFile(file: ConfigurationFile, evaluated: Evaluated, repairs: Repairs): Reduced {
  const json: Properties | undefined = file.json;
  if (json !== undefined)
    return { text: JSON.stringify(evaluatedJson(json, evaluated)), edits: [] };
  // A file in JSON that cannot be read stays as it is, so that Terraform reports it.
  if (file.path.endsWith(".json")) return { text: file.text, edits: [] };
  const made = repairs.editsIn(file);
  const isRepaired = ({ start, end }: Edit) =>
    made.some((repair) => repair.start <= start && end <= repair.end);
  const edits = [...made, ...evaluatedNative(file, evaluated).filter((edit) => !isRepaired(edit))];
  return { text: edited(file.text, edits), edits };
}

/** Returns the product that files declare. */
export function declaredProduct(files: readonly ConfigurationFile[]): DeclaredProduct {
  const addresses = files.flatMap((file) =>
    file.json === undefined ? addressesOfNative(file) : addressesOfJson(file.json),
  );
  const sources = files.flatMap(({ text, code, items, json }) => {
    const terraform = items.filter(({ name }) => name === "terraform");
    const required = terraform
      .flatMap(({ start, end }) => itemsIn(text, code, start, end))
      .filter(({ name }) => name === "required_providers")
      .map(({ start, end }) => text.slice(start, end));
    const inJson = bodiesOf(json?.["terraform"]).map((body) => JSON.stringify(body));
    return [...required, ...inJson].flatMap((each) =>
      [...each.matchAll(/source"?\s*[=:]\s*"([^"]*)"/g)].map(([, source = ""]) => source),
    );
  });
  return { addresses, sources };
}
