import { isObject } from "../../../core/json/plain-json";
import { objectOf } from "../terraform/json-value";
import type { EvaluatedBlock } from "./evaluated-block";
import { error, platformValue, quoted } from "./platform-value";
import type { PreviewDiagnostic } from "./preview";

interface TagValues {
  readonly tags: Readonly<Record<string, string>>;
  readonly diagnostics: readonly PreviewDiagnostic[];
}

/** Reads tags as the platform does, which only knows some values before it runs Terraform. */
export function tagValues(blocks: readonly EvaluatedBlock[]): TagValues {
  const all = blocks.map(tagsOf);
  return {
    tags: Object.assign({}, ...all.map(({ tags }) => tags)) as Readonly<Record<string, string>>,
    diagnostics: all.flatMap(({ diagnostics }) => diagnostics),
  };
}

function tagsOf({ values, unknown, isSet }: EvaluatedBlock): TagValues {
  const given = values["tags"];
  if (!isSet("tags")) return { tags: {}, diagnostics: [] };
  const kind = values["tags_type"];
  if (!isObject(given) || kind === "map of string" || unknown["tags"] === true) {
    const type = typeof kind === "string" && kind !== "" ? kind : "dynamic";
    const detail = `"tags" attribute must be an 'Object', but got ${quoted(type)}`;
    return { tags: {}, diagnostics: [error('Incorrect type for "tags" attribute', detail)] };
  }
  const unknowns = objectOf(unknown["tags"]);
  const tags: Record<string, string> = {};
  const diagnostics: PreviewDiagnostic[] = [];
  for (const key of new Set([...Object.keys(objectOf(given)), ...Object.keys(unknowns)])) {
    const value = platformValue(objectOf(given)[key]);
    const where = `in the tag ${quoted(key)}`;
    if ((unknowns[key] ?? false) !== false) {
      const what = "it likely refers to a variable that is not set or has no default";
      diagnostics.push(error(`Tag value is not known, ${what}.`, where));
    } else if (value.kind === "known") tags[key] = value.text;
    else if (value.kind === "other") {
      diagnostics.push(error("Tag value is not valid, it must be a non-null string value.", where));
    }
  }
  return { tags, diagnostics };
}
