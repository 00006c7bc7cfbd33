/** Counts the edits (insert, delete, replace, swap neighbours) that turn one string into another. */
function distance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      let best = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        best = Math.min(best, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(best);
    }
    beforeLast = last;
    last = row;
  }
  return last[to.length] ?? 0;
}

/** Returns the candidate that was probably meant. */
export function suggestion(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = name.toLowerCase().replaceAll(/[_-]/g, "");
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  if (wanted.length > 64) return undefined;
  for (const candidate of candidates) {
    const found = distance(wanted, candidate.toLowerCase().replaceAll(/[_-]/g, ""));
    if (found < bestDistance) [best, bestDistance] = [candidate, found];
  }
  return best;
}

/** A string to be replaced by another one. */
export interface Correction {
  readonly got: string;
  readonly meant: string;
}

/** Ends a message with a correction. */
export const correctionText = ({ got, meant }: Correction): string =>
  ` (got ${JSON.stringify(got)}); did you mean ${JSON.stringify(meant)}?`;

/** Returns `; did you mean "x"?`, or the empty string. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const found = suggestion(name, candidates);
  return found === undefined ? "" : `; did you mean ${JSON.stringify(found)}?`;
}
