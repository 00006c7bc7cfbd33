import {
  attributeReferences,
  isToken,
  referencesIn,
  withExpressions,
  type StackContext,
  type StackFinding,
  type StackMember,
  templates,
} from "../../construct";
import { type Finding, type Path, type Warning, display, warning } from "../../schema";
import { valueLeaves } from "./claimed-values";
import { coderSeverity, olderPlatform } from "./platform-facts";
import { platformRules } from "../product/platform-versions";
import { isOf, siblingType, type RuledType } from "./terraform-type";

const unknownValue = warning(
  "template-unknown-value",
  "the platform needs a value before it runs Terraform, and refuses the template without it",
);
const hiddenValue = warning(
  "template-hidden-value",
  "the platform does not know a value before it runs Terraform, and does not show it to users",
);
const tagsMap = warning(
  "template-tags-map",
  "tags are a map for the platform, which needs an object",
);
const classicTag = warning(
  "template-classic-tags",
  "tags contain what an older platform does not know while it imports the template",
);

/**
 * The attributes that a platform evaluates before it runs Terraform, and for which it requires known values.
 */
const previewed: readonly (readonly [type: RuledType, needed: RegExp])[] = [
  ["workspace_workspace_tags", /^tags\b/],
  ["workspace_workspace_preset", /^name$/],
  ["workspace_parameter", /^(?:name$|options\.\d+\.(?:name|value)$)/],
];

/**
 * Checks the values that the platform evaluates before it runs Terraform. It then knows variables, locals and
 * parameters, the data sources of other providers and one owner, but no resources.
 */
export function* previewedValues(
  members: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  if (olderPlatform(context, "previews") !== undefined) return;
  for (const member of members) {
    const needed = previewed.find(([type]) => isOf(member, type))?.[1];
    if (needed === undefined) continue;
    const { construct, values } = member;
    const refused = coderSeverity(construct, unknownValue, "previews");
    for (const [path, value] of valueLeaves(values)) {
      if (!isToken(value)) continue;
      const unknown = new Knowledge(member, context).unknownIn(value);
      if (unknown === undefined) continue;
      const isNeeded = needed.test(path.join("."));
      yield { construct, finding: finding(path, unknown, isNeeded ? refused : undefined) };
    }
    const whole = withExpressions(construct, values["tags"]);
    if (typeof whole === "string" && /^\$\{\s*var\.[\w-]+\s*\}$/.test(whole)) {
      const message = `must be an object for the platform, and not a map (got "${whole}"): write merge({}, …) around it`;
      yield {
        construct,
        finding: coderSeverity(construct, tagsMap, "previews").at(["tags"], message),
      };
    }
  }
}

function finding(
  path: Path,
  { what, cure }: Unknown,
  refused: Pick<Warning, "at"> | undefined,
): Finding {
  const effect =
    refused !== undefined ? "refuses the template" : "does not show the value to users";
  return (refused ?? hiddenValue).at(
    path,
    `must contain only what the platform knows before it runs Terraform; otherwise, the platform ${effect} (got ${what}): ${cure}`,
  );
}

/** A value in an expression that the platform does not know, and the alternative. */
interface Unknown {
  readonly what: string;
  readonly cure: string;
}

const cures = {
  others: "use literals, variables, locals, parameters or the owner",
  owner: 'the platform only knows an owner with the construct ID "me" at the top of the stack',
  secret: "the platform does not give the owner's secrets to a form",
} as const;

/** The owner's attributes that the platform leaves out. */
const secrets = new Set(["ssh_private_key", "session_token", "oidc_access_token"]);

/** The platform's knowledge before it runs Terraform. */
class Knowledge {
  readonly #member: StackMember;
  readonly #context: StackContext;
  readonly #seen = new Set<string>();

  constructor(member: StackMember, context: StackContext) {
    this.#member = member;
    this.#context = context;
  }

  unknownIn(value: unknown): Unknown | undefined {
    const { construct } = this.#member;
    for (const { address, stack } of referencesIn(construct, value)) {
      // Values from another stack come from a data source, whose values are known.
      if (stack !== undefined && stack !== this.#context.stack) continue;
      const unknown = this.#unknown(address);
      if (unknown !== undefined) return unknown;
    }
    return this.#secretIn(attributeReferences(construct, value));
  }

  #unknown(address: string): Unknown | undefined {
    const entry = this.#context.references().at(address);
    if (entry === undefined || this.#seen.has(address)) return undefined;
    this.#seen.add(address);
    const [section, type = "", name] = address.split(".");
    if (section === "local") {
      const inside = [...entry.references].map((each) => this.#unknown(each));
      return (
        inside.find((each) => each !== undefined) ??
        this.#secretIn(attributeReferences(entry.element, entry.element.toTerraform()))
      );
    }
    if (section === "var" || section === "module") return undefined;
    if (section !== "data") return { what: address, cure: cures.others };
    if (type === this.#ownerType) {
      return name === "me" ? undefined : { what: address, cure: cures.owner };
    }
    const isKnown =
      type === siblingType(this.#member, "workspace_parameter") || !this.#isOurs(type);
    return isKnown ? undefined : { what: address, cure: cures.others };
  }

  #secretIn(
    attributes: readonly { readonly address: string; readonly attribute: string | undefined }[],
  ): Unknown | undefined {
    const found = attributes.find(
      ({ address, attribute = "" }) =>
        address === `data.${this.#ownerType}.me` && secrets.has(attribute),
    );
    if (found === undefined) return undefined;
    return { what: `${found.address}.${found.attribute ?? ""}`, cure: cures.secret };
  }

  get #ownerType(): string {
    return siblingType(this.#member, "workspace_workspace_owner");
  }

  #isOurs(type: string): boolean {
    const parameter = siblingType(this.#member, "workspace_parameter");
    return type.startsWith(parameter.slice(0, -"parameter".length));
  }
}

/**
 * Checks tags for an older platform, which reads tags without evaluating them and knows only variables and
 * the defaults of parameters. It refuses anything else.
 */
export function* classicTags(
  members: readonly StackMember[],
  context: StackContext,
): Generator<StackFinding> {
  const version = olderPlatform(context, "previews");
  if (version === undefined) return;
  for (const member of members) {
    const { construct, values } = member;
    const outside = () => "outside";
    const tags = withExpressions(construct, values["tags"], outside);
    for (const [path, expression] of unreadable(tags, siblingType(member, "workspace_parameter"))) {
      yield {
        construct,
        finding: coderSeverity(construct, classicTag, "previews").at(
          ["tags", ...path],
          `must contain only literals, variables and values of parameters for version ${version} of the platform: it needs version ${platformRules.previews.since} to know anything else during a template import (got ${display(expression)})`,
        ),
      };
    }
  }
}

function* unreadable(
  tags: unknown,
  parameterType: string,
): Generator<readonly [path: readonly string[], expression: string]> {
  if (typeof tags === "string") yield [[], tags];
  if (typeof tags !== "object" || tags === null) return;
  const known = new RegExp(
    String.raw`^\s*(?:var\.[A-Za-z_][\w-]*|data\.${parameterType}\.[A-Za-z_][\w-]*\.value)\s*$`,
  );
  for (const [name, value] of Object.entries(tags)) {
    for (const text of [name, value]) {
      if (typeof text !== "string") continue;
      const other = [...templates(text)].find(({ inside }) => !known.test(inside ?? ""));
      if (other !== undefined) yield [[name], other.text];
    }
  }
}
