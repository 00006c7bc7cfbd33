import { isToken, type StackFinding, type StackMember, type StackRule } from "../../construct";
import { presenceOf, Taken } from "./presence";

/** An attribute that no two constructs of a type may have the same. */
export interface UniqueValue {
  readonly attribute: string;
  /** What of a value counts. @default the whole of it */
  readonly key?: (value: string) => string;
  /** Where it must be the only one: `in the template`. */
  readonly where: string;
}

/** A rule that an attribute is another one in each construct. Values that are not known pass. */
export function uniqueValues({ attribute, key = (it) => it, where }: UniqueValue): StackRule {
  return function* unique(members: readonly StackMember[]): Generator<StackFinding> {
    const taken = new Taken();
    for (const member of members) {
      const { construct, values } = member;
      const value = values[attribute];
      if (typeof value !== "string" || isToken(value)) continue;
      const presence = presenceOf(member);
      const { instances = 1 } = presence;
      const other = taken.take(key(value), presence, construct.node.path);
      const got = `(got ${JSON.stringify(value)})`;
      if (instances > 1) {
        yield finding(
          member,
          attribute,
          `must be another one in each of the ${instances} instances, since it is unique ${where}: make it depend on the index ${got}`,
        );
      } else if (other !== undefined) {
        yield finding(
          member,
          attribute,
          `must be another one than that of ${other}: it is unique ${where} ${got}`,
        );
      }
    }
  };
}

const finding = ({ construct }: StackMember, name: string, message: string): StackFinding => ({
  construct,
  finding: { code: "DUPLICATE", severity: "error", path: [name], message },
});
