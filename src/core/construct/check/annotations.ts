import { AnnotationMetadataEntryType, Annotations, TerraformStack } from "cdktf";
import type { IConstruct, MetadataEntry } from "constructs";
import {
  type AnnotatedRemark,
  annotationText,
  type Finding,
  readAnnotation,
  remarkOf,
  staleRemark,
} from "../../schema";
import { withoutStackTraces } from "../cdktf-internals/stack-traces";

/** A warning that is accepted for a node and everything beneath it. */
interface Acknowledgement {
  readonly scope: IConstruct;
  readonly code: string;
  readonly reason: string;
}

const warningType: string = AnnotationMetadataEntryType.WARN;

/** By the root of the tree. */
const known = new WeakMap<IConstruct, Acknowledgement[]>();

const acknowledgementsIn = ({ node }: IConstruct): readonly Acknowledgement[] =>
  known.get(node.root) ?? [];

/** Returns the nearest acknowledgement of a warning. */
function acknowledgementOf(construct: IConstruct, code: string): Acknowledgement | undefined {
  const all = acknowledgementsIn(construct).filter((each) => each.code === code);
  if (all.length === 0) return undefined;
  const scopes = [...construct.node.scopes].reverse();
  return scopes.flatMap((scope) => all.find((each) => each.scope === scope) ?? [])[0];
}

/**
 * Adds a warning to a construct, once, or a note if it is acknowledged. cdktf prints it when the app is
 * synthesized. The text ends with the code: `[endpoint-without-network]`.
 */
export function warn(construct: IConstruct, finding: Finding): void {
  const remark = remarkOf(finding);
  const accepted = acknowledgementOf(construct, remark.code);
  if (accepted === undefined) annotate(construct, "addWarning", remark);
  else annotate(construct, "addInfo", { ...remark, acknowledged: acknowledged(accepted) });
}

/** Adds a note to a construct, about something that is not wrong. */
export function note(construct: IConstruct, message: string): void {
  annotate(construct, "addInfo", { message });
}

function annotate(
  construct: IConstruct,
  add: "addWarning" | "addInfo",
  remark: AnnotatedRemark,
): void {
  const text = annotationText(remark);
  if (construct.node.metadata.some(({ data }) => data === text)) return;
  withoutStackTraces(() => {
    Annotations.of(construct)[add](text);
  });
}

const acknowledged = ({ scope, reason }: Acknowledgement) => ({ path: scope.node.path, reason });

/** Turns the warnings of a code into notes: present and later ones. */
export function addAcknowledgement(added: Acknowledgement): void {
  const { scope, code } = added;
  known.set(scope.node.root, [...acknowledgementsIn(scope), added]);
  for (const entry of entriesIn(scope)) {
    const remark = entry.type === warningType && remarkIn(entry);
    if (remark === false || remark.code !== code) continue;
    const data = annotationText({ ...remark, acknowledged: acknowledged(added) });
    // A node only adds entries, but gives its own ones to those who read them.
    Object.assign(entry, { type: AnnotationMetadataEntryType.INFO, data });
  }
}

/**
 * Adds a note for each acknowledgement in a stack that matches no warning. Those outside of any stack are
 * reported with the last stack.
 */
export function noteStale(stack: TerraformStack, isLast: () => boolean): void {
  for (const each of acknowledgementsIn(stack)) {
    const { scope, code } = each;
    const own = scope.node.scopes.findLast((above) => TerraformStack.isStack(above));
    const isReported = own === undefined ? isLast() : own === stack;
    if (!isReported || isMatched(each)) continue;
    annotate(own === undefined ? stack : scope, "addInfo", staleRemark(code, acknowledged(each)));
  }
}

function isMatched({ scope, code }: Acknowledgement): boolean {
  return entriesIn(scope).some((entry) => {
    const remark = remarkIn(entry);
    return remark.code === code && remark.stale === undefined;
  });
}

const entriesIn = ({ node }: IConstruct): readonly MetadataEntry[] =>
  node.findAll().flatMap((each) => each.node.metadata);

const remarkIn = ({ data }: MetadataEntry) => readAnnotation(typeof data === "string" ? data : "");
