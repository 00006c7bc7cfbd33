import { isToken, type StackFinding, type StackMember, type StackRule } from "../../construct";
import { presenceOf, Taken } from "./presence";

/** An attribute whose value must be unique among the constructs of a type. */
interface UniqueValue {
  readonly attribute: string;
  /** The part of a value that is compared. @default the whole value */
  readonly key?: (value: string) => string;
  /** The scope of uniqueness, such as `in the template`. */
  readonly where: string;
}

/** Creates a rule that an attribute is unique among the constructs. Unknown values are skipped. */
export function uniqueValues({ attribute, key = (value) => value, where }: UniqueValue): StackRule {
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
          `must differ in each of the ${instances} instances, because it must be unique ${where}: include the index in it ${got}`,
        );
      } else if (other !== undefined) {
        yield finding(
          member,
          attribute,
          `must differ from that of ${other}: it must be unique ${where} ${got}`,
        );
      }
    }
  };
}

const finding = ({ construct }: StackMember, name: string, message: string): StackFinding => ({
  construct,
  finding: { code: "DUPLICATE", severity: "error", path: [name], message },
});
