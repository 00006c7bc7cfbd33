import { type Edit, edited } from "../../core/hcl/source-edits";
import { placeOf, type SourceFile, type SourceItem } from "./configuration";
import { isUnconvertible } from "./expression-code";
import { KnownTypes, type KnownType, type Slice } from "./known-types";
import { type Kept, stackSource, terraformSettings } from "./stack-source";
import { type Planned, type Statement, StatementWriter } from "./statements";

/** A converted configuration: a stack, and the files that stay. */
export interface Conversion {
  readonly stack: string;
  /** The rest of each file, by name; undefined if nothing is left. */
  readonly files: ReadonlyMap<string, string | undefined>;
  readonly converted: readonly string[];
  readonly kept: readonly Kept[];
}

/** The sources of modules in registries, which become constructs. */
const fromRegistry = /^(?:[\w-]+(?:\.[\w-]+)+(?::\d+)?\/)?[\w-]+\/[\w-]+\/[0-9a-z]+(?:\/\/.+)?$/;

/** A block, or an argument of `locals`, that may become a construct. */
type Candidate = Omit<Planned, "id" | "constant">;

/**
 * Converts the parts of a configuration that have equivalent constructs.
 *
 * @param staysForCoder true if a template for coder stays a template for coder
 */
export function converted(files: readonly SourceFile[], staysForCoder: boolean): Conversion {
  const isOwn = ({ name, labels: [type = ""] }: SourceItem) =>
    /^(?:resource|data)$/.test(name) && type.startsWith("workspace_");
  const keepsCoder = staysForCoder && !files.some(({ items }) => items.some(isOwn));
  const types = new KnownTypes(keepsCoder);
  const all = files.flatMap((file) => candidatesIn(file, types));
  const reasons = new Map<string, string>();
  for (;;) {
    const possible = all.filter(({ address }) => !reasons.has(address));
    const slices = slicesOf(possible);
    // A provider without resources needs no construct.
    const candidates = possible.filter(
      ({ item, known }) => !isProvider(item) || (known && slices.has(known.slice)),
    );
    const planned = plannedConstructs(candidates, slices, types);
    const writer = new StatementWriter(types, planned, keepsCoder);
    const statements: Statement[] = [];
    const before = reasons.size;
    for (const each of planned.values()) {
      try {
        statements.push(writer.write(each));
      } catch (error) {
        if (!isUnconvertible(error)) throw error;
        reasons.set(each.address, error.message);
      }
    }
    // References to the blocks that stay must be written again.
    if (reasons.size > before) continue;
    const settings = terraformSettings(files, types, slices);
    const removed = new Set(candidates.map(({ item }) => item));
    return {
      stack: stackSource(statements, settings.statements),
      files: new Map(
        files.map((file) => [
          file.name,
          keptText(
            file,
            (item) => (removed.has(item) && !isShared(item)) || settings.isConverted(item),
            writer,
          ),
        ]),
      ),
      converted: candidates.map(({ address }) => address),
      kept: [...files.flatMap((file) => keptIn(file, removed, reasons)), ...settings.kept],
    };
  }
}

/** Checks for a provider that other resources may need, too. */
const isShared = ({ name, labels: [provider] }: SourceItem): boolean =>
  name === "provider" && (provider === "google" || provider === "cosign");

function candidatesIn(file: SourceFile, types: KnownTypes): readonly Candidate[] {
  return file.items.flatMap((item): Candidate[] => {
    const { name, labels, comments } = item;
    const [first = "", second = ""] = labels;
    const one = { item, address: addressOf(item), known: undefined, comments };
    switch (name) {
      case "variable":
      case "output":
        return [{ ...one, label: first }];
      case "module":
        return fromRegistry.test(sourceOf(item)) ? [{ ...one, label: first }] : [];
      case "locals":
        return item.items.map((each, at) => ({
          ...one,
          item: each,
          address: `local.${each.name}`,
          label: each.name,
          comments: at === 0 ? [...comments, ...each.comments] : each.comments,
        }));
      case "provider": {
        const known = types.provider(first);
        if (known === undefined) return [];
        const alias = aliasOf(item);
        const address = alias === undefined ? one.address : `${one.address}.${alias}`;
        return [{ ...one, address, label: alias ?? first, known: types.settings(known.slice) }];
      }
      case "resource":
      case "data": {
        const known = types.find(name, first);
        return known === undefined ? [] : [{ ...one, label: second, known }];
      }
      default:
        return [];
    }
  });
}

const isProvider = ({ kind, name }: SourceItem): boolean => kind === "block" && name === "provider";

const textOf = (item: SourceItem, name: string): string | undefined =>
  item.items
    .find((each) => each.name === name)
    ?.expression?.text.trim()
    .replaceAll(/^"|"$/g, "");

const sourceOf = (item: SourceItem): string => textOf(item, "source") ?? "";
const aliasOf = (item: SourceItem): string | undefined => textOf(item, "alias");

