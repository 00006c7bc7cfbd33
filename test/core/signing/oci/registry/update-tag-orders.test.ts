import { tryAllOrders } from "./tag-model";

test.each([2, 3])(
  "nothing of %s writers is lost, in any order of their requests",
  async (count) => {
    const { losses, ended } = await tryAllOrders(count, true);
    expect(losses).toEqual([]);
    expect(ended).toBeGreaterThan(count);
  },
);

test("without a wait that outlasts another writer's write, a layer is lost", async () => {
  const { losses } = await tryAllOrders(2, false);
  expect(losses).toContainEqual({
    schedule: [
      "0: GET",
      "0: HEAD",
      "0: answer",
      "1: GET",
      "1: HEAD",
      // Nothing of the other writer can be seen until this one has ended, and nothing of this one afterwards.
      "0: PUT",
      "0: wait",
      "0: HEAD",
      "1: PUT",
      "1: wait",
      "1: HEAD",
    ],
    layers: ["1"],
  });
});
