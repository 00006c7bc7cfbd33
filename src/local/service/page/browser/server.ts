import type { PageFailure } from "../page-service";

const storageKey = "token";
const retryMs = 1000;

/** A failure that the server reports, or an unreachable server, with what to do about it. */
interface ServerFailure extends Error {
  readonly cure: string;
}

const serverFailure = (message: string, cure: string): ServerFailure =>
  Object.assign(new Error(message), { cure });

export const isServerFailure = (failure: unknown): failure is ServerFailure =>
  failure instanceof Error && "cure" in failure;

/** Removes the token from the address, where others could see it. A reload finds it in the session. */
export function keepToken(): void {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token === null) return;
  sessionStorage.setItem(storageKey, token);
  history.replaceState(null, "", location.pathname);
}

export async function get<Answer>(path: string): Promise<Answer> {
  return await answerOf<Answer>(await ask(path, {}));
}

export async function post<Answer>(
  path: string,
  body: unknown,
  signal?: AbortSignal,
): Promise<Answer> {
  const request: RequestInit = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  return await answerOf<Answer>(
    await ask(path, signal === undefined ? request : { ...request, signal }),
  );
}

/**
 * Passes on the server's events, and connects again whenever the connection ends.
 *
 * @param report shows a failure; undefined removes it
 * @param catchUp runs after each pause, in which events may have been lost
 */
export async function follow(
  onEvent: (event: unknown) => void,
  report: (failure: unknown) => void,
  catchUp: () => Promise<void> = () => Promise.resolve(),
): Promise<never> {
  for (;;) {
    try {
      await listen(onEvent);
      report(undefined);
    } catch (failure) {
      report(failure);
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs));
    await catchUp().catch(report);
  }
}

/** Passes on events until the connection ends. `EventSource` cannot be used, because it sends no token. */
async function listen(onEvent: (event: unknown) => void): Promise<void> {
  const response = await ask("/api/events", {});
  if (!response.ok || response.body === null) throw await failureOf(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const events = (text + read.value).split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) onEvent(JSON.parse(event.slice("data: ".length)));
  }
}

async function ask(path: string, request: RequestInit): Promise<Response> {
  const headers = new Headers(request.headers);
  headers.set("authorization", `Bearer ${sessionStorage.getItem(storageKey) ?? ""}`);
  try {
    return await fetch(path, { ...request, headers });
  } catch (failure) {
    if (failure instanceof DOMException && failure.name === "AbortError") throw failure;
    throw serverFailure(
      "The page has lost the connection to its server.",
      `Run \`${command()}\` again, and open the address that it prints.`,
    );
  }
}

/** The command that serves the page, as its HTML names it. */
const command = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="command"]')?.content ?? "trivet";

async function answerOf<Answer>(response: Response): Promise<Answer> {
  if (!response.ok) throw await failureOf(response);
  return (await response.json()) as Answer;
}

async function failureOf(response: Response): Promise<ServerFailure> {
  const { message, cure } = (await response.json()) as PageFailure;
  return serverFailure(message, cure);
}
