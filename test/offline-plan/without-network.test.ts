import { Socket } from "node:net";

/** Loads the module as another test file does. */
const loadAgain = async () => {
  jest.resetModules();
  return await import("../../src/offline-plan/without-network.js");
};

test("guards the process once, however often a test runner loads it", async () => {
  const [first, second] = [await loadAgain(), await loadAgain()];
  expect(second).not.toBe(first);
  const connect = () => new Socket().connect(1);
  expect(await first.withoutNetwork(connect)).toMatchObject({ wasTried: true });
  const guarded = Reflect.get(Socket.prototype, "connect");
  expect(await second.withoutNetwork(connect)).toMatchObject({ wasTried: true });
  expect(Reflect.get(Socket.prototype, "connect")).toBe(guarded);
});