/** The slices of the constructs in a stack, without providers. */
const slicesOf = (candidates: readonly Candidate[]): ReadonlySet<Slice> =>
  new Set(
    candidates.flatMap(({ item, known }) => {
      if (isProvider(item)) return [];
      const isModule = item.kind === "block" && item.name === "module";
      return (isModule ? "workspace" : known?.slice) ?? [];
    }),
  );

/** Gives each construct a unique ID and constant. Providers come first. */
function plannedConstructs(
  candidates: readonly Candidate[],
  slices: ReadonlySet<Slice>,
  types: KnownTypes,
): ReadonlyMap<string, Planned> {
  const provided = candidates.filter(({ item }) => isProvider(item));
  const hasDefault = (slice: Slice) =>
    provided.some(({ known, item }) => known?.slice === slice && aliasOf(item) === undefined);
  const missing = [...slices]
    .filter((slice) => !hasDefault(slice))
    .map((slice) => ({
      address: `provider.${slice}`,
      label: slice,
      known: types.settings(slice),
      item: noSettings,
      comments: [],
    }));
  const rest = candidates.filter((each) => !provided.includes(each));
  const ids = new Set<string>();
  const constants = new Set(reserved);
  return new Map(
    [...missing, ...provided, ...rest].map(({ address, label, known, item, comments }) => {
      const ownNoun = item.kind === "argument" ? "local" : item.name;
      const noun = known === undefined ? ownNoun : nounOf(known);
      const id = free(ids, isProvider(item) ? [`${label}_provider`] : [label, `${noun}_${label}`]);
      const constant = free(constants, [label, `${noun}_${label}`].map(identifier));
      return [address, { address, label, id, constant, known, item, comments }];
    }),
  );
}

const noSettings: SourceItem = {
  kind: "block",
  name: "provider",
  labels: [],
  from: 0,
  to: 0,
  start: 0,
  end: 0,
  comments: [],
  begin: 0,
  finish: 0,
  expression: undefined,
  items: [],
};

const nounOf = ({ declaration: { type, kind } }: KnownType): string =>
  kind === "provider" ? "provider" : type.slice(type.indexOf("_") + 1);

function free(taken: Set<string>, wanted: readonly string[]): string {
  const last = wanted.at(-1) ?? "";
  for (let count = 0; ; count++) {
    const name = wanted[count] ?? `${last}${count}`;
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}

const identifier = (name: string): string =>
  name
    .normalize("NFKD")
    .replaceAll(/[^\w-]/g, "")
    .replaceAll(/[-_]+(\w?)/g, (_, letter: string) => letter.toUpperCase())
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    .replace(/^(?=\d|$)/, "_");

/** Reserved words, and names with another meaning in the stack. */
const reserved =
  "app await break case catch class const continue debugger default delete do else enum eval export extends false finally for function id ids if implements import in instanceof interface let new null package private protected public return scope signing static super switch this throw true try typeof undefined var void while with workspace yield arguments".split(
    " ",
  );

function keptText(
  file: SourceFile,
  isConverted: (item: SourceItem) => boolean,
  writer: StatementWriter,
): string | undefined {
  const edits: Edit[] = [];
  const visit = (item: SourceItem): boolean => {
    const isWhole =
      isConverted(item) ||
      (/^(?:locals|terraform)$/.test(item.name) &&
        item.kind === "block" &&
        item.items.length > 0 &&
        item.items.every((each) => isConverted(each)));
    if (isWhole) edits.push({ start: item.begin, end: item.finish, text: "" });
    else if (/^(?:locals|terraform)$/.test(item.name)) item.items.forEach(visit);
    return isWhole;
  };
  const isAll = file.items.map(visit).every(Boolean);
  if (isAll && file.items.length > 0) return undefined;
  const rest = edited(file.text, edits)
    .replace(/^\n+/, "")
    .replaceAll(/\n{3,}/g, "\n\n");
  const renamed = writer.renamed(rest);
  return renamed.trim() === "" ? undefined : renamed;
}

function keptIn(
  file: SourceFile,
  removed: ReadonlySet<SourceItem>,
  reasons: ReadonlyMap<string, string>,
): readonly Kept[] {
  return file.items.flatMap((item): Kept[] => {
    if (item.name === "terraform" || (removed.has(item) && !isShared(item))) return [];
    if (item.name === "locals") {
      return item.items
        .filter((each) => !removed.has(each))
        .map((each) => {
          const address = `local.${each.name}`;
          return { place: placeOf(file, each.from), address, reason: reasons.get(address) };
        });
    }
    const address = addressOf(item);
    const shared = removed.has(item) ? "the state is moved with it" : undefined;
    return [{ place: placeOf(file, item.from), address, reason: reasons.get(address) ?? shared }];
  });
}

function addressOf({ name, labels }: SourceItem): string {
  if (name === "resource") return labels.join(".");
  return [name === "variable" ? "var" : name, ...labels].join(".");
}
