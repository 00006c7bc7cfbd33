import { isRecord } from "../../json/plain-json";
import { type Attribute, type Block, type Fields, wireName } from "../../schema/attribute";
import type { Values } from "../../schema/resource-rule";
import type { ResourceImplementation } from "./implementation";
import type { StateMove } from "./state-upgrade";

/**
 * Another provider that has the same resources as this one, under other names.
 *
 * Names and enum values are keyed by this provider's resource type (`notes_note`), and below that by the path of an
 * attribute with this provider's names (`title`; inside a block, `author.name`), as in Terraform.
 */
export interface OtherProvider {
  /** The provider and its mirrors, without the registry: `hashicorp/google`. */
  readonly sources: readonly string[];
  /** The prefix of its resource types (`google_cloud_ids` in `google_cloud_ids_endpoint`). */
  readonly typePrefix: string;
  /** The schema versions of its resources whose states can be converted. */
  readonly versions: readonly number[];
  /** Names of attributes and blocks that differ. @default the same names */
  readonly names?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Enum values that differ, with this provider's values as keys. @default the same values */
  readonly enums?: Readonly<
    Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>
  >;
  /**
   * Attributes of blocks that are null when another attribute is true: `{ "item.value": "is_null" }`.
   *
   * @default an optional attribute of a block is null when it is empty, 0 or false
   */
  readonly nulls?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const registries = ["registry.terraform.io", "registry.opentofu.org"] as const;

/** Returns the resources, each of which a `moved` block can now move from its counterpart in another provider. */
export const movableFrom = <Client>(
  other: OtherProvider,
  resources: readonly ResourceImplementation<Client>[],
): readonly ResourceImplementation<Client>[] =>
  resources.map((each) => ({ ...each, moves: [...(each.moves ?? []), ...movesOf(other, each)] }));

function movesOf<Client>(
  other: OtherProvider,
  { declaration }: ResourceImplementation<Client>,
): readonly StateMove<Values>[] {
  const type = declaration.type.replace(/^[^_]*/, other.typePrefix);
  const reading = new Reading(other, declaration.type);
  const convert = (state: unknown): Values =>
    reading.fields(declaration, isRecord(state) ? state : {}, "");
  return registries.flatMap((registry) =>
    other.sources.flatMap((source) =>
      other.versions.map((version) => {
        const provider = `${registry}/${source}`;
        return { type, version, provider, declaration: undefined, convert };
      }),
    ),
  );
}

/** Converts a state of another provider to a declaration. Drops what the declaration does not have. */
class Reading {
  readonly #names: Readonly<Record<string, string>>;
  readonly #enums: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly #nulls: Readonly<Record<string, string>>;

  constructor({ names, enums, nulls }: OtherProvider, type: string) {
    this.#names = names?.[type] ?? {};
    this.#enums = enums?.[type] ?? {};
    this.#nulls = nulls?.[type] ?? {};
  }

  /** @param level the path of the block, with a dot at the end; empty for the resource itself */
  fields({ attributes, blocks = {} }: Fields, state: Values, level: string): Values {
    const values: Record<string, unknown> = {};
    for (const [name, attribute] of Object.entries(attributes)) {
      values[name] = this.#attribute(attribute, state, level + wireName(name, attribute));
    }
    for (const [name, block] of Object.entries(blocks)) {
      values[name] = this.#block(block, state, level + wireName(name, block));
    }
    return values;
  }

  #given(state: Values, path: string): unknown {
    return state[this.#names[path] ?? path.slice(path.lastIndexOf(".") + 1)] ?? null;
  }

  #attribute(attribute: Attribute, state: Values, path: string): unknown {
    const given = this.#given(state, path);
    // An attribute that is newer than the state has its default.
    if (given === null) return attribute.default ?? null;
    if (attribute.presence === "optional" && this.#isOmitted(given, state, path)) return null;
    const renamed = Object.entries(this.#enums[path] ?? {}).find(([, other]) => other === given);
    return renamed?.[0] ?? given;
  }

  /** Providers with Terraform's older SDK store an empty list for an omitted value; in a block, any empty value. */
  #isOmitted(given: unknown, state: Values, path: string): boolean {
    if (Array.isArray(given)) return given.length === 0;
    const nullMark = this.#nulls[path];
    const isEmpty = given === "" || given === 0 || given === false;
    return isEmpty && path.includes(".") && (nullMark === undefined || state[nullMark] === true);
  }

  #block({ nesting, fields }: Block, state: Values, path: string): unknown {
    const given = this.#given(state, path);
    const inside = (value: unknown): Values | null =>
      isRecord(value) ? this.fields(fields, value, `${path}.`) : null;
    if (nesting === "single") return inside(given);
    return Array.isArray(given) ? given.map(inside) : [];
  }
}
