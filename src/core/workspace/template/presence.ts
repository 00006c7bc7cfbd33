import { TerraformCount, TerraformProvider } from "cdktf";
import type { Finding } from "../../schema";
import { propertiesOf } from "../../json/plain-json";
import { asOf, contentFinding, contentOf, textsIn } from "./module-content";
import { prefixOf } from "./terraform-type";
import {
  isToken,
  overridesOf,
  withExpressions,
  type StackMember,
  type StackFinding,
  type StackRule,
} from "../../construct";

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
  if (TerraformProvider.isTerraformProvider(resource)) return always;
  const overrides = overridesOf(resource);
  if ((overrides["for_each"] ?? resource.forEach) !== undefined) {
    return { instances: undefined, condition: `forEach of ${construct.node.path}` };
  }
  const given = overrides["count"] ?? ("count" in resource ? resource.count : undefined);
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

interface UniqueValue {
  /** The type after its prefix, by which the parts of modules are found: `app`. */
  readonly part: string;
  readonly attribute: string;
  /** The part of a value that is compared. @default the whole value */
  readonly key?: (value: string) => string;
  /** The scope of uniqueness, such as `in the template`. */
  readonly where: string;
}

/**
 * Creates a rule that an attribute is unique among the constructs, and among what modules contain. Unknown values are
 * skipped.
 */
export function uniqueValues({
  part,
  attribute,
  key = (value) => value,
  where,
}: UniqueValue): StackRule {
  return function* unique(members: readonly StackMember[]): Generator<StackFinding> {
    const taken = new Taken();
    for (const member of members) {
      const { construct, values } = member;
      const content = contentOf(construct);
      const named =
        content === undefined
          ? [values[attribute]]
          : textsIn(content, prefixOf(member) + part, attribute, propertiesOf(values["variables"]))
              .filter(({ isConditional }) => !isConditional)
              .map(({ text }) => text);
      const presence = presenceOf(member);
      const { instances = 1 } = presence;
      for (const value of named) {
        if (typeof value !== "string" || isToken(value)) continue;
        const other = taken.take(key(value), presence, construct.node.path);
        const got = `(got ${JSON.stringify(value)})`;
        if (instances <= 1 && other === undefined) continue;
        const message =
          instances > 1
            ? `must differ in each of the ${instances} instances, because it must be unique ${where}: include the index in it ${got}`
            : `must differ from that of ${other ?? ""}: it must be unique ${where} ${got}`;
        const finding: Finding = {
          code: "DUPLICATE",
          severity: "error",
          path: [attribute],
          message,
        };
        if (content === undefined) yield { construct, finding };
        else {
          const noun = part.replace(/^workspace_/, "");
          const inside = `has ${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun} whose ${attribute} ${message}${asOf(content)}`;
          yield { construct, finding: contentFinding(content, "DUPLICATE", [], inside) };
        }
      }
    }
  };
}
