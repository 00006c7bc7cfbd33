import { type BodyItem, itemsIn } from "../../../core/hcl/configuration-blocks";
import type { Edit } from "../../../core/hcl/source-edits";
import type { ConfigurationFile } from "./configuration-file";
import { unknownAt } from "./rewritten-code";

interface Repair {
  readonly file: ConfigurationFile;
  readonly item: BodyItem;
  readonly edit: Edit;
  readonly isRemoval: boolean;
}

/** The parts of a template that are left out, each as small as possible, so that Terraform can evaluate the rest. */
export class Repairs {
  readonly #made = new Map<string, Repair>();

  editsIn(file: ConfigurationFile): readonly Edit[] {
    return this.#in(file).map(({ edit }) => edit);
  }

  /** Returns the top-level blocks of a file that are left out. */
  removedFrom(file: ConfigurationFile): readonly BodyItem[] {
    const removed = this.#in(file).filter(({ isRemoval }) => isRemoval);
    return removed.map(({ item }) => item).filter((item) => file.items.includes(item));
  }

  #in(file: ConfigurationFile): readonly Repair[] {
    return [...this.#made.values()].filter((repair) => repair.file === file);
  }

  /**
   * Leaves out the item at an index of a file, or makes its value unknown.
   *
   * @returns false if nothing else can be left out
   */
  make(file: ConfigurationFile, index: number, summary: string): boolean {
    const path = itemsAt(file, index);
    const [top] = path;
    const last = path.at(-1);
    if (top === undefined || last === undefined) return false;
    const keeps = top.name === "locals" || top.name === "output";
    const validation = path.find(({ name }) => name === "validation");
    if (top.name === "variable") return this.#remove(file, validation ?? top);
    if (last.kind === "block") return !keeps && this.#remove(file, last);
    const isRepeated = top.name === "data" || top.name === "module";
    if (isRepeated && last.name === "for_each") return this.#remove(file, top);
    const isUnexpected =
      summary === "Unsupported argument" || /^(?:source|version)$/.test(last.name);
    // How often something exists must be known.
    const value = isRepeated && last.name === "count" ? "1" : unknownAt("unknown");
    if (!isUnexpected && this.#set(file, last, value)) return true;
    if (keeps) return false;
    return (
      this.#remove(file, isUnexpected && top.name === "module" ? top : last) ||
      this.#remove(file, top)
    );
  }

  /**
   * Leaves out all arguments of a parameter that do not affect its value.
   *
   * @returns false if nothing else can be left out
   */
  keepValue(file: ConfigurationFile, { start, end }: BodyItem): boolean {
    const others = itemsIn(file.text, file.code, start, end).filter(
      ({ name }) => !["name", "default", "count", "for_each"].includes(name),
    );
    return others.map((item) => this.#remove(file, item)).includes(true);
  }

  #set(file: ConfigurationFile, item: BodyItem, value: string): boolean {
    const { start, end } = item;
    const [rest = ""] = /\s*$/.exec(file.text.slice(start, end)) ?? [];
    const edit = { start, end, text: ` ${value}${rest}` };
    return this.#add({ file, item, edit, isRemoval: false });
  }

  #remove(file: ConfigurationFile, item: BodyItem): boolean {
    const edit = { start: item.from, end: item.to, text: "" };
    return this.#add({ file, item, edit, isRemoval: true });
  }

  #add(repair: Repair): boolean {
    const id = `${repair.file.path} ${repair.item.from}`;
    const before = this.#made.get(id);
    if (before !== undefined && (before.isRemoval || !repair.isRemoval)) return false;
    this.#made.set(id, repair);
    return true;
  }
}

/** Returns the block at an index, the block in it, and so on, down to the argument. */
function itemsAt({ text, code, items }: ConfigurationFile, index: number): readonly BodyItem[] {
  const path: BodyItem[] = [];
  let level = items;
  for (;;) {
    const found = level.find(({ from, to }) => from <= index && index < to);
    if (found === undefined) return path;
    path.push(found);
    if (found.kind === "argument") return path;
    level = itemsIn(text, code, found.start, found.end);
  }
}
