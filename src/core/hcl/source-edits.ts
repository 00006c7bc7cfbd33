/** Replaces part of the source. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits. An edit inside another one is ignored. */
export function edited(text: string, edits: readonly Edit[]): string {
  let result = "";
  let from = 0;
  for (const { start, end, text: written } of outermost(edits)) {
    result += text.slice(from, start) + written;
    from = end;
  }
  return result + text.slice(from);
}

/** Converts an offset in the edited text to one in the original. */
export function originalOffset(edits: readonly Edit[], offset: number): number {
  let shift = 0;
  for (const { start, end, text } of outermost(edits)) {
    if (offset < start + shift) break;
    if (offset < start + shift + text.length) return start;
    shift += text.length - (end - start);
  }
  return offset - shift;
}

/** Sorts edits; at the same place, insertions come first, then the longest. */
function outermost(edits: readonly Edit[]): readonly Edit[] {
  const isInsertion = ({ start, end }: Edit) => start === end;
  const sorted = [...edits].sort(
    (one, other) =>
      one.start - other.start ||
      Number(isInsertion(other)) - Number(isInsertion(one)) ||
      other.end - one.end,
  );
  let from = 0;
  return sorted.filter((edit) => {
    const isOutside = edit.start >= from;
    if (isOutside) from = edit.end;
    return isOutside;
  });
}
