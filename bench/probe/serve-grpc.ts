// Serves calls with a bundled program from `codec/` until its input ends, and prints the CPU time
// of its start.
interface GrpcProgram {
  readonly serve: (socket: string, path: string) => Promise<void>;
}

async function main(program: string, socket: string, path: string): Promise<void> {
  const before = process.cpuUsage();
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { serve } = require(program) as GrpcProgram;
  await serve(socket, path);
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ startMs: String((user + system) / 1000) }));
  process.stdin.resume().on("end", () => process.exit());
}

const [, , program = "", socket = "", path = ""] = process.argv;
void main(program, socket, path);
