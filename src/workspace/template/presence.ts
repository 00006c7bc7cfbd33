import { TerraformCount, TerraformDataSource, TerraformResource } from "cdktf";
import { isToken, withExpressions, type StackMember } from "../../construct";

/** In which builds a construct is there, and how often. */
export interface Presence {
  /** How many of it there are; undefined when only Terraform knows. */
  readonly instances: number | undefined;
  /** What decides whether there is any: empty for one that is always there, else an expression. */
  readonly condition: string;
}

const always: Presence = { instances: 1, condition: "" };

/**
 * Says in which builds a construct is there. A `count` that is written as a number is known. Of one
 * that Terraform computes, only its expression is: two constructs of one expression come and go
 * together. Each `forEach` counts as a condition of its own.
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
  return { instances: undefined, condition: `count ${JSON.stringify(textOf(construct, count))}` };
}

const textOf = (construct: StackMember["construct"], count: unknown): unknown =>
  withExpressions(construct, count) ?? construct.node.path;

/**
 * What stands under which name already.
 *
 * Two constructs clash when there are builds in which both are there: one of them always is, or both
 * depend on one condition. Those of two conditions may be alternatives, of which each build has one.
 */
export class Taken<Holder = string> {
  readonly #holders = new Map<string, Map<string, Holder>>();

  /** The one who has a name in some build in which a construct of this presence is there. */
  holder(name: string, { instances, condition }: Presence): Holder | undefined {
    const holders = this.#holders.get(name);
    if (holders === undefined || instances === 0) return undefined;
    if (condition !== "") return holders.get("") ?? holders.get(condition);
    const [first] = holders.values();
    return first;
  }

  /** Takes a name; returns the one who had it already. */
  take(name: string, presence: Presence, holder: Holder): Holder | undefined {
    if (presence.instances === 0) return undefined;
    const other = this.holder(name, presence);
    const holders = this.#holders.get(name) ?? new Map<string, Holder>();
    if (!holders.has(presence.condition)) holders.set(presence.condition, holder);
    this.#holders.set(name, holders);
    return other;
  }
}
