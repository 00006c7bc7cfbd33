import { TerraformCount, TerraformDataSource, TerraformResource } from "cdktf";
import { isToken, withExpressions, type StackMember } from "../../construct";

/** The builds in which a construct exists, and its number of instances. */
export interface Presence {
  /** Number of instances; undefined if it is known only to Terraform. */
  readonly instances: number | undefined;
  /** The expression that decides whether it exists; empty if the number is known. */
  readonly condition: string;
}

const always: Presence = { instances: 1, condition: "" };

/**
 * Returns the builds in which a construct exists. A literal `count` is known. For a computed `count` only the
 * expression is known: two constructs with the same expression exist in the same builds. Each `forEach` is a
 * separate condition.
 */
export function presenceOf({ construct }: StackMember): Presence {
  const { resource } = construct;
  const isElement =
    TerraformResource.isTerraformResource(resource) ||
    TerraformDataSource.isTerraformDataSource(resource);
  if (!isElement) return always;
  // eslint-disable-next-line @typescript-eslint/dot-notation -- protected
  const overrides = resource["rawOverrides"] as Readonly<Record<string, unknown>>;
  if ((overrides["for_each"] ?? resource.forEach) !== undefined) {
    return { instances: undefined, condition: `forEach of ${construct.node.path}` };
  }
  const given = overrides["count"] ?? resource.count;
  if (given === undefined) return always;
  const count: unknown = TerraformCount.isTerraformCount(given) ? given.toTerraform() : given;
  if (typeof count === "number" && !isToken(count)) return { instances: count, condition: "" };
  return {
    instances: undefined,
    condition: `count ${JSON.stringify(expressionOf(construct, count))}`,
  };
}

const expressionOf = (construct: StackMember["construct"], count: unknown): unknown =>
  withExpressions(construct, count) ?? construct.node.path;

/**
 * The taken names and their holders.
 *
 * Two constructs with the same name clash if some build contains both: one of them always exists, or both
 * have the same condition. With different conditions, each build may contain only one of them.
 */
export class Taken<Holder = string> {
  readonly #holders = new Map<string, Map<string, Holder>>();

  /** Returns the holder of a name in a build that also contains a construct with this presence. */
  holder(name: string, { instances, condition }: Presence): Holder | undefined {
    const holders = this.#holders.get(name);
    if (holders === undefined || instances === 0) return undefined;
    if (condition !== "") return holders.get("") ?? holders.get(condition);
    const [first] = holders.values();
    return first;
  }

  /** Takes a name. Returns its previous holder, if any. */
  take(name: string, presence: Presence, holder: Holder): Holder | undefined {
    if (presence.instances === 0) return undefined;
    const other = this.holder(name, presence);
    const holders = this.#holders.get(name) ?? new Map<string, Holder>();
    if (!holders.has(presence.condition)) holders.set(presence.condition, holder);
    this.#holders.set(name, holders);
    return other;
  }
}
