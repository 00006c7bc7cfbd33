import { crossover } from "../../../bench/against-go/crossover";

describe("the number of endpoints from which on ours takes less", () => {
  it("is between the measurements, on a logarithmic scale", () => {
    const points = [
      { count: 1, ours: 200, theirs: 100 },
      { count: 100, ours: 0, theirs: 100 },
    ];
    expect(crossover(points)).toBe(10);
  });

  it("is the first measurement if ours is always less", () => {
    expect(crossover([{ count: 5, ours: 1, theirs: 2 }])).toBe(5);
  });

  it("is after the last measurement in which ours takes as much", () => {
    const points = [
      { count: 1, ours: 50, theirs: 100 },
      { count: 10, ours: 100, theirs: 100 },
      { count: 100, ours: 50, theirs: 100 },
    ];
    expect(crossover(points)).toBe(10);
  });

  it("is missing if ours takes more in the largest measurement", () => {
    const points = [
      { count: 1, ours: 50, theirs: 100 },
      { count: 10, ours: 150, theirs: 100 },
    ];
    expect(crossover(points)).toBeUndefined();
  });
});
