/** A path inside a value: property names, map keys and list indexes, from the outside in. */
export type CtyPath = readonly (string | number)[];

/**
 * The error for bytes, JSON or a JavaScript value that does not match the type as which it is decoded or
 * encoded.
 */
export class CtyError extends Error {
  override readonly name = "CtyError";

  constructor(
    readonly problem: string,
    readonly path: CtyPath = [],
  ) {
    super(path.length === 0 ? problem : `${formatPath(path)}: ${problem}`);
  }
}

function formatPath(path: CtyPath): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (/^[A-Za-z_][\w-]*$/.test(step)) text += text === "" ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}
