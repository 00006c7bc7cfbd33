import type { BuildEvent } from "../../../../src/local/workspace/page/page-data";

/** Reads the events of the running or last build, up to the first one of a kind. */
export async function buildEvents(
  origin: string,
  headers: Readonly<Record<string, string>>,
  kind: BuildEvent["kind"],
): Promise<readonly BuildEvent[]> {
  const { body } = await fetch(`${origin}/api/events`, { headers });
  if (body === null) throw new Error("there is no stream of events");
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const events: BuildEvent[] = [];
  let text = "";
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const whole = (text + read.value).split("\n\n");
    text = whole.pop() ?? "";
    events.push(...whole.map((event) => JSON.parse(event.slice("data: ".length)) as BuildEvent));
    if (events.some((event) => event.kind === kind)) break;
  }
  await reader.cancel();
  return events;
}
