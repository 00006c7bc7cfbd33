import { commandsWith, type Contender, contenders } from "../../../bench/against-go/contender";
import type { AgainstGo, Commands } from "../../../bench/against-go/measure";
import { sample } from "../../../bench/sample";

type Name = Contender["name"];

/** The CPU of every command, by the number of endpoints, and then by contender. */
type CpuByCount = Readonly<Record<number, Readonly<Record<Name, number>>>>;

/** A measurement in which every command takes the same CPU, and ten times as long. */
export function measured(cpu: CpuByCount): AgainstGo {
  const commands = Object.entries(cpu).map(([count, each]): Commands => {
    const times = new Map(
      contenders.map(({ name }) => [
        name,
        { cpu: sample([each[name], each[name] + 2]), wall: sample([each[name] * 10]) },
      ]),
    );
    return {
      count: Number(count),
      runs: 2,
      times: new Map(commandsWith(Number(count)).map((command) => [command, times])),
    };
  });
  return {
    twin: { executable: "twin", sizeMb: 18.4, madeWith: "go1.2.3" },
    compiled: { executable: "ids", version: "1.2.3", sizeMb: 118.2, madeWith: "Bun 4.5.6" },
    start: new Map<Name, ReturnType<typeof sample>>([
      ["ours", sample([30, 32])],
      ["ours, compiled", sample([20, 22])],
      ["Go", sample([10, 12])],
    ]),
    commands,
    memory: commands.map(({ count }) => ({
      count,
      peak: new Map<Name, number>([
        ["ours", 50],
        ["ours, compiled", 80],
        ["Go", 20],
      ]),
    })),
  };
}
