/** A document that is not YAML, or has parts that are refused. The message is a predicate such as "must …". */
export class YamlProblem extends Error {
  override readonly name = "YamlProblem";

  /**
   * @param line the number of the line, from 1
   */
  constructor(
    readonly line: number,
    problem: string,
  ) {
    super(problem);
  }
}
