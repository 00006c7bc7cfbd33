import { chooseStacks } from "../../../src/cli/synthesis/choose-stacks";
import type { Stack } from "../../../src/cli/synthesis/manifest";
import { CommandError } from "../../../src/cli/invocation/failure";

const stack = (name: string, ...dependencies: string[]): Stack => ({
  name,
  dependencies,
  positions: {},
  folder: name,
  file: `${name}/cdk.tf.json`,
  annotations: [],
  acknowledgements: [],
});

const stacks = [stack("app-a", "network"), stack("app-b", "app-a"), stack("network"), stack("x.y")];

const chosen = (patterns: readonly string[], { isReversed = false, isComplete = true } = {}) =>
  chooseStacks(stacks, { patterns, isReversed, isComplete }).map(({ name }) => name);

describe("the chosen stacks", () => {
  it("come after those that they depend on, or before them", () => {
    expect(chosen(["*"])).toEqual(["network", "app-a", "app-b", "x.y"]);
    expect(chosen(["*"], { isReversed: true })).toEqual(["app-b", "app-a", "network", "x.y"]);
  });

  it("are those that one of the patterns matches, once", () => {
    expect(chosen(["app-?", "network", "app-*"])).toEqual(["network", "app-a", "app-b"]);
    expect(chosen(["x.y"])).toEqual(["x.y"]);
    expect(() => chosen(["x?y", "xzy"])).toThrow(`No stack is called "xzy".`);
  });

  it("are the only one, if there is one", () => {
    const choice = { patterns: [], isReversed: false, isComplete: true };
    expect(chooseStacks([stack("one")], choice).map(({ name }) => name)).toEqual(["one"]);
    expect(() => chooseStacks(stacks, choice)).toThrow("The app has several stacks");
    expect(() => chooseStacks([], choice)).toThrow("The app has no stacks.");
  });

  it("are not incomplete, unless that is wanted", () => {
    expect(() => chosen(["app-b"])).toThrow("app-b uses the outputs of stacks that are not chosen");
    expect(chosen(["app-b"], { isComplete: false })).toEqual(["app-b"]);
    expect(() => chosen(["network"], { isReversed: true })).toThrow(
      "Other stacks use the outputs of network: app-a.",
    );
    expect(chosen(["app-b"], { isReversed: true })).toEqual(["app-b"]);
  });

  it("of an unknown name are explained with the names that there are", () => {
    const failure = (() => {
      try {
        return chosen(["netwrok"]);
      } catch (error) {
        return error;
      }
    })();
    expect(failure).toBeInstanceOf(CommandError);
    expect(failure).toMatchObject({
      exitCode: 2,
      advice: "The stacks are: app-a, app-b, network, x.y.",
    });
  });

  it("do not hang on a circle", () => {
    const circle = [stack("a", "b"), stack("b", "a")];
    const choice = { patterns: ["*"], isReversed: false, isComplete: true };
    expect(chooseStacks(circle, choice)).toHaveLength(2);
  });
});
